package kernel

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// This file reads and writes ZMTP 3.0, the wire format of ZeroMQ, as far as
// the guard needs it. It must be safe for any bytes.
//
//	greeting = FF 8*00 7F 03 00 mechanism[20] server[1] 31*00
//	frame    = flags size body     size is 1 byte, or 8 if flagLong
//	command  = frame with flagCommand, body = namelen name data
//	READY    = command whose data is *(keylen[1] key valuelen[4] value)

const (
	flagMore    = 1
	flagLong    = 2
	flagCommand = 4

	greetingSize = 64
	maxReady     = 1 << 12 // bytes of a READY command; real ones have 60
	maxIdentity  = 255
)

// greeting is what both sides send first.
func greeting() []byte {
	g := make([]byte, greetingSize)
	g[0], g[9], g[10] = 0xff, 0x7f, 3
	copy(g[12:32], "NULL")
	return g
}

func readGreeting(r io.Reader) error {
	var g [greetingSize]byte
	// The signature first: a peer of another protocol may never send 64 bytes.
	if _, err := io.ReadFull(r, g[:10]); err != nil {
		return fmt.Errorf("greeting: %w", err)
	}
	if g[0] != 0xff || g[9] != 0x7f {
		return fmt.Errorf("greeting: got % x, want ff ... 7f", g[:10])
	}
	if _, err := io.ReadFull(r, g[10:]); err != nil {
		return fmt.Errorf("greeting: %w", err)
	}
	if g[10] < 3 {
		return fmt.Errorf("greeting: got version %d, want 3", g[10])
	}
	if mechanism := string(bytes.TrimRight(g[12:32], "\x00")); mechanism != "NULL" {
		return fmt.Errorf("greeting: got mechanism %q, want NULL", mechanism)
	}
	return nil
}

// ready returns a READY command, as a frame.
func ready(socketType string, identity []byte) []byte {
	body := []byte("\x05READY")
	for _, p := range []struct {
		key   string
		value []byte
	}{{"Socket-Type", []byte(socketType)}, {"Identity", identity}} {
		body = append(append(body, byte(len(p.key))), p.key...)
		body = binary.BigEndian.AppendUint32(body, uint32(len(p.value)))
		body = append(body, p.value...)
	}
	return append(appendHeader(nil, flagCommand, len(body)), body...)
}

// parseReady reads the body of a READY command.
func parseReady(body []byte) (socketType string, identity []byte, err error) {
	rest, ok := bytes.CutPrefix(body, []byte("\x05READY"))
	if !ok {
		return "", nil, fmt.Errorf("handshake: got %s, want READY", excerpt(body))
	}
	for len(rest) > 0 {
		key, after, ok := cut(rest, 1)
		if !ok {
			return "", nil, fmt.Errorf("handshake: READY ends in a name")
		}
		value, after, ok := cut(after, 4)
		if !ok {
			return "", nil, fmt.Errorf("handshake: READY ends in the value of %q", key)
		}
		rest = after
		switch {
		case bytes.EqualFold(key, []byte("Socket-Type")):
			socketType = string(value)
		case bytes.EqualFold(key, []byte("Identity")):
			identity = value
		}
	}
	if len(identity) > maxIdentity {
		return "", nil, fmt.Errorf("handshake: got an identity of %d bytes, want at most %d", len(identity), maxIdentity)
	}
	return socketType, identity, nil
}

// cut splits b after a text that follows its own length in n bytes.
func cut(b []byte, n int) (text, rest []byte, ok bool) {
	if len(b) < n {
		return nil, nil, false
	}
	var size uint64
	for _, c := range b[:n] {
		size = size<<8 | uint64(c)
	}
	b = b[n:]
	if size > uint64(len(b)) {
		return nil, nil, false
	}
	return b[:size], b[size:], true
}

// appendHeader appends the header of a frame.
func appendHeader(dst []byte, flags byte, size int) []byte {
	if size <= 255 {
		return append(dst, flags&^flagLong, byte(size))
	}
	return binary.BigEndian.AppendUint64(append(dst, flags|flagLong), uint64(size))
}

// readFrame reads one frame of at most limit bytes. Memory grows with what
// arrives, not with what the header promises.
func readFrame(r *bufio.Reader, limit int) (flags byte, body []byte, err error) {
	var h [9]byte
	if _, err := io.ReadFull(r, h[:2]); err != nil {
		return 0, nil, err
	}
	flags = h[0]
	if flags&^(flagMore|flagLong|flagCommand) != 0 || flags&flagCommand != 0 && flags&flagMore != 0 {
		return 0, nil, fmt.Errorf("frame: got flags %#x", flags)
	}
	size := uint64(h[1])
	if flags&flagLong != 0 {
		if _, err := io.ReadFull(r, h[2:]); err != nil {
			return 0, nil, err
		}
		size = binary.BigEndian.Uint64(h[1:])
	}
	if size > uint64(limit) {
		return 0, nil, fmt.Errorf("frame: got %d bytes, want at most %d", size, limit)
	}
	const trusted = 1 << 16
	if size <= trusted {
		body = make([]byte, size)
		_, err = io.ReadFull(r, body)
		return flags, body, err
	}
	var buf bytes.Buffer
	buf.Grow(trusted)
	_, err = io.CopyN(&buf, r, int64(size))
	return flags, buf.Bytes(), err
}

// pong answers the body of a PING command, nil if it is another command. The
// data are a time-out of 2 bytes, which we ignore, and a text to send back.
func pong(body []byte) []byte {
	data, ok := bytes.CutPrefix(body, []byte("\x04PING"))
	if !ok || len(data) < 2 || len(data) > 2+16 {
		return nil
	}
	answer := append([]byte("\x04PONG"), data[2:]...)
	return append(appendHeader(nil, flagCommand, len(answer)), answer...)
}
