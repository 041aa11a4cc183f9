package kernel

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// peerLimits bound what waits for one peer. Beyond high the peer must make
// progress within stall, and whoever produces output waits (see
// socket.waitForRoom); a peer that is beyond most when more comes is cut off.
type peerLimits struct {
	high, most int
	stall      time.Duration
}

var defaultPeerLimits = peerLimits{high: 64 << 20, most: 256 << 20, stall: 5 * time.Second}

// A peer is one connection that has shaken hands: a net.Conn for the ZeroMQ
// package. The package reads from one goroutine and writes from any, one at a
// time; a write never blocks.
type peer struct {
	net.Conn
	l        *listener
	identity string
	adopted  atomic.Bool // the ZeroMQ package sends to it

	// Reading.
	in     *bufio.Reader
	unread []byte // to be read before body
	body   []byte
	frames int     // of the message so far
	bytes  int     // of the message so far
	skip   bool    // the rest of the message is not for the package
	topic  *string // the subscription read last, until the package has it

	// Writing.
	mu      sync.Mutex
	wake    *sync.Cond
	out     outbound
	queue   net.Buffers
	queued  int  // bytes in queue or being written
	limited bool // a write deadline is set
	closed  bool
}

func newPeer(l *listener, c net.Conn) *peer {
	p := &peer{Conn: c, l: l, in: bufio.NewReader(c), out: outbound{greeting: greetingSize}}
	p.wake = sync.NewCond(&p.mu)
	return p
}

// Read gives the ZeroMQ package whole frames. Every error is io.EOF, the one
// on which the package forgets a connection. It is called from goroutines of
// the package, where a panic would end the process.
func (p *peer) Read(dst []byte) (n int, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			p.l.warn("panic", "internal error", "where", "read", "panic", bug, "stack", stack())
			p.Close()
			n, err = 0, io.EOF
		}
	}()
	for len(p.unread) == 0 {
		if len(p.body) > 0 {
			p.unread, p.body = p.body, nil
			break
		}
		if err := p.next(); err != nil {
			if broken := net.Error(nil); err != io.EOF && !errors.As(err, &broken) {
				p.l.warn("frame", "connection closed", "error", err)
			}
			p.Close()
			return 0, io.EOF
		}
	}
	n = copy(dst, p.unread)
	p.unread = p.unread[n:]
	return n, nil
}

// next reads a frame from the network. That the package asks for it means
// that it has dealt with the one before.
func (p *peer) next() error {
	p.adopted.Store(true)
	if p.topic != nil {
		if p.l.events.subscribed != nil {
			p.l.events.subscribed(p, *p.topic)
		}
		p.topic = nil
	}
	for {
		flags, body, err := readFrame(p.in, maxMessage-p.bytes)
		if err != nil {
			return err
		}
		if flags&flagCommand != 0 {
			p.command(body)
			continue
		}
		first, last := p.frames == 0, flags&flagMore == 0
		p.frames++
		p.bytes += len(body)
		if p.frames > maxFrames {
			return errManyFrames
		}
		if first && p.l.socketType == "XPUB" {
			p.skip = !last || !isSubscription(body)
			if !p.skip && body[0] == 1 {
				topic := string(body[1:])
				p.topic = &topic
			}
		}
		skip := p.skip
		if last {
			p.frames, p.bytes, p.skip = 0, 0, false
		}
		if !skip {
			p.unread, p.body = appendHeader(nil, flags, len(body)), body
			return nil
		}
	}
}

// isSubscription reports whether a message to a publisher is what it may be.
func isSubscription(body []byte) bool {
	return len(body) > 0 && body[0] <= 1 && len(body) <= 1+maxTopic
}

// command answers a PING; other commands mean nothing to us.
func (p *peer) command(body []byte) {
	answer := pong(body)
	if answer == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	// A peer that pings and does not read must not fill the memory.
	if !p.closed && p.queued < p.l.limits.high {
		p.push(answer)
	}
}

// Write queues. The package writes a message in pieces; they are sent when the
// message is whole.
func (p *peer) Write(b []byte) (int, error) {
	defer p.l.recovered("queue")
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, net.ErrClosed
	}
	if p.queued > p.l.limits.most {
		p.l.warn("cut", "a client that does not read was cut off", "bytes", p.queued)
		p.shut()
		return 0, net.ErrClosed
	}
	for _, piece := range p.out.write(b) {
		p.push(piece)
	}
	return len(b), nil
}

// push queues a piece; p.mu is held.
func (p *peer) push(piece []byte) {
	p.queue = append(p.queue, piece)
	p.queued += len(piece)
	p.limit()
	p.wake.Signal()
}

// limit gives a peer with much to read a time for its next step, and lifts it
// when the peer has caught up; p.mu is held.
func (p *peer) limit() {
	switch over := p.queued > p.l.limits.high; {
	case over && !p.limited:
		p.Conn.SetWriteDeadline(time.Now().Add(p.l.limits.stall))
		p.limited = true
	case !over && p.limited:
		p.Conn.SetWriteDeadline(time.Time{})
		p.limited = false
	}
}

// writeLoop sends what is queued, a megabyte at a time so that progress shows.
func (p *peer) writeLoop() {
	defer p.l.recovered("write")
	defer p.Close()
	for {
		p.mu.Lock()
		for len(p.queue) == 0 && !p.closed {
			p.wake.Wait()
		}
		if p.closed {
			p.mu.Unlock()
			return
		}
		step, size := p.take(1 << 20)
		p.mu.Unlock()

		if _, err := step.WriteTo(p.Conn); err != nil {
			if ne, ok := err.(net.Error); ok && ne.Timeout() {
				p.l.warn("cut", "a client that does not read was cut off", "bytes", p.backlog())
			}
			return
		}

		p.mu.Lock()
		p.queued -= size
		p.limited = p.limited && p.queued <= p.l.limits.high // progress: a new deadline
		p.limit()
		p.mu.Unlock()
	}
}

// take removes about limit bytes from the queue; p.mu is held.
func (p *peer) take(limit int) (step net.Buffers, size int) {
	for len(p.queue) > 0 && size < limit {
		piece := p.queue[0]
		if rest := limit - size; len(piece) > rest {
			piece, p.queue[0] = piece[:rest], piece[rest:]
		} else {
			p.queue[0] = nil
			p.queue = p.queue[1:]
		}
		step = append(step, piece)
		size += len(piece)
	}
	return step, size
}

func (p *peer) backlog() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.queued
}

// Close closes the connection, at once.
func (p *peer) Close() error {
	p.mu.Lock()
	p.shut()
	p.mu.Unlock()
	p.l.drop(p)
	return nil
}

// shut closes the connection and forgets the queue; p.mu is held.
func (p *peer) shut() {
	if p.closed {
		return
	}
	p.closed = true
	p.queue, p.queued = nil, 0
	p.wake.Broadcast()
	p.Conn.Close()
}

// outbound follows the frames that the ZeroMQ package writes, swallows the
// handshake, which the guard has held already, and joins the pieces of a
// message.
type outbound struct {
	greeting int // bytes of the greeting still to come
	header   []byte
	flags    byte
	left     uint64 // bytes of the body still to come
	inBody   bool
	small    []byte   // pieces joined
	pieces   [][]byte // before small
}

// write returns the pieces of the message that b completes, if it does. Large
// pieces are kept, not copied: nobody changes a frame once it is sent.
func (o *outbound) write(b []byte) (whole [][]byte) {
	for {
		if n := min(o.greeting, len(b)); n > 0 {
			o.greeting -= n
			b = b[n:]
		}
		if !o.inBody {
			need := 2
			if len(o.header) > 0 && o.header[0]&flagLong != 0 {
				need = 9
			}
			if len(o.header) < need {
				if len(b) == 0 {
					return whole
				}
				o.header = append(o.header, b[0])
				b = b[1:]
				continue
			}
			o.begin()
		}
		n := min(o.left, uint64(len(b)))
		if o.flags&flagCommand == 0 {
			o.keep(b[:n])
		}
		b = b[n:]
		if o.left -= n; o.left > 0 {
			return whole
		}
		o.inBody = false
		if o.flags&(flagCommand|flagMore) == 0 {
			whole = append(whole, o.pieces...)
			whole = append(whole, o.small)
			o.pieces, o.small = nil, nil
		}
	}
}

// begin starts the body of a frame whose header is complete.
func (o *outbound) begin() {
	o.flags, o.inBody = o.header[0], true
	if o.left = uint64(o.header[1]); o.flags&flagLong != 0 {
		o.left = binary.BigEndian.Uint64(o.header[1:])
	}
	if o.flags&flagCommand == 0 {
		o.small = append(o.small, o.header...)
	}
	o.header = o.header[:0]
}

func (o *outbound) keep(b []byte) {
	const large = 1 << 13
	if len(b) < large {
		o.small = append(o.small, b...)
		return
	}
	o.pieces = append(o.pieces, o.small, b)
	o.small = nil
}
