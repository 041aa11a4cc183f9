package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

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
	return hash, again(ctx, func() error {
		if _, err := c.programs.GetInfo(ctx, hash); err == nil {
			return nil
		}
		return put(ctx, c.programs, hash, program)
	})
}

// slowest is how many bytes a second a value travels at least; one that is slower is sent again.
const slowest = 1 << 20

// put stores an object.
func put(ctx context.Context, s jetstream.ObjectStore, name string, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second+time.Duration(len(data))*time.Second/slowest)
	defer cancel()
	if _, err := s.PutBytes(ctx, name, data); err != nil {
		return fmt.Errorf("%d bytes: %w", len(data), err)
	}
	return nil
}

// get reads an object.
func get(ctx context.Context, s jetstream.ObjectStore, name string) (data []byte, err error) {
	err = again(ctx, func() error {
		info, err := s.GetInfo(ctx, name)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, 15*time.Second+time.Duration(info.Size)*time.Second/slowest)
		defer cancel()
		data, err = s.GetBytes(ctx, name)
		return err
	})
	return data, err
}

// again does what asks the hub until it has an answer: connections break.
func again(ctx context.Context, do func() error) error {
	for {
		err := do()
		if err == nil || ctx.Err() != nil || !passes(err) {
			return err
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return err
		}
	}
}

// passes reports whether an error is of the connection, which will be there again.
func passes(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.Code == 503
	}
	for _, lasting := range []error{nats.ErrConnectionClosed, nats.ErrMaxPayload, nats.ErrAuthorization, jetstream.ErrObjectNotFound, jetstream.ErrKeyNotFound, jetstream.ErrStreamNotFound,
		jetstream.ErrBucketNotFound} {
		if errors.Is(err, lasting) {
			return false
		}
	}
	return true
}

// Program reads a program by its hash. One whose content has another hash is an error.
func (c *Conn) Program(ctx context.Context, hash string) ([]byte, error) {
	program, err := get(ctx, c.programs, hash)
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
	if err := again(ctx, func() error { return put(ctx, c.values, object, value) }); err != nil {
		return fmt.Errorf("value: %w", err)
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
	value, err := get(ctx, c.values, object)
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
