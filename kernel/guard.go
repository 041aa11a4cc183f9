package kernel

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4/transport"
)

// The guard stands between the network and the ZeroMQ package, which trusts
// its peers: it allocates what a frame header promises, panics on a READY cut
// short, shakes hands one peer at a time without a deadline, and writes to all
// subscribers in turn without one. So the guard
//
//   - shakes hands itself, many peers at a time, within handshakeTime, and
//     plays the ZeroMQ package a canonical handshake in place of the real one;
//   - hands on only frames within bounds, and no commands;
//   - queues what is written, one queue and one writer for each peer, and sends
//     a message with one system call (see peer.go);
//   - sees subscriptions arrive, which the package keeps to itself.
//
// A guard is a transport of the package, one for each socket, so that it can
// hold what belongs to the socket.
//
// Wrong ways: a timeout on accepted connections alone still leaves the panics;
// wrapping each send in a time-out loses the order of messages.

// Limits of the guard.
const (
	handshakeTime = 10 * time.Second
	maxHandshakes = 128     // at a time: one more ends the oldest
	maxMessage    = 1 << 28 // bytes of a message from a peer
	maxFrames     = 1 << 12 // frames of a message from a peer
	maxTopic      = 1 << 10 // bytes of a subscription
)

// compatible lists the socket types that may connect to ours.
var compatible = map[string][]string{
	"ROUTER": {"DEALER", "REQ", "ROUTER"},
	"XPUB":   {"SUB", "XSUB"},
}

// guardEvents are called by the peers of a listener; each may be nil.
type guardEvents struct {
	accepted   func(*peer)         // a connection, before its handshake
	subscribed func(*peer, string) // the ZeroMQ package knows the subscription
	closed     func(*peer)         // the connection is gone
	warn       func(key, msg string, args ...any)
}

// A listener is a bound address whose connections are peers that have shaken
// hands. It is a net.Listener for the ZeroMQ package.
type listener struct {
	net.Listener
	socketType string
	events     guardEvents
	limits     peerLimits
	shaken     chan *peer
	socket     context.Context // done when the socket is closed
	done       chan struct{}   // closed when the listener is
	once       sync.Once       // closes it

	mu      sync.Mutex
	peers   map[*peer]struct{}
	shaking []*peer // those whose handshake is under way, the oldest first
}

// listen binds an address for a socket of the given type.
func listen(network, addr, socketType string, events guardEvents) (*listener, error) {
	raw, err := bind(network, addr)
	if err != nil {
		return nil, err
	}
	l := &listener{
		Listener:   raw,
		socketType: socketType,
		events:     events,
		limits:     defaultPeerLimits,
		shaken:     make(chan *peer),
		done:       make(chan struct{}),
		peers:      map[*peer]struct{}{},
	}
	return l, nil
}

// bind listens. The file of a Unix socket outlives a process that was killed:
// if nobody answers there it is removed.
func bind(network, addr string) (net.Listener, error) {
	l, err := net.Listen(network, addr)
	if network != "unix" {
		return l, err
	}
	if err != nil {
		info, statErr := os.Stat(addr)
		if statErr != nil || info.Mode()&os.ModeSocket == 0 {
			return nil, err
		}
		if c, dialErr := net.Dial(network, addr); dialErr == nil {
			c.Close()
			return nil, err
		}
		if os.Remove(addr) != nil {
			return nil, err
		}
		if l, err = net.Listen(network, addr); err != nil {
			return nil, err
		}
	}
	if err := os.Chmod(addr, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// serve accepts connections until the listener closes.
func (l *listener) serve() {
	defer l.recovered("accept")
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			select {
			case <-l.done:
				return
			case <-time.After(50 * time.Millisecond): // e.g. out of descriptors
			}
			continue
		}
		p := newPeer(l, c)
		if l.events.accepted != nil {
			l.events.accepted(p)
		}
		if oldest := l.admit(p); oldest != nil {
			l.warn("crowd", "too many connections that do not speak: the oldest was closed")
			oldest.Close()
		}
		go l.welcome(p)
	}
}

// admit adds a connection, and returns the one that has to make room for it,
// or nil. A client shakes hands in milliseconds, so the oldest handshake is
// one that will come to nothing; were the newest refused, connections that
// never speak would keep clients out until their time is up.
func (l *listener) admit(p *peer) (oldest *peer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.peers[p] = struct{}{}
	if l.shaking = append(l.shaking, p); len(l.shaking) > maxHandshakes {
		oldest = l.shaking[0]
		l.shaking = slices.Delete(l.shaking, 0, 1)
	}
	return oldest
}

// shook notes that a handshake is over; l.mu is held.
func (l *listener) shook(p *peer) {
	if i := slices.Index(l.shaking, p); i >= 0 {
		l.shaking = slices.Delete(l.shaking, i, i+1)
	}
}

// welcome shakes hands with one connection.
func (l *listener) welcome(p *peer) {
	defer l.recovered("handshake")
	err := l.handshake(p)
	l.mu.Lock()
	l.shook(p)
	l.mu.Unlock()
	if err != nil {
		l.warn("handshake", "connection refused", "error", err)
		p.Close()
		return
	}
	go p.writeLoop()
	select {
	case l.shaken <- p:
	case <-l.done:
		p.Close()
	}
}

func (l *listener) handshake(p *peer) error {
	deadline := time.Now().Add(handshakeTime)
	if err := p.Conn.SetDeadline(deadline); err != nil {
		return err
	}
	if _, err := p.Conn.Write(greeting()); err != nil {
		return err
	}
	if err := readGreeting(p.in); err != nil {
		return err
	}
	if _, err := p.Conn.Write(ready(l.socketType, nil)); err != nil {
		return err
	}
	flags, body, err := readFrame(p.in, maxReady)
	if err != nil {
		return fmt.Errorf("handshake: %w", err)
	}
	if flags&flagCommand == 0 {
		return errors.New("handshake: got a message, want READY")
	}
	socketType, identity, err := parseReady(body)
	if err != nil {
		return err
	}
	if !slices.Contains(compatible[l.socketType], socketType) {
		return fmt.Errorf("handshake: got a %.20q, want one of %v", socketType, compatible[l.socketType])
	}
	p.identity = string(identity)
	p.unread = append(greeting(), ready(socketType, identity)...)
	return p.Conn.SetDeadline(time.Time{})
}

// Accept returns the next peer that has shaken hands. After Close it fails,
// but not before the socket is closed too: the ZeroMQ package calls it again
// at once.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case p := <-l.shaken:
		return p, nil
	case <-l.done:
		<-l.socket.Done()
		return nil, net.ErrClosed
	}
}

// Close closes the listener and its peers.
func (l *listener) Close() error {
	var err error
	l.once.Do(func() {
		close(l.done)
		err = l.Listener.Close()
		for _, p := range l.all() {
			p.Close()
		}
	})
	return err
}

func (l *listener) all() []*peer {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]*peer, 0, len(l.peers))
	for p := range l.peers {
		all = append(all, p)
	}
	return all
}

// drop forgets a closed peer.
func (l *listener) drop(p *peer) {
	l.mu.Lock()
	delete(l.peers, p)
	l.shook(p)
	l.mu.Unlock()
	if l.events.closed != nil {
		l.events.closed(p)
	}
}

// connected reports whether a message to identity would reach a peer.
func (l *listener) connected(identity []byte) bool {
	for _, p := range l.all() {
		if p.adopted.Load() && p.identity == string(identity) {
			return true
		}
	}
	return false
}

// full reports whether a peer has more to read than it should, and flushed
// whether all have nothing left.
func (l *listener) full() bool {
	return slices.ContainsFunc(l.all(), func(p *peer) bool { return p.backlog() > l.limits.high })
}

func (l *listener) flushed() bool {
	return !slices.ContainsFunc(l.all(), func(p *peer) bool { return p.backlog() > 0 })
}

func (l *listener) warn(key, msg string, args ...any) {
	if l.events.warn != nil {
		l.events.warn(key, msg, args...)
	}
}

func (l *listener) recovered(where string) {
	if p := recover(); p != nil {
		l.warn("panic", "internal error", "where", where, "panic", p, "stack", stack())
	}
}

// guard is a transport of the ZeroMQ package that has one address.
type guard struct{ l *listener }

func (g guard) Listen(ctx context.Context, _ string) (net.Listener, error) {
	g.l.socket = ctx
	go g.l.serve()
	return g.l, nil
}

func (guard) Dial(context.Context, transport.Dialer, string) (net.Conn, error) {
	return nil, errors.New("guard: a server does not dial")
}

func (guard) Addr(endpoint string) (string, error) { return endpoint, nil }

var (
	_ transport.Transport = guard{}
	_ net.Listener        = (*listener)(nil)
)
