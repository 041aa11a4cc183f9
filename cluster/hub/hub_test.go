package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestToken: a folder has a token of its own, which its user alone can read, and keeps it.
func TestToken(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	start := func(dir string) string {
		h, err := Start(Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		defer h.Stop()
		if !h.IsLoopback() || !strings.HasPrefix(h.URL(), "nats://127.0.0.1:") {
			t.Errorf("got the address %s", h.URL())
		}
		if info, err := os.Stat(h.TokenPath()); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("got %v, %v, want a file of mode 600", info.Mode(), err)
		}
		return read(h.TokenPath())
	}
	one, two := t.TempDir(), t.TempDir()
	first := start(one)
	if other := start(two); len(first) < 26 || first == other {
		t.Errorf("got the tokens %q and %q, want two of 26 characters", first, other)
	}
	if err := os.Chmod(filepath.Join(one, TokenFile), 0o644); err != nil {
		t.Fatal(err)
	}
	if again := start(one); again != first {
		t.Error("the folder has another token now")
	}
	path := filepath.Join(one, TokenFile)
	if err := os.WriteFile(path, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := path + ": got a token of 5 characters, want at least 16 without blanks: remove the file, and the hub makes one"
	if _, err := Start(Options{Dir: one}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestProgram: the first line of the program says where it is; it ends with its standard input, and
// removes a folder that is temporary.
func TestProgram(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hub")
	in, end := io.Pipe()
	out, said := io.Pipe()
	status := make(chan int)
	go func() {
		status <- Main(context.Background(), []string{"--dir", dir, "--listen", "127.0.0.1:0", "--until-eof", "--temporary"}, in, said, io.Discard)
	}()
	var ready Ready
	if err := json.NewDecoder(out).Decode(&ready); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(ready.URL, "nats://127.0.0.1:") || ready.Creds != filepath.Join(dir, TokenFile) || ready.PID != os.Getpid() || ready.Dir != dir {
		t.Errorf("got %+v", ready)
	}
	_ = end.Close()
	select {
	case got := <-status:
		if _, err := os.Stat(dir); got != 0 || !os.IsNotExist(err) {
			t.Errorf("got status %d, and %v of the folder", got, err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	for _, c := range []struct {
		args, want string
		status     int
	}{
		{"--listen=4222", `arignote-hub: got "4222", want HOST:PORT`, 1},
		{"--listen=h:99999", `arignote-hub: got "h:99999", want HOST:PORT`, 1},
		{"--tls-cert=a", "arignote-hub: tls: got one of certificate and key, want both", 1},
		{"--tls-cert=a --tls-key=b", "arignote-hub: tls: open a: no such file or directory", 1},
		{"more", `arignote-hub: got the argument "more", want flags only`, 2},
		{"--nothing", "flag provided but not defined: -nothing", 2},
	} {
		var errs bytes.Buffer
		args := append([]string{"--dir", filepath.Join(t.TempDir(), "hub")}, strings.Fields(c.args)...)
		if got := Main(t.Context(), args, nil, io.Discard, &errs); got != c.status || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: got status %d and %s, want %d and %s", c.args, got, errs.String(), c.status, c.want)
		}
	}
}
