package kernel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

func testSigner(t testing.TB, scheme, key string) *signer {
	t.Helper()
	s, err := newSigner(scheme, key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func frames(parts ...string) [][]byte {
	all := make([][]byte, len(parts))
	for i, p := range parts {
		all[i] = []byte(p)
	}
	return all
}

// The values are of RFC 4231, case 2, cut in four.
func TestSign(t *testing.T) {
	for scheme, want := range map[string]string{
		"hmac-sha256": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
		"hmac-sha384": "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
		"hmac-sha512": "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
	} {
		s := testSigner(t, scheme, "Jefe")
		parts := frames("what do ya ", "want ", "for ", "nothing?")
		if got := string(s.sign(parts)); got != want {
			t.Errorf("%s: got %s, want %s", scheme, got, want)
		}
		if err := s.verify([]byte(want), parts); err != nil {
			t.Errorf("%s: got %v, want no error", scheme, err)
		}
		if err := s.verify([]byte(want), parts); err != errReplay {
			t.Errorf("%s: the second time: got %v, want %v", scheme, err, errReplay)
		}
		if err := s.verify([]byte(want[1:]), parts); err != errSignature {
			t.Errorf("%s: a wrong one: got %v, want %v", scheme, err, errSignature)
		}
	}
}

func TestReplayMemoryIsBounded(t *testing.T) {
	s := testSigner(t, defaultScheme, "k")
	part := func(i int) ([]byte, [][]byte) {
		p := frames(fmt.Sprint(i))
		return s.sign(p), p
	}
	for i := range 2*maxSeen + 10 {
		sig, p := part(i)
		if err := s.verify(sig, p); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.seen[0]) + len(s.seen[1]); n > 2*maxSeen {
		t.Errorf("got %d signatures, want at most %d", n, 2*maxSeen)
	}
	sig, p := part(maxSeen + 5) // in the older half
	if err := s.verify(sig, p); err != errReplay {
		t.Errorf("got %v, want %v", err, errReplay)
	}
}

func TestParseMessage(t *testing.T) {
	s := testSigner(t, defaultScheme, "")
	d := string(delimiter)
	const header = `{"msg_id":"i","msg_type":"t","session":"s","username":"u"}`
	m, err := parseMessage(frames("a", "b", d, "", header, ` {"msg_id":"p"}`, "{}", `{"x":1}`, "buffer", d), s)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m.Idents, frames("a", "b")) || m.Header.ID != "i" || m.Header.Type != "t" || m.Header.Session != "s" ||
		m.Header.Username != "u" || m.Parent.ID != "p" || string(m.Content) != `{"x":1}` || !reflect.DeepEqual(m.Buffers, frames("buffer", d)) {
		t.Errorf("got %+v", m)
	}
	for _, test := range []struct {
		frames []string
		want   string
	}{
		{nil, "message: got 0 frames without <IDS|MSG>"},
		{[]string{"a", "b"}, "message: got 2 frames without <IDS|MSG>"},
		{[]string{d, "", "{}", "{}", "{}"}, "message: got 4 frames after <IDS|MSG>, want at least 5"},
		{[]string{d, "", "null", "{}", "{}", "{}"}, "message: header: got null, want a JSON object"},
		{[]string{d, "", header, "[]", "{}", "{}"}, "message: parent_header: got [], want a JSON object"},
		{[]string{d, "", header, "{}", "", "{}"}, "message: metadata: got nothing, want a JSON object"},
		{[]string{d, "", header, "{}", "{}", "{,}"}, "message: content: got {,}, want a JSON object"},
		{[]string{d, "", "{}", "{}", "{}", "{}"}, "message: header: got no msg_id or no msg_type, want both"},
		{[]string{d, "", `{"msg_id":1}`, "{}", "{}", "{}"}, "message: header: msg_id: got number, want string"},
		{[]string{d, "", header, `{"msg_id":[]}`, "{}", "{}"}, "message: parent_header: msg_id: got array, want string"},
		{[]string{d, "", header, "{}", "{}", "{\"a\":\"\xff\"}"}, "message: content: got {\"a\":\"\xff\"}, want a JSON object"},
	} {
		_, err := parseMessage(frames(test.frames...), s)
		if err == nil || err.Error() != test.want {
			t.Errorf("%q:\ngot  %v\nwant %s", test.frames, err, test.want)
		}
	}
}

func FuzzMessage(f *testing.F) {
	const header = `{"msg_id":"i","msg_type":"execute_request"}`
	f.Add([]byte("id"), []byte(header), []byte("{}"), []byte(`{"code":"1","silent":true}`), 0)
	f.Add([]byte("<IDS|MSG>"), []byte("null"), []byte("[]"), []byte(`{"code":{}}`), 3)
	f.Add([]byte{}, []byte("{"), []byte{0xff}, []byte(`{"cursor_pos":-1e9}`), 6)
	f.Fuzz(func(t *testing.T, ident, header, parent, content []byte, cut int) {
		s := testSigner(t, defaultScheme, "k")
		parts := [][]byte{header, parent, []byte("{}"), content}
		all := append([][]byte{ident, delimiter, s.sign(parts)}, parts...)
		if cut > 0 && cut < len(all) {
			all = all[:cut]
		}
		m, err := parseMessage(all, s)
		if err != nil {
			return
		}
		if m.Header.ID == "" || m.Header.Type == "" || !json.Valid(m.Content) {
			t.Fatalf("accepted %q", all)
		}
		for _, to := range []any{new(executeRequest), new(cursorRequest), new(historyRequest)} {
			if err := m.decode(to); err != nil && err.Error() == "" {
				t.Fatal("an error without a text")
			}
		}
		var r cursorRequest
		if m.decode(&r) == nil && (r.cursor() < 0 || r.cursor() > len(r.Code)) {
			t.Fatalf("cursor: got %d of %q", r.cursor(), r.Code)
		}
		// What is echoed must come back as it was.
		sv := &Server{signer: s, opts: Options{Now: fixedNow}}
		_, out, err := sv.frames(m.Idents, reply{"r", m.header, map[string]any{"text": string(ident)}})
		if err != nil || !json.Valid(out[len(out)-1]) || !bytes.Equal(out[len(out)-3], header) {
			t.Fatalf("got %q, %v", out, err)
		}
	})
}

func TestEncodeJSON(t *testing.T) {
	value := map[string]any{
		"text":   "a\"b\\c\n\t\r\x00\x1f\x7fé\U0001d41a<&>\u2028",
		"nil":    nil,
		"bool":   true,
		"int":    -7,
		"float":  2.5,
		"list":   []any{1, "x", []string{}, []string{"a", "b"}},
		"bytes":  []byte{0, 1, 254},
		"nested": map[string]any{"": map[string]any{}},
		"other":  map[int]string{1: "<"},
		"ints":   []int{1, 2},
	}
	got, err := encodeJSON(value)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := json.Marshal(value)
	var a, b any
	if err := json.Unmarshal(got, &a); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	json.Unmarshal(want, &b)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if bytes.Contains(got, []byte(`\u003c`)) {
		t.Errorf("got %s: HTML must not be escaped", got)
	}
	if got, _ := encodeJSON("a\xffb\xc3"); string(got) != "\"a\ufffdb\ufffd\"" {
		t.Errorf("not UTF-8: got %q", got)
	}
	for _, bad := range []any{math.NaN(), map[string]any{"a": []any{make(chan int)}}} {
		if got, err := encodeJSON(bad); err == nil {
			t.Errorf("%v: got %s, want an error", bad, got)
		}
	}
}

// A large figure is encoded into one buffer that is not doubled.
func TestEncodeAllocatesOnce(t *testing.T) {
	big := strings.Repeat("iVBORw0KGgo/", 1<<16)
	content := map[string]any{"data": map[string]any{"image/png": big}}
	got, err := encodeJSON(content)
	if err != nil || cap(got) > len(big)*9/8 {
		t.Errorf("got a buffer of %d bytes, %v, want at most %d", cap(got), err, len(big)*9/8)
	}
	// The allocations of the whole process are counted: kernels of other tests may still be ending.
	// The least of several runs is ours.
	least := math.Inf(1)
	for range 20 {
		least = min(least, testing.AllocsPerRun(1, func() { encodeJSON(content) }))
	}
	if least > 10 {
		t.Errorf("got %v allocations", least)
	}
}

func TestErrorContent(t *testing.T) {
	err := fmt.Errorf("cell 3: %w", fakeError{"Fail", "x"})
	got := fmt.Sprint(ErrorContent(err))
	if want := "map[ename:Fail evalue:cell 3: x status:error traceback:[Traceback Fail: x]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got = fmt.Sprint(ErrorContent(interruptedError{errors.New("y"), errInterrupted}))
	if want := "map[ename:KeyboardInterrupt evalue:execution interrupted status:error traceback:[KeyboardInterrupt: execution interrupted]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

type rudeError struct{}

func (rudeError) Error() string { return "x" }
func (rudeError) Name() string  { panic("in Name") }

func TestErrorContentOfAnErrorThatPanics(t *testing.T) {
	if got := ErrorContent(rudeError{})["ename"]; got != "InternalError" {
		t.Errorf("got %v, want InternalError", got)
	}
}
