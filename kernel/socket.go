package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// A socket is one of the five of a server: a ZeroMQ socket behind the guard.
type socket interface {
	start() error
	send(frames [][]byte) error
	recv() ([][]byte, error)
	connected(identity []byte) bool
	waitForRoom(done <-chan struct{})
	flushed() bool
	addr() net.Addr
	close()
}

var errManyFrames = fmt.Errorf("message: got more than %d frames", maxFrames)

type guardedSocket struct {
	z      zmq4.Socket
	l      *listener
	cancel context.CancelFunc
	mu     sync.Mutex // one writer
}

// openSocket binds a socket of type ROUTER or XPUB. Whoever connects waits
// until it starts.
func openSocket(network, addr, socketType string, events guardEvents) (socket, error) {
	l, err := listen(network, addr, socketType, events)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	// The package's own log says what the guard has logged better.
	options := []zmq4.Option{zmq4.WithLogger(log.New(io.Discard, "", 0)), zmq4.WithTimeout(time.Second)}
	var z zmq4.Socket
	if socketType == "XPUB" {
		z = zmq4.NewXPub(ctx, options...)
	} else {
		z = zmq4.NewRouter(ctx, options...)
	}
	return &guardedSocket{z: z, l: l, cancel: cancel}, nil
}

// start serves those who connect. Transports of the ZeroMQ package are known
// by name and for ever; a name of its own makes each guard the transport of
// one socket.
func (s *guardedSocket) start() error {
	name := "guard-" + newID()
	if err := zmq4.RegisterTransport(name, guard{s.l}); err != nil {
		return err
	}
	return s.z.Listen(name + "://" + s.l.socketType)
}

func (s *guardedSocket) send(frames [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.z.SendMulti(zmq4.NewMsgFrom(frames...))
}

// recv returns the next message, net.ErrClosed once the socket is closed.
func (s *guardedSocket) recv() ([][]byte, error) {
	m, err := s.z.Recv()
	if errors.Is(err, context.Canceled) {
		err = net.ErrClosed
	}
	return m.Frames, err
}

func (s *guardedSocket) connected(identity []byte) bool { return s.l.connected(identity) }

func (s *guardedSocket) addr() net.Addr { return s.l.Listener.Addr() }

// waitForRoom waits while a peer that still reads has very much to read. It
// polls: this is the path of a cell that prints tens of megabytes.
func (s *guardedSocket) waitForRoom(done <-chan struct{}) {
	for s.l.full() {
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// flushed reports whether nothing waits to be written. The ZeroMQ package has
// a queue of its own before ours, which cannot be seen, but is never idle: ask
// twice.
func (s *guardedSocket) flushed() bool { return s.l.flushed() }

func (s *guardedSocket) close() {
	s.cancel()
	s.z.Close()
	s.l.Close()
}

// drain waits until the sockets are flushed, at most for limit.
func drain(limit time.Duration, sockets []socket) {
	const pause = 5 * time.Millisecond
	quiet := 0
	for end := time.Now().Add(limit); quiet < 3 && time.Now().Before(end); {
		quiet++
		for _, s := range sockets {
			if !s.flushed() {
				quiet = 0
			}
		}
		time.Sleep(pause)
	}
}
