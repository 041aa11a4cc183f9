package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

// fake is an interpreter whose cells are scripts of one command a line.
type fake struct {
	mu  sync.Mutex
	ran []string
	out Output // of the last cell

	release chan struct{} // ends "hold"
}

type fakeError struct{ name, text string }

func (e fakeError) Error() string       { return e.text }
func (e fakeError) Name() string        { return e.name }
func (e fakeError) Traceback() []string { return []string{"Traceback", e.name + ": " + e.text} }

func plain(s string) map[string]any { return map[string]any{"text/plain": s} }

func (f *fake) Execute(ctx context.Context, count int, code string, out Output) (map[string]any, map[string]any, error) {
	f.mu.Lock()
	f.ran = append(f.ran, code)
	f.out = out
	f.mu.Unlock()
	for line := range strings.Lines(code) {
		command, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch command {
		case "print":
			out.Stream("stdout", arg+"\n")
		case "warn":
			out.Stream("stderr", arg+"\n")
		case "flood":
			n, _ := strconv.Atoi(arg)
			for i := range n {
				out.Stream("stdout", "line "+strconv.Itoa(i)+"\n")
			}
		case "megabytes":
			n, _ := strconv.Atoi(arg)
			for range n {
				out.Stream("stdout", strings.Repeat("x", 1<<20))
			}
		case "show":
			out.Display(map[string]any{"text/html": arg}, map[string]any{"a": 1}, "", false)
		case "update":
			out.Display(plain("one"), nil, "d1", false)
			out.Display(plain("two"), nil, "d1", true)
		case "bad":
			out.Display(map[string]any{"text/html; x=1": "no", "a/chan": make(chan int), "a/b+json": []int{1}}, nil, "", false)
		case "clear":
			out.Clear(true)
		case "page":
			out.Page(plain(arg))
		case "ask":
			answer, err := out.Input("name? ", arg == "secret")
			if err != nil {
				return nil, nil, err
			}
			out.Stream("stdout", answer)
		case "hold":
			<-f.release
		case "wait":
			<-ctx.Done()
			return nil, nil, fakeError{"Cancelled", "stopped at line 3"}
		case "sleep":
			d, _ := time.ParseDuration(arg)
			time.Sleep(d)
		case "fail":
			return nil, nil, fakeError{"Fail", arg}
		case "plainfail":
			return nil, nil, errors.New(arg)
		case "panic":
			panic(arg)
		case "value":
			return plain(arg), nil, nil
		}
	}
	return nil, nil, nil
}

func (f *fake) Evaluate(ctx context.Context, expr string) (map[string]any, error) {
	switch expr {
	case "bad":
		return nil, fakeError{"NameError", "undefined: bad"}
	case "panic":
		panic(expr)
	}
	return plain(expr), nil
}

func (f *fake) Complete(code string, cursor int) (int, int, []Match) {
	if code == "panic" {
		panic(code)
	}
	start := cursor - 3
	if code == "wild" {
		start, cursor = -5, 99
	}
	return start, cursor, []Match{{"sorted", "function", "sorted(x)"}, {Text: "sor"}}
}

func (f *fake) Inspect(code string, cursor, detail int) map[string]any {
	if code == "zip" {
		return plain(fmt.Sprintf("zip at %d, %d", cursor, detail))
	}
	return nil
}

func (f *fake) IsComplete(code string) (string, string) {
	if strings.HasSuffix(code, ":") {
		return "incomplete", "    "
	}
	return "complete", ""
}

func (f *fake) cells() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string{}, f.ran...)
}

var _ Interpreter = (*fake)(nil)

// logBuffer is a log that a test can read while it is written.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// testServer is a server that runs until the end of the test.
type testServer struct {
	*Server
	fake   *fake
	log    *logBuffer
	ended  chan error
	cancel context.CancelFunc

	timeout time.Duration // Options.StopOnErrorTimeout
}

const testKey = "a test key"

func startServer(t *testing.T, change ...func(*testServer)) *testServer {
	t.Helper()
	return startServerAt(t, Connection{Transport: "tcp", IP: "127.0.0.1", SignatureScheme: defaultScheme, Key: testKey}, change...)
}

func startServerAt(t *testing.T, c Connection, change ...func(*testServer)) *testServer {
	t.Helper()
	ts := &testServer{fake: &fake{release: make(chan struct{})}, log: &logBuffer{}, ended: make(chan error, 1)}
	for _, f := range change {
		f(ts)
	}
	s, err := NewServer(&c, ts.fake, Options{
		Implementation: "fake",
		Version:        "1",
		LanguageInfo:   map[string]any{"name": "fake"},

		StopOnErrorTimeout: ts.timeout,
		Log:                slog.New(slog.NewTextHandler(ts.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	ts.Server = s
	ctx, cancel := context.WithCancel(context.Background())
	ts.cancel = cancel
	go func() { ts.ended <- s.Run(ctx); close(ts.ended) }()
	t.Cleanup(func() {
		cancel()
		for range ts.ended {
		}
	})
	return ts
}

func (ts *testServer) port(channel string) int {
	c := ts.Connection()
	return map[string]int{
		"shell": c.ShellPort, "iopub": c.IOPubPort, "stdin": c.StdinPort, "control": c.ControlPort, "hb": c.HBPort,
	}[channel]
}

// waitLog waits for a text in the log.
func (ts *testServer) waitLog(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !strings.Contains(ts.log.String(), want); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("log: got\n%s\nwant a line with %q", ts.log, want)
		}
	}
}

// got is a message from the server.
type got struct {
	Topic  string
	Type   string
	Header map[string]any
	Parent struct {
		ID string `json:"msg_id"`
	}
	Content map[string]any
}

func (g got) String() string { return fmt.Sprintf("%s %v", g.Type, g.Content) }

func (g got) str(key string) string {
	s, _ := g.Content[key].(string)
	return s
}

func (g got) num(key string) int {
	n, ok := g.Content[key].(float64)
	if !ok {
		return -1
	}
	return int(n)
}

// client is a client with real ZeroMQ sockets.
type client struct {
	t       *testing.T
	ts      *testServer
	session string
	sockets map[string]zmq4.Socket
	inbox   map[string]chan got
	sent    int
	date    func() any // of requests; nil: it is ""
}

const patience = 5 * time.Second

// connect returns a client whose subscription is known to the server.
func (ts *testServer) connect(t *testing.T) *client {
	t.Helper()
	c := &client{t: t, ts: ts, session: newID(), sockets: map[string]zmq4.Socket{}, inbox: map[string]chan got{}}
	for _, name := range []string{"iopub", "stdin", "control", "shell"} {
		ctx, cancel := context.WithCancel(context.Background())
		var z zmq4.Socket
		if name == "iopub" {
			z = zmq4.NewSub(ctx)
		} else {
			z = zmq4.NewDealer(ctx, zmq4.WithID(zmq4.SocketIdentity(c.session)))
		}
		if err := z.Dial(c.endpoint(name)); err != nil {
			t.Fatal(err)
		}
		if name == "iopub" {
			if err := z.SetOption(zmq4.OptionSubscribe, ""); err != nil {
				t.Fatal(err)
			}
		}
		inbox := make(chan got, 1<<12)
		c.sockets[name], c.inbox[name] = z, inbox
		go c.read(z, inbox)
		t.Cleanup(func() { cancel(); z.Close() })
	}
	w := c.next("iopub")
	for w.Type != "iopub_welcome" {
		w = c.next("iopub") // what others do
	}
	if w.Topic != "" || w.Content["subscription"] != "" || w.Parent.ID != "" {
		t.Fatalf("got %v, want the subscription to everything", w)
	}
	return c
}

func (c *client) endpoint(name string) string {
	conn := c.ts.Connection()
	network, addr := conn.address(c.ts.port(name))
	if network == "unix" {
		network = "ipc"
	}
	return network + "://" + addr
}

func (c *client) read(z zmq4.Socket, inbox chan<- got) {
	for {
		m, err := z.Recv()
		if err != nil {
			return
		}
		g, err := c.parse(m.Frames)
		if err != nil {
			c.t.Errorf("bad message from the server: %v", err)
			return
		}
		if g.str("execution_state") != "starting" { // whether we see it is chance
			inbox <- g
		}
	}
}

// parse checks what every message of the server must have.
func (c *client) parse(frames [][]byte) (g got, err error) {
	if len(frames) > 0 && !bytes.Equal(frames[0], delimiter) {
		g.Topic = string(frames[0])
		frames = frames[1:]
	}
	if len(frames) != 6 || !bytes.Equal(frames[0], delimiter) {
		return g, fmt.Errorf("got frames %q", frames)
	}
	conn := c.ts.Connection()
	sign, _ := newSigner(conn.SignatureScheme, conn.Key)
	if want := sign.sign(frames[2:]); !bytes.Equal(frames[1], want) {
		return g, fmt.Errorf("got signature %q, want %q", frames[1], want)
	}
	err = errors.Join(json.Unmarshal(frames[2], &g.Header), json.Unmarshal(frames[3], &g.Parent), json.Unmarshal(frames[5], &g.Content))
	g.Type, _ = g.Header["msg_type"].(string)
	return g, err
}

// next returns the next message of a channel.
func (c *client) next(channel string) got {
	c.t.Helper()
	select {
	case g := <-c.inbox[channel]:
		return g
	case <-time.After(patience):
		c.t.Fatalf("no message on %s; log:\n%s", channel, c.ts.log)
	}
	return got{}
}

// quiet fails if a message comes.
func (c *client) quiet(channel string) {
	c.t.Helper()
	select {
	case g := <-c.inbox[channel]:
		c.t.Fatalf("%s: got %v, want nothing", channel, g)
	case <-time.After(150 * time.Millisecond):
	}
}

// message returns the signed frames of a request.
func (c *client) message(msgType string, content any) (id string, frames [][]byte) {
	c.sent++
	id = fmt.Sprintf("%s-%d", c.session, c.sent)
	date := any("")
	if c.date != nil {
		date = c.date()
	}
	header, _ := json.Marshal(map[string]any{"msg_id": id, "msg_type": msgType, "session": c.session, "username": "u", "date": date, "version": "5.3"})
	body, err := json.Marshal(content)
	if err != nil {
		c.t.Fatal(err)
	}
	return id, c.signed(header, []byte("{}"), []byte("{}"), body)
}

func (c *client) signed(parts ...[]byte) [][]byte {
	conn := c.ts.Connection()
	sign, _ := newSigner(conn.SignatureScheme, conn.Key)
	return append([][]byte{delimiter, sign.sign(parts)}, parts...)
}

func (c *client) sendFrames(channel string, frames [][]byte) {
	c.t.Helper()
	if err := c.sockets[channel].SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) send(channel, msgType string, content any) (id string) {
	c.t.Helper()
	id, frames := c.message(msgType, content)
	c.sendFrames(channel, frames)
	return id
}

// reply returns the reply to a request.
func (c *client) reply(channel, id string) got {
	c.t.Helper()
	for {
		if g := c.next(channel); g.Parent.ID == id {
			return g
		}
	}
}

// outputs returns what iopub says of a request, from busy to idle.
func (c *client) outputs(id string) (all []got) {
	c.t.Helper()
	for {
		g := c.next("iopub")
		if g.Parent.ID != id {
			continue
		}
		all = append(all, g)
		if g.Type == "status" && g.str("execution_state") == "idle" {
			return all
		}
	}
}

func (c *client) request(msgType string, content any) (got, []got) {
	c.t.Helper()
	id := c.send("shell", msgType, content)
	return c.reply("shell", id), c.outputs(id)
}

// cell is the content of an execute_request, with pairs of further fields.
func cell(code string, fields ...any) map[string]any {
	m := map[string]any{"code": code}
	for i := 0; i+1 < len(fields); i += 2 {
		m[fields[i].(string)] = fields[i+1]
	}
	return m
}

func (c *client) run(code string, fields ...any) (got, []got) {
	c.t.Helper()
	return c.request("execute_request", cell(code, fields...))
}

// stillWorks checks the server with this client and with a new one.
func (c *client) stillWorks() {
	c.t.Helper()
	for _, x := range []*client{c, c.ts.connect(c.t)} {
		if r, _ := x.run("value 2"); r.str("status") != "ok" {
			c.t.Fatalf("after that: got %v, want ok", r)
		}
	}
}

func types(all []got) string {
	var s []string
	for _, g := range all {
		name := g.Type
		if state := g.str("execution_state"); state != "" {
			name = state
		}
		s = append(s, name)
	}
	return strings.Join(s, " ")
}

func find(all []got, msgType string) (found []got) {
	for _, g := range all {
		if g.Type == msgType {
			found = append(found, g)
		}
	}
	return found
}

// rawConn is a TCP connection of a peer that may break every rule.
func (ts *testServer) rawConn(t *testing.T, channel string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(ts.port(channel))))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}
