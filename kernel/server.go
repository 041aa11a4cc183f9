package kernel

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A HelpLink is an entry of the front end's menu Help.
type HelpLink struct{ Text, URL string }

// Options are what a server says of itself, and where it logs.
type Options struct {
	Implementation string                // e.g. "arignote"
	Version        string                // of the implementation
	Banner         string                // shown by console clients
	LanguageInfo   map[string]any        // language_info of kernel_info_reply
	HelpLinks      []HelpLink            // of the front end's menu Help
	Usage          func() map[string]any // of a usage_reply, as ipykernel's; nil: empty

	Log           *slog.Logger     // nil: nothing is logged
	Now           func() time.Time // dates of messages; nil: time.Now
	IgnoreSignals bool             // leave SIGINT and SIGTERM to the program

	// StopOnErrorTimeout is for how long after its client's last cell the error
	// of a cell is held back, so that cells on their way are aborted with it.
	StopOnErrorTimeout time.Duration
}

// A Server serves one interpreter to the clients of one connection.
//
// Its goroutines: one reads shell into queues, so that an interrupt sees what
// waits there; one takes requests from the first queue and runs them; one takes
// from the other what can be answered while a cell runs; one reads and answers
// control; one reads stdin; one echoes the heartbeat.
type Server struct {
	conn    Connection
	interp  Interpreter
	opts    Options
	signer  *signer
	session string // ours, not a client's: a new one tells of a restart
	log     *slog.Logger
	rare    rareLog

	shell, control, stdin, iopub, heartbeat socket

	gate     *joinGate
	queue    *queue
	aside    *queue // of requests that need not wait for the cell that runs
	clients  clients
	history  history
	answers  answers
	count    atomic.Int64 // of the last cell that was stored
	messages atomic.Int64 // sent

	mu           sync.Mutex
	cell         *Message                // the execute_request that runs, nil if none
	cancel       context.CancelCauseFunc // ends it
	abortThrough uint64                  // requests up to here in the queue are aborted

	stopped  chan struct{} // a shutdown_request was answered
	stopOnce sync.Once
}

// Causes of a cancelled context.
var (
	errInterrupted = errors.New("execution interrupted")
	errStopped     = errors.New("the kernel is shutting down")
)

// NewServer binds the five sockets: clients may connect, and wait until Run
// serves them. A port 0 is replaced by one that is free: see
// [Server.Connection].
func NewServer(conn *Connection, interp Interpreter, opts Options) (*Server, error) {
	if err := conn.check(); err != nil {
		return nil, fmt.Errorf("connection: %w", err)
	}
	sign, err := newSigner(conn.SignatureScheme, conn.Key)
	if err != nil {
		return nil, err
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	s := &Server{
		conn:    *conn,
		interp:  interp,
		opts:    opts,
		signer:  sign,
		session: newID(),
		log:     opts.Log,
		gate:    newJoinGate(),
		queue:   newQueue(),
		aside:   newQueue(),
		stopped: make(chan struct{}),
	}
	s.rare.log = opts.Log
	if err := s.bind(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *Server) bind() error {
	plain := guardEvents{warn: s.rare.warn}
	iopub := guardEvents{
		warn:     s.rare.warn,
		accepted: s.gate.accepted,
		closed:   s.gate.closed,
		subscribed: func(p *peer, topic string) {
			s.welcome(topic)
			s.gate.subscribed(p)
		},
	}
	for _, b := range []struct {
		name   string
		socket *socket
		port   *int
		kind   string
		events guardEvents
	}{
		{"iopub", &s.iopub, &s.conn.IOPubPort, "XPUB", iopub},
		{"shell", &s.shell, &s.conn.ShellPort, "ROUTER", plain},
		{"control", &s.control, &s.conn.ControlPort, "ROUTER", plain},
		{"stdin", &s.stdin, &s.conn.StdinPort, "ROUTER", plain},
		{"heartbeat", &s.heartbeat, &s.conn.HBPort, "ROUTER", plain},
	} {
		network, addr := s.conn.address(*b.port)
		var err error
		if *b.socket, err = openSocket(network, addr, b.kind, b.events); err != nil {
			*b.socket = nil
			return fmt.Errorf("%s socket: %w", b.name, err)
		}
		if a, ok := (*b.socket).addr().(*net.TCPAddr); ok {
			*b.port = a.Port
		}
	}
	return nil
}

// Connection returns the connection with the ports that are bound.
func (s *Server) Connection() Connection { return s.conn }

// Run serves until a client asks for a shutdown, the process is told to
// terminate, or the parent process that jupyter named has died, and then
// returns nil; or until ctx is cancelled, and then returns its error. The
// interpreter may still be running when Run returns, if it ignores its context.
func (s *Server) Run(ctx context.Context) error {
	defer s.close()
	interrupts, terminate := make(chan os.Signal, 1), make(chan os.Signal, 1)
	if !s.opts.IgnoreSignals {
		signal.Notify(interrupts, os.Interrupt)
		signal.Notify(terminate, syscall.SIGTERM)
		defer signal.Stop(interrupts)
		defer signal.Stop(terminate)
	}
	for _, sock := range s.sockets() {
		if err := sock.start(); err != nil {
			return err
		}
	}
	s.send(s.iopub, s.topic("status"), reply{msgType: "status", content: map[string]any{"execution_state": "starting"}})

	s.start("heartbeat", s.echo)
	s.start("control", s.readControl)
	s.start("stdin", s.readStdin)
	s.start("shell", s.readShell)
	s.start("aside", s.workAside)
	worker := s.start("worker", s.work)
	orphaned := make(chan struct{})
	if watch := parentWatch(); watch != nil {
		s.start("parent", func() { watch(orphaned, s.stopped) })
	}

	var err error
serving:
	for {
		select {
		case <-interrupts:
			s.interrupt(errInterrupted)
		case <-terminate:
			s.log.Info("terminated by a signal")
			break serving
		case <-orphaned:
			s.log.Info("the parent process has died")
			break serving
		case <-ctx.Done():
			err = ctx.Err()
			break serving
		case <-s.stopped:
			break serving
		}
	}
	s.interrupt(errStopped)
	s.stop()
	s.queue.close()
	s.aside.close()
	select {
	case <-worker:
	case <-time.After(300 * time.Millisecond):
		s.log.Warn("the running cell does not stop: leaving it")
	}
	drain(time.Second, s.sockets())
	return err
}

// start runs f in a goroutine, and again if it panics: a server must not lose
// a channel. What it returns is closed when f has ended by itself.
func (s *Server) start(name string, f func()) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for s.guarded(name, f) {
		}
	}()
	return ended
}

// guarded runs f and reports whether it panicked.
func (s *Server) guarded(name string, f func()) (panicked bool) {
	defer func() {
		if p := recover(); p != nil {
			panicked = true
			s.rare.warn("panic", "internal error", "where", name, "panic", p, "stack", stack())
		}
	}()
	f()
	return false
}

// stop makes Run return.
func (s *Server) stop() { s.stopOnce.Do(func() { close(s.stopped) }) }

func (s *Server) close() {
	for _, sock := range s.sockets() {
		if sock != nil { // binding has failed
			sock.close()
		}
	}
}

// sockets returns the five, iopub first: the earlier it serves, the fewer
// clients wait at the gate.
func (s *Server) sockets() []socket {
	return []socket{s.iopub, s.shell, s.control, s.stdin, s.heartbeat}
}

// echo answers the heartbeat. No error ends it but the end of the socket.
func (s *Server) echo() {
	for {
		frames, err := s.heartbeat.recv()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			err = s.heartbeat.send(frames)
		}
		if err != nil {
			s.rare.warn("heartbeat", "heartbeat failed", "error", err)
		}
	}
}

// receive reads the next good message of a socket; bad ones are dropped.
func (s *Server) receive(channel string, sock socket) (*Message, bool) {
	for {
		frames, err := sock.recv()
		if errors.Is(err, net.ErrClosed) {
			return nil, false
		}
		var m *Message
		if err == nil {
			m, err = parseMessage(frames, s.signer)
		}
		if err == nil {
			return m, true
		}
		s.rare.warn(channel, "message dropped", "channel", channel, "error", err)
	}
}

// send signs and sends. Its failure is logged and otherwise ignored: the peer
// that should have had the message is gone.
func (s *Server) send(to socket, route [][]byte, r reply) (id string) {
	id, frames, err := s.frames(route, r)
	if err == nil {
		err = to.send(frames)
	}
	if err != nil {
		s.rare.warn("send", "message not sent", "type", r.msgType, "error", err)
	}
	return id
}

// publish sends a message about parent to all subscribers.
func (s *Server) publish(parent *Message, msgType string, content map[string]any) {
	r := reply{msgType: msgType, content: content}
	if parent != nil {
		r.parent = parent.header
	}
	topic := s.topic(msgType)
	if name, ok := content["name"].(string); ok && msgType == "stream" {
		topic = [][]byte{[]byte("stream." + name)}
	}
	s.send(s.iopub, topic, r)
}

func (s *Server) topic(msgType string) [][]byte {
	return [][]byte{[]byte("kernel." + s.session + "." + msgType)}
}

// newID returns a random identifier in the form of a UUID.
func newID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func stack() string { return string(debug.Stack()) }
