package kernel

import (
	"context"
	"errors"
	"os"
	"strconv"
	"syscall"
	"time"
)

// begin makes a request the one that an interrupt stops; ok is false if the
// request was aborted while it waited.
func (s *Server) begin(m *Message) (ctx context.Context, ok bool) {
	ctx, cancel := context.WithCancelCause(context.Background())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cell, s.cancel = m, cancel
	return ctx, m.seq > s.abortThrough && !s.clients.aborts(m)
}

func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel(nil) // frees the context
	s.cell, s.cancel = nil, nil
}

// running is whether a cell runs.
func (s *Server) running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cell != nil
}

// interrupt stops the cell that runs and aborts those that wait. When nothing
// runs it does nothing.
func (s *Server) interrupt(cause error) {
	newest := s.queue.newest()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.abortThrough = newest
	if s.cancel != nil {
		s.cancel(cause)
	}
	if again, ok := s.interp.(Interrupter); ok {
		again.Interrupt()
	}
}

func (s *Server) interruptRequest(*Message) (map[string]any, error) {
	s.interrupt(errInterrupted)
	return map[string]any{}, nil
}

// shutdownRequest only answers; what stops the server comes after the reply
// and the idle.
func (s *Server) shutdownRequest(m *Message) (map[string]any, error) {
	var req struct {
		Restart bool `json:"restart"`
	}
	if err := m.decode(&req); err != nil {
		return nil, err
	}
	return map[string]any{"restart": req.Restart}, nil
}

// parentWatch returns a function that closes gone when the process that
// started us has died, or nil if jupyter has not asked for that. A server
// without a client would run for ever.
func parentWatch() func(gone chan<- struct{}, done <-chan struct{}) {
	pid, err := strconv.Atoi(os.Getenv("JPY_PARENT_PID"))
	if err != nil || pid <= 1 || os.PathSeparator == '\\' { // Windows has a handle there
		return nil
	}
	alive := func() bool { return running(pid) }
	if pid == os.Getppid() {
		alive = func() bool { return os.Getppid() == pid } // also if pid is used again
	} else if !running(pid) {
		return nil // a number from outside this container
	}
	return func(gone chan<- struct{}, done <-chan struct{}) { watchParent(alive, time.Second, gone, done) }
}

func watchParent(alive func() bool, every time.Duration, gone chan<- struct{}, done <-chan struct{}) {
	for alive() {
		select {
		case <-done:
			return
		case <-time.After(every):
		}
	}
	close(gone)
}

func running(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
