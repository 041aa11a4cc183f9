package kernel

import (
	"fmt"
	"time"
)

// A request says how one message type is served.
type request struct {
	on        channel
	reply     string                                          // its type, "" if there is none
	serve     func(*Server, *Message) (map[string]any, error) // the content of the reply
	then      func(*Server)                                   // after the final idle; nil: nothing
	meanwhile bool                                            // also while a cell runs
}

// channel is a set of the sockets that take requests.
type channel int

const (
	onShell channel = 1 << iota
	onControl
)

// requests is every message that is served, by its type.
var requests = map[string]request{
	"kernel_info_request": {onShell | onControl, "kernel_info_reply", (*Server).kernelInfo, nil, true},
	"connect_request":     {onShell | onControl, "connect_reply", (*Server).connectInfo, nil, true},
	"execute_request":     {onShell, "execute_reply", (*Server).execute, nil, false},
	"complete_request":    {onShell, "complete_reply", (*Server).complete, nil, true},
	"inspect_request":     {onShell, "inspect_reply", (*Server).inspect, nil, true},
	"is_complete_request": {onShell, "is_complete_reply", (*Server).isComplete, nil, true},
	"history_request":     {onShell, "history_reply", (*Server).readHistory, nil, true},
	"comm_info_request":   {onShell | onControl, "comm_info_reply", (*Server).commInfo, nil, true},
	"comm_open":           {onShell, "", (*Server).commOpen, nil, true},
	"comm_msg":            {onShell, "", (*Server).commIgnore, nil, true},
	"comm_close":          {onShell, "", (*Server).commIgnore, nil, true},
	"usage_request":       {onShell | onControl, "usage_reply", (*Server).usage, nil, true},
	"interrupt_request":   {onControl, "interrupt_reply", (*Server).interruptRequest, nil, false},
	"shutdown_request":    {onShell | onControl, "shutdown_reply", (*Server).shutdownRequest, (*Server).stop, false},
}

// readShell moves requests to the queues.
func (s *Server) readShell() {
	for {
		m, ok := s.receive("shell", s.shell)
		if !ok {
			return
		}
		s.clients.arrived(m, time.Now())
		if requests[m.Header.Type].meanwhile && s.running() {
			s.aside.put(m)
		} else {
			s.queue.put(m)
		}
	}
}

// work serves what comes one after the other.
func (s *Server) work() { s.serveQueue(s.queue, func() {}) }

// workAside serves what comes while a cell runs. Front ends show what they were told last: that the
// cell runs.
func (s *Server) workAside() {
	s.serveQueue(s.aside, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.cell != nil {
			s.status(s.cell, "busy")
		}
	})
}

// serveQueue serves a queue, one request at a time.
func (s *Server) serveQueue(q *queue, then func()) {
	for {
		m, ok := q.take()
		if !ok {
			return
		}
		if len(m.Idents) > 0 {
			s.gate.wait(string(m.Idents[0]))
		}
		s.dispatch(onShell, s.shell, m)
		then()
	}
}

func (s *Server) readControl() {
	for {
		m, ok := s.receive("control", s.control)
		if !ok {
			return
		}
		s.dispatch(onControl, s.control, m)
	}
}

// dispatch serves a request between its busy and its idle. The reply goes to
// the socket the request came from; idle is the last that is said of it.
func (s *Server) dispatch(on channel, from socket, m *Message) {
	r := requests[m.Header.Type]
	s.status(m, "busy")
	if r.on&on == 0 {
		s.rare.warn("request", "request not served", "type", m.Header.Type)
	} else {
		content, err := s.serve(r, m)
		if err != nil {
			content = ErrorContent(err)
		} else if content != nil && content["status"] == nil {
			content["status"] = "ok"
		}
		if r.reply != "" {
			s.send(from, m.Idents, reply{r.reply, m.header, content})
			if r.then != nil {
				s.publish(m, r.reply, content) // all clients learn of a shutdown
			}
		}
	}
	s.status(m, "idle")
	if r.then != nil && r.on&on != 0 {
		r.then(s)
	}
}

// serve turns a panic into the error of the request.
func (s *Server) serve(r request, m *Message) (content map[string]any, err error) {
	defer s.recovered(m.Header.Type, &err)
	return r.serve(s, m)
}

// recovered, deferred, turns a panic into an error.
func (s *Server) recovered(where string, err *error) {
	if p := recover(); p != nil {
		s.rare.warn("panic", "internal error", "where", where, "panic", p, "stack", stack())
		*err = internalError{p}
	}
}

// internalError is what the user sees of a panic.
type internalError struct{ panic any }

func (e internalError) Error() string {
	return fmt.Sprintf("internal error: %v (a bug in the kernel, not in your code: please report it)", e.panic)
}

func (internalError) Name() string { return "InternalError" }

func (s *Server) status(m *Message, state string) {
	s.publish(m, "status", map[string]any{"execution_state": state})
}

// welcome tells a subscriber that its subscription is known.
func (s *Server) welcome(topic string) {
	s.send(s.iopub, [][]byte{[]byte(topic)}, reply{
		msgType: "iopub_welcome",
		content: map[string]any{"subscription": topic},
	})
}
