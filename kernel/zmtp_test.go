package kernel

import (
	"bufio"
	"bytes"
	"io"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"
)

func fixedNow() time.Time { return time.Unix(1e9, 123456789) }

func TestReadGreeting(t *testing.T) {
	good := greeting()
	if err := readGreeting(bytes.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	change := func(at int, b byte) string {
		g := bytes.Clone(good)
		g[at] = b
		return string(g)
	}
	for _, test := range []struct{ bytes, want string }{
		{"", "greeting: EOF"},
		{string(good[:20]), "greeting: unexpected EOF"},
		{"GET / HTTP/1.1\r\n", "greeting: got 47 45 54 20 2f 20 48 54 54 50, want ff ... 7f"},
		{change(9, 0), "greeting: got ff 00 00 00 00 00 00 00 00 00, want ff ... 7f"},
		{change(10, 2), "greeting: got version 2, want 3"},
		{change(12, 'M'), `greeting: got mechanism "MULL", want NULL`},
	} {
		if err := readGreeting(strings.NewReader(test.bytes)); err == nil || err.Error() != test.want {
			t.Errorf("%.20q: got %v, want %s", test.bytes, err, test.want)
		}
	}
	if err := readGreeting(strings.NewReader(change(11, 1))); err != nil {
		t.Errorf("version 3.1: got %v, want no error", err)
	}
}

func TestParseReady(t *testing.T) {
	body := ready("DEALER", []byte("me"))[2:]
	kind, id, err := parseReady(body)
	if kind != "DEALER" || string(id) != "me" || err != nil {
		t.Errorf("got %q, %q, %v, want DEALER, me", kind, id, err)
	}
	// Every cut of it is refused or lacks a property, and none panics.
	for n := range body {
		kind, id, err := parseReady(body[:n])
		if err == nil && kind == "DEALER" && string(id) == "me" {
			t.Errorf("%q: was accepted whole", body[:n])
		}
	}
	if _, _, err := parseReady([]byte("\x05ERROR")); err == nil {
		t.Error("ERROR: got no error")
	}
	if _, _, err := parseReady(brokenReady()[2:]); err == nil {
		t.Error("a property cut short: got no error")
	}
	if _, _, err := parseReady([]byte("\x05READY\x01a\xff\xff\xff\xff")); err == nil {
		t.Error("a value of 4 GB: got no error")
	}
}

func TestReadFrame(t *testing.T) {
	large := strings.Repeat("x", 1<<17)
	for _, test := range []struct {
		name, bytes string
		flags       byte
		body        string
		err         string
	}{
		{"short", "\x01\x02ab", flagMore, "ab", ""},
		{"empty", "\x00\x00", 0, "", ""},
		{"long form of a short one", string(longFrame(1)) + "a", flagLong, "a", ""},
		{"large", string(longFrame(1<<17)) + large, flagLong, large, ""},
		{"cut header", "\x00", 0, "", "unexpected EOF"},
		{"cut size", "\x02\x00\x00", 0, "", "unexpected EOF"},
		{"cut body", "\x00\x05ab", 0, "", "unexpected EOF"},
		{"cut large body", string(longFrame(1<<20)) + large, 0, "", "EOF"},
		{"unknown flags", "\x08\x00", 0, "", "frame: got flags 0x8"},
		{"command with more", "\x05\x00", 0, "", "frame: got flags 0x5"},
		{"too large", string(longFrame(1<<20 + 1)), 0, "", "frame: got 1048577 bytes, want at most 1048576"},
		{"63 bits", string(longFrame(1 << 62)), 0, "", "frame: got 4611686018427387904 bytes, want at most 1048576"},
		{"64 bits", string(longFrame(1<<64 - 1)), 0, "", "frame: got 18446744073709551615 bytes, want at most 1048576"},
	} {
		flags, body, err := readFrame(bufio.NewReader(strings.NewReader(test.bytes)), 1<<20)
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: got %v, want %s", test.name, err, test.err)
			}
		} else if err != nil || flags != test.flags || string(body) != test.body {
			t.Errorf("%s: got %x %.20q %v, want %x %.20q", test.name, flags, body, err, test.flags, test.body)
		}
	}
	// Memory is taken for what arrives, not for what is promised.
	promise := string(longFrame(1<<28)) + "x"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	readFrame(bufio.NewReader(strings.NewReader(promise)), maxMessage)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 { // other goroutines allocate too
		t.Errorf("a promise of 256 MB took %d bytes", got)
	}
}

func TestPong(t *testing.T) {
	for body, want := range map[string]string{
		"\x04PING\x00\x01":                   "\x04\x05\x04PONG",
		"\x04PING\x00\x01ab":                 "\x04\x07\x04PONGab",
		"\x04PING\x00":                       "",
		"\x04PONG":                           "",
		"\x04PING" + strings.Repeat("x", 19): "",
		"":                                   "",
	} {
		if got := string(pong([]byte(body))); got != want {
			t.Errorf("%q: got %q, want %q", body, got, want)
		}
	}
}

// pipeConn is a connection from which bytes are read.
type pipeConn struct {
	io.Reader
	net.Conn
}

func (p pipeConn) Read(b []byte) (int, error)     { return p.Reader.Read(b) }
func (pipeConn) Write(b []byte) (int, error)      { return len(b), nil }
func (pipeConn) Close() error                     { return nil }
func (pipeConn) SetDeadline(time.Time) error      { return nil }
func (pipeConn) SetWriteDeadline(time.Time) error { return nil }

// A peer with much to read is cut off when more comes; one large message does
// not cut it off.
func TestPeerBeyondMost(t *testing.T) {
	l := &listener{socketType: "XPUB", limits: peerLimits{high: 10, most: 100, stall: time.Second}, peers: map[*peer]struct{}{}}
	p := newPeer(l, pipeConn{Reader: strings.NewReader("")})
	p.out.greeting = 0
	message := append(appendHeader(nil, 0, 200), make([]byte, 200)...)
	l.peers[p] = struct{}{}
	if l.full() || !l.flushed() {
		t.Error("a peer with nothing to read: got full or not flushed")
	}
	if n, err := p.Write(message); n != len(message) || err != nil || p.backlog() != len(message) {
		t.Errorf("the first: got %d, %v, backlog %d", n, err, p.backlog())
	}
	if !l.full() || l.flushed() {
		t.Error("a peer with much to read: got not full or flushed")
	}
	if _, err := p.Write(message); err == nil || !p.closed {
		t.Errorf("the second: got %v, closed %v, want the peer cut off", err, p.closed)
	}
}

func TestPeerBoundsTheFramesOfAMessage(t *testing.T) {
	l := &listener{socketType: "ROUTER", limits: defaultPeerLimits, peers: map[*peer]struct{}{}}
	whole := strings.Repeat("\x01\x00", maxFrames-1) + "\x00\x00"
	for _, test := range []struct {
		bytes string
		want  int
	}{
		{whole + whole, 4 * maxFrames},
		{strings.Repeat("\x01\x00", maxFrames+1), 2 * maxFrames},
	} {
		p := newPeer(l, pipeConn{Reader: strings.NewReader(test.bytes)})
		if read, err := io.ReadAll(p); len(read) != test.want || err != nil {
			t.Errorf("got %d bytes, %v, want %d", len(read), err, test.want)
		}
	}
}

// A bug of ours must not end the process on a goroutine of the ZeroMQ package.
func TestPeerSurvivesAPanic(t *testing.T) {
	log := &logBuffer{}
	rare := rareLog{log: slog.New(slog.NewTextHandler(log, nil))}
	l := &listener{socketType: "XPUB", limits: defaultPeerLimits, peers: map[*peer]struct{}{}}
	l.events = guardEvents{warn: rare.warn, subscribed: func(*peer, string) { panic("ouch") }}
	p := newPeer(l, pipeConn{Reader: strings.NewReader("\x00\x01\x01")})
	read, err := io.ReadAll(p)
	if string(read) != "\x00\x01\x01" || err != nil || !p.closed {
		t.Errorf("got %q, %v, closed %v, want the subscription and the end", read, err, p.closed)
	}
	if !strings.Contains(log.String(), "ouch") {
		t.Errorf("log: got %s, want the panic", log)
	}
}

// FuzzGuard gives the guard any bytes as a connection, and checks that what
// the ZeroMQ package gets to read is a greeting, a READY and whole frames.
func FuzzGuard(f *testing.F) {
	hello := string(greeting())
	dealer, sub := string(ready("DEALER", []byte("me"))), string(ready("SUB", nil))
	f.Add([]byte(""), false)
	f.Add([]byte(hello), false)
	f.Add([]byte(hello+string(brokenReady())), false)
	f.Add([]byte(hello+dealer+"\x01\x01a\x00\x00"), false)
	f.Add([]byte(hello+dealer+"\x04\x0a\x04PING\x00\x64abc\x00\x01x"), false)
	f.Add([]byte(hello+dealer+string(longFrame(1<<62))), false)
	f.Add([]byte(hello+sub+"\x00\x01\x01\x00\x02\x01a\x01\x01\x01\x00\x00"), true)
	f.Fuzz(func(t *testing.T, data []byte, publisher bool) {
		l := &listener{socketType: "ROUTER", limits: defaultPeerLimits, peers: map[*peer]struct{}{}}
		if publisher {
			l.socketType = "XPUB"
		}
		subscriptions := 0
		l.events.subscribed = func(*peer, string) { subscriptions++ }
		p := newPeer(l, pipeConn{Reader: bytes.NewReader(data)})
		if l.handshake(p) != nil {
			return
		}
		read, err := io.ReadAll(io.LimitReader(p, 1<<24))
		if err != nil {
			t.Fatalf("got %v, want EOF", err)
		}
		in := bufio.NewReader(bytes.NewReader(read))
		if err := readGreeting(in); err != nil {
			t.Fatal(err)
		}
		flags, body, err := readFrame(in, maxReady)
		if err != nil || flags&flagCommand == 0 {
			t.Fatalf("got %x %q %v, want READY", flags, body, err)
		}
		if _, _, err := parseReady(body); err != nil {
			t.Fatal(err)
		}
		subscribed := 0
		for {
			flags, body, err := readFrame(in, maxMessage)
			if err == io.EOF {
				break
			}
			if err != nil || flags&flagCommand != 0 {
				t.Fatalf("got %x %q %v, want a whole frame", flags, body, err)
			}
			if publisher {
				if flags&flagMore != 0 || !isSubscription(body) {
					t.Fatalf("got %x %q, want a subscription", flags, body)
				}
				if body[0] == 1 {
					subscribed++
				}
			}
		}
		if subscriptions != subscribed {
			t.Fatalf("got %d subscriptions, want %d", subscriptions, subscribed)
		}
	})
}
