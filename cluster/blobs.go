package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// inline is up to how many bytes a value travels in the message itself. What is larger is an
// object, which the hub keeps in parts.
const inline = 256 << 10

// Hash names a program by its content.
func Hash(program []byte) string {
	sum := sha256.Sum256(program)
	return hex.EncodeToString(sum[:])
}

// PutProgram gives the hub what tasks run, unless it has it, and returns its name.
func (c *Conn) PutProgram(ctx context.Context, program []byte) (hash string, err error) {
	hash = Hash(program)
	if _, err := c.programs.GetInfo(ctx, hash); err == nil {
		return hash, nil
	}
	if _, err := c.programs.PutBytes(ctx, hash, program); err != nil {
		return "", fmt.Errorf("program of %d bytes: %w", len(program), err)
	}
	return hash, nil
}

// Program is what was put under a name. What is not of that content is an error.
func (c *Conn) Program(ctx context.Context, hash string) ([]byte, error) {
	program, err := c.programs.GetBytes(ctx, hash)
	switch {
	case err != nil:
		return nil, fmt.Errorf("program %s: %w", hash, err)
	case Hash(program) != hash:
		return nil, fmt.Errorf("program %s: what the hub holds is of other content", hash)
	}
	return program, nil
}

// body puts a value into a message, or into an object that the message names.
func (c *Conn) body(ctx context.Context, m *nats.Msg, object string, value []byte) error {
	if len(value) <= min(inline, int(c.nc.MaxPayload())/2) {
		m.Data = value
		return nil
	}
	if _, err := c.values.PutBytes(ctx, object, value); err != nil {
		return fmt.Errorf("value of %d bytes: %w", len(value), err)
	}
	m.Header.Set(headerObject, object)
	return nil
}

// valueOf is the body of a message.
func (c *Conn) valueOf(ctx context.Context, header nats.Header, data []byte) ([]byte, error) {
	object := header.Get(headerObject)
	if object == "" {
		return data, nil
	}
	value, err := c.values.GetBytes(ctx, object)
	if err != nil {
		return nil, fmt.Errorf("value %s: %w", object, err)
	}
	return value, nil
}

// drop removes the object that a message names. One that stays is removed by its age.
func (c *Conn) drop(ctx context.Context, header nats.Header) {
	if object := header.Get(headerObject); object != "" {
		_ = c.values.Delete(ctx, object)
	}
}

// isTaken reports whether a result was refused since there is one.
func isTaken(err error) bool {
	var e jetstream.JetStreamError
	if !errors.As(err, &e) || e.APIError() == nil {
		var api *jetstream.APIError
		if !errors.As(err, &api) {
			return false
		}
		return api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant
	}
	code := e.APIError().ErrorCode
	return code == jetstream.JSErrCodeStreamWrongLastSequence || code == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}
