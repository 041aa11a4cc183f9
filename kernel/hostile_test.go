package kernel

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

var channels = []string{"shell", "iopub", "stdin", "control", "hb"}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

func TestForgedMessages(t *testing.T) {
	c := startServer(t).connect(t)
	for _, channel := range []string{"shell", "control"} {
		_, frames := c.message("kernel_info_request", map[string]any{})
		for name, signature := range map[string]string{
			"empty": "", "short": string(frames[1][:10]), "wrong": strings.Repeat("0", 64),
			"upper case": strings.ToUpper(string(frames[1])),
		} {
			forged := append([][]byte{}, frames...)
			forged[1] = []byte(signature)
			if signature == string(frames[1]) {
				t.Fatalf("%s: the signature has no letters", name)
			}
			c.sendFrames(channel, forged)
		}
		c.quiet(channel)
	}
	c.ts.waitLog(t, "channel=shell error=\"message: wrong signature\"")
	c.ts.waitLog(t, "channel=control error=\"message: wrong signature\"")
	if n := strings.Count(c.ts.log.String(), "wrong signature"); n > 4 {
		t.Errorf("got %d lines about 8 messages: the log is not limited", n)
	}
	c.stillWorks()
}

func TestReplay(t *testing.T) {
	c := startServer(t).connect(t)
	id, frames := c.message("kernel_info_request", map[string]any{})
	c.sendFrames("shell", frames)
	c.reply("shell", id)
	c.sendFrames("shell", frames)
	c.quiet("shell")
	c.sendFrames("control", frames)
	c.quiet("control")
	c.ts.waitLog(t, "a signature that was used before")
	c.stillWorks()
}

// Without a key there are no signatures, and so no replays.
func TestNoKey(t *testing.T) {
	c := startServerAt(t, Connection{Transport: "tcp", IP: "127.0.0.1", SignatureScheme: defaultScheme}).connect(t)
	id, frames := c.message("kernel_info_request", map[string]any{})
	for range 2 {
		c.sendFrames("shell", frames)
		c.reply("shell", id)
	}
	c.stillWorks()
}

func TestMalformedMessages(t *testing.T) {
	c := startServer(t).connect(t)
	object := []byte("{}")
	for _, channel := range []string{"shell", "control", "stdin"} {
		for _, frames := range [][][]byte{
			{{}}, {[]byte("x")}, {delimiter}, {delimiter, []byte("s")}, {randomBytes(99), randomBytes(99), {}},
			c.signed([]byte("{"), object, object, object),
			c.signed([]byte("[]"), object, object, object),
			c.signed([]byte("null"), object, object, object),
			c.signed([]byte(`{"msg_id":5,"msg_type":7}`), object, object, object),
			c.signed([]byte(`{"msg_id":"a"}`), object, object, object),
			c.signed([]byte("{\"msg_id\":\"a\",\"msg_type\":\"\xff\"}"), object, object, object),
			c.signed([]byte(`{"msg_id":"b","msg_type":"kernel_info_request"}`), []byte("null"), object, object),
			c.signed([]byte(`{"msg_id":"c","msg_type":"kernel_info_request"}`), object, object, []byte("7")),
		} {
			c.sendFrames(channel, frames)
		}
		c.send(channel, "no_such_request", map[string]any{})
	}
	c.quiet("shell")
	c.quiet("control")
	c.ts.waitLog(t, "frames without <IDS|MSG>")
	c.ts.waitLog(t, "request not served")
	c.stillWorks()
}

// A READY command whose property promises more than there is.
func brokenReady() []byte { return []byte("\x04\x13\x05READY\x14Socket-Type\x00") }

func longFrame(size uint64) []byte { return binary.BigEndian.AppendUint64([]byte{flagLong}, size) }

func TestGarbageBytesOnEveryPort(t *testing.T) {
	c := startServer(t).connect(t)
	hello := string(greeting())
	dealer, sub := string(ready("DEALER", nil)), string(ready("SUB", nil))
	for _, channel := range channels {
		for _, b := range []string{
			"", string(randomBytes(999)), "GET / HTTP/1.1\r\n\r\n", hello[:20],
			strings.Replace(hello, "NULL", "CURVE", 1),
			hello + string(randomBytes(300)),
			hello + string(brokenReady()),
			hello + "\x04\x00", hello + "\x00\x01x",
			hello + string(longFrame(1<<62)),
			hello + dealer + string(randomBytes(99)),
			hello + dealer + string(longFrame(1<<62)),
			hello + dealer + string(longFrame(maxMessage)) + "x",
			hello + dealer + "\x04\x05\x04PING",
			hello + sub + string(longFrame(1<<62)),
			hello + sub + "\x01\x01x\x00\x01y" + "\x00\x00" + "\x00\x01\x07",
			hello + string(ready("PUB", nil)),
			hello + string(ready("DEALER", make([]byte, 255))) + strings.Repeat("\x01\x00", maxFrames+1),
		} {
			raw := c.ts.rawConn(t, channel)
			raw.Write([]byte(b))
			time.Sleep(time.Millisecond)
			raw.Close()
		}
	}
	c.stillWorks()
}

func TestRefusedConnectionsAreClosedAndLogged(t *testing.T) {
	ts := startServer(t)
	for _, channel := range channels {
		raw := ts.rawConn(t, channel)
		raw.Write([]byte("GET / HTTP/1.1\r\n\r\n"))
		raw.SetReadDeadline(time.Now().Add(patience))
		if _, err := io.Copy(io.Discard, raw); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection is still open", channel)
		}
		if channel == "shell" {
			ts.waitLog(t, "connection refused")
		}
	}
}

// Connections that say nothing, or stop in the middle of the handshake, or do
// nothing after it, are many more than handshakes are held at a time.
func TestSilentConnectionsBlockNobody(t *testing.T) {
	for _, said := range []string{"", string(greeting()[:10]), string(greeting()), string(greeting()) + "\x04\x1a\x05READY"} {
		ts := startServer(t)
		c := ts.connect(t)
		for _, channel := range channels {
			for range maxHandshakes + 20 {
				raw := ts.rawConn(t, channel)
				raw.Write([]byte(said))
			}
		}
		start := time.Now()
		c.stillWorks()
		if took := time.Since(start); took > handshakeTime/4 {
			t.Errorf("%d bytes said: a new client waited %v", len(said), took)
		}
		for _, s := range ts.sockets() {
			l := s.(*guardedSocket).l
			l.mu.Lock()
			if n := len(l.shaking); n > maxHandshakes {
				t.Errorf("%d handshakes are under way, want at most %d", n, maxHandshakes)
			}
			l.mu.Unlock()
		}
		ts.waitLog(t, "too many connections")
	}
}

// rawPeer is a connection that has shaken hands.
func (ts *testServer) rawPeer(t *testing.T, channel, socketType, identity string) net.Conn {
	t.Helper()
	raw := ts.rawConn(t, channel)
	raw.Write(append(greeting(), ready(socketType, []byte(identity))...))
	raw.SetReadDeadline(time.Now().Add(patience))
	answer := make([]byte, greetingSize+2)
	if _, err := io.ReadFull(raw, answer); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(io.Discard, raw, int64(answer[greetingSize+1])); err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestStalledSubscriberIsCutAndBlocksNobody(t *testing.T) {
	ts := startServer(t)
	l := ts.iopub.(*guardedSocket).l
	l.limits = peerLimits{high: 1 << 20, most: 64 << 20, stall: 200 * time.Millisecond}
	c := ts.connect(t)
	stalled := ts.rawPeer(t, "iopub", "SUB", "")
	stalled.Write([]byte("\x00\x01\x01")) // everything
	for c.next("iopub").Type != "iopub_welcome" {
	}
	if n := len(l.all()); n != 2 {
		t.Fatalf("got %d subscribers, want 2", n)
	}
	// More than the buffers of the network can hide.
	for i := 0; len(l.all()) > 1; i++ {
		if i == 50 {
			t.Fatal("the stalled subscriber was not cut off")
		}
		if r, out := c.run("flood 100000"); r.str("status") != "ok" || len(find(out, "stream")) == 0 {
			t.Fatalf("got %v", r)
		}
	}
	ts.waitLog(t, "cut off")
	c.stillWorks()
}

// A client that reads, if slowly, gets everything, and the cell waits for it.
func TestSlowSubscriberSlowsTheCell(t *testing.T) {
	ts := startServer(t)
	l := ts.iopub.(*guardedSocket).l
	l.limits = peerLimits{high: 1 << 20, most: 1 << 30, stall: patience}
	c := ts.connect(t)
	slow := ts.rawPeer(t, "iopub", "SUB", "")
	slow.SetReadDeadline(time.Now().Add(time.Minute))
	slow.Write([]byte("\x00\x01\x01"))
	for c.next("iopub").Type != "iopub_welcome" {
	}
	const megabytes = 64
	total := make(chan int64)
	go func() {
		n := int64(0)
		for n < megabytes<<20 {
			time.Sleep(time.Millisecond)
			more, err := io.CopyN(io.Discard, slow, 1<<19)
			if n += more; err != nil {
				break
			}
		}
		total <- n
	}()
	most := 0
	id := c.send("shell", "execute_request", cell(fmt.Sprint("megabytes ", megabytes)))
	for g := c.next("iopub"); g.Parent.ID != id || g.str("execution_state") != "idle"; g = c.next("iopub") {
		for _, p := range l.all() {
			most = max(most, p.backlog())
		}
	}
	// Some messages are between the cell and the queue of the guard: how many depends on what else
	// the machine does. A cell that does not wait has all of them there.
	if limit := megabytes << 20 / 2; most > limit {
		t.Errorf("got %d bytes waiting, want at most %d", most, limit)
	}
	if n := <-total; n < megabytes<<20 {
		t.Errorf("the slow subscriber got %d bytes, want all", n)
	}
}

func TestPing(t *testing.T) {
	raw := startServer(t).rawPeer(t, "shell", "DEALER", "")
	raw.Write([]byte("\x04\x0a\x04PING\x00\x64abc"))
	got := make([]byte, 2+8)
	if _, err := io.ReadFull(raw, got); err != nil || string(got) != "\x04\x08\x04PONGabc" {
		t.Errorf("got %q, %v, want PONG abc", got, err)
	}
}

func TestHeartbeat(t *testing.T) {
	ts := startServer(t)
	raw := ts.rawPeer(t, "hb", "REQ", "")
	for _, text := range []string{"ping", "", "\x00\xff", strings.Repeat("x", 200)} {
		message := append(appendHeader(nil, flagMore, 0), append(appendHeader(nil, 0, len(text)), text...)...)
		raw.Write(message)
		got := make([]byte, len(message))
		if _, err := io.ReadFull(raw, got); err != nil || string(got) != string(message) {
			t.Errorf("got %q, %v, want %q", got, err, message)
		}
	}
}

// A reply is one write, whole: not one for each frame.
func TestRepliesAreWhole(t *testing.T) {
	var o outbound
	o.greeting = greetingSize
	steps := []string{string(greeting()[:30]), string(greeting()[30:]), "\x04\x06", "\x05READY", "\x01", "\x01", "a", "\x00\x00"}
	for _, b := range steps {
		for _, piece := range o.write([]byte(b)) {
			if string(piece) != "\x01\x01a\x00\x00" || b != steps[len(steps)-1] {
				t.Errorf("after %q: got %q", b, piece)
			}
		}
	}
	big := make([]byte, 1<<16)
	o.write(longFrame(1 << 16)[:1])
	o.write(longFrame(1 << 16)[1:])
	whole := o.write(big)
	if len(whole) != 3 || &whole[1][0] != &big[0] {
		t.Errorf("a large frame: got %d pieces, want 3 with the frame itself", len(whole))
	}
}

// A client whose subscription is still on its way must not miss the idle of
// its first request.
func TestFreshClientNeverMissesIdle(t *testing.T) {
	ts := startServer(t)
	c := ts.connect(t)
	for _, delay := range []time.Duration{0, 5 * time.Millisecond, 50 * time.Millisecond} {
		raw := ts.rawConn(t, "iopub")
		time.Sleep(2 * time.Millisecond) // connected, as a client is before it sends
		shell := ts.rawPeer(t, "shell", "DEALER", newID())
		id, frames := c.message("kernel_info_request", map[string]any{})
		for i, f := range frames {
			flags := byte(flagMore)
			if i == len(frames)-1 {
				flags = 0
			}
			shell.Write(append(appendHeader(nil, flags, len(f)), f...))
		}
		time.Sleep(delay)
		raw.Write(append(append(greeting(), ready("SUB", nil)...), "\x00\x01\x01"...))
		raw.SetReadDeadline(time.Now().Add(2 * time.Second))
		var seen strings.Builder
		buf := make([]byte, 4096)
		for !strings.Contains(seen.String(), `"idle"`) {
			n, err := raw.Read(buf)
			if err != nil {
				t.Fatalf("after %v: idle of %s is lost: %v", delay, id, err)
			}
			seen.Write(buf[:n])
		}
	}
}

func TestGateCosts(t *testing.T) {
	ts := startServer(t)
	c := ts.connect(t)
	c.run("value 1") // claims its own subscription
	start := time.Now()
	ts.gate.wait("no subscriber")
	if took := time.Since(start); took < joinGrace || took > 10*joinGrace {
		t.Errorf("a client that does not subscribe waited %v, want about %v", took, joinGrace)
	}
	p := &peer{}
	ts.gate.accepted(p)
	ts.gate.subscribed(p)
	ts.gate.subscribed(p) // to a second topic: one client all the same
	start = time.Now()
	ts.gate.wait("subscribed")
	if took := time.Since(start); took > joinTime/2 {
		t.Errorf("a client that has subscribed waited %v", took)
	}
	if n := len(ts.gate.joined); n != 0 {
		t.Errorf("got %d subscriptions left, want 0", n)
	}
	ts.gate.accepted(&peer{}) // closes the gate
	start = time.Now()
	ts.gate.wait("subscribed")
	if took := time.Since(start); took > joinTime/2 {
		t.Errorf("a known client waited %v", took)
	}
	start = time.Now()
	ts.gate.wait("behind a silent connection")
	if took := time.Since(start); took < joinTime/2 || took > 5*joinTime {
		t.Errorf("waited %v, want about %v", took, joinTime)
	}
	for range joinCrowd {
		ts.gate.accepted(&peer{})
	}
	start = time.Now()
	ts.gate.wait("behind a crowd of them")
	if took := time.Since(start); took < joinGrace || took >= joinTime {
		t.Errorf("behind a crowd: waited %v, want about %v", took, joinGrace)
	}
}

func TestManyClients(t *testing.T) {
	ts := startServer(t)
	var all sync.WaitGroup
	for i := range 10 {
		c := ts.connect(t)
		all.Go(func() {
			for j := range 20 {
				id, frames := c.message("execute_request", cell(fmt.Sprintf("print %d.%d", i, j)))
				c.sockets["shell"].SendMulti(zmq4.NewMsgFrom(frames...))
				for g := range c.inbox["shell"] {
					if g.Parent.ID == id {
						break
					}
				}
			}
		})
	}
	all.Wait()
	if n := len(ts.fake.cells()); n != 200 {
		t.Errorf("ran %d cells, want 200", n)
	}
}

func TestIPC(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "ipc")
	conn := Connection{Transport: "ipc", IP: prefix, SignatureScheme: "hmac-sha512", Key: "k",
		ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5}
	// A file that a killed process has left.
	stale, err := net.Listen("unix", prefix+"-1")
	if err != nil {
		t.Fatal(err)
	}
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	stale.Close()

	ts := startServerAt(t, conn)
	info, err := os.Stat(prefix + "-1")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v, want 0600", info.Mode(), err)
	}
	ts.connect(t).stillWorks()
	if _, err := NewServer(&conn, &fake{}, Options{}); err == nil || !strings.Contains(err.Error(), "iopub socket") {
		t.Errorf("a second server there: got %v, want an error that names the socket", err)
	}
	ts.cancel()
	<-ts.ended
	if left, _ := filepath.Glob(prefix + "-*"); len(left) > 0 {
		t.Errorf("files left: %v", left)
	}
	// A file that is no socket is not removed.
	os.WriteFile(prefix+"-2", []byte("precious"), 0o600)
	if _, err := NewServer(&conn, &fake{}, Options{}); err == nil {
		t.Error("got a server in place of a file")
	}
	if b, _ := os.ReadFile(prefix + "-2"); string(b) != "precious" {
		t.Errorf("the file: got %q, want what was in it", b)
	}
}
