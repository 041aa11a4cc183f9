package kernel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const goodConnection = `{
	"shell_port": 50001, "iopub_port": 50002, "stdin_port": 50003, "control_port": 50004, "hb_port": 50005,
	"ip": "127.0.0.1", "key": "k", "transport": "tcp", "signature_scheme": "hmac-sha256", "kernel_name": "x"
}`

func TestReadConnectionFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kernel-1.json")
	os.WriteFile(path, []byte(goodConnection), 0o600)
	c, err := ReadConnectionFile(path)
	want := Connection{"tcp", "127.0.0.1", 50001, 50002, 50003, 50004, 50005, "hmac-sha256", "k"}
	if err != nil || *c != want {
		t.Errorf("got %+v, %v, want %+v", c, err, want)
	}
	network, addr := c.address(c.ShellPort)
	if network != "tcp" || addr != "127.0.0.1:50001" {
		t.Errorf("got %s %s", network, addr)
	}
	network, addr = (&Connection{Transport: "ipc", IP: "/a/b"}).address(3)
	if network != "unix" || addr != "/a/b-3" {
		t.Errorf("got %s %s", network, addr)
	}
	if _, addr = (&Connection{Transport: "tcp", IP: "*"}).address(3); addr != ":3" {
		t.Errorf("got %s", addr)
	}
}

func TestConnectionFileErrors(t *testing.T) {
	for _, test := range []struct{ name, from, to, want string }{
		{"not JSON", goodConnection, "hello", `got hello, want a JSON object (invalid character 'h' looking for beginning of value)`},
		{"empty", goodConnection, "", `got nothing, want a JSON object (unexpected end of JSON input)`},
		{"list", goodConnection, "[1]", `got [1], want a JSON object (json: cannot unmarshal array into Go value of type map[string]json.RawMessage)`},
		{"null", goodConnection, "null", `got null, want a JSON object`},
		{"no port", `"hb_port": 50005,`, ``, `hb_port: got no such field, want a port`},
		{"port of text", `50002`, `"50002"`, `iopub_port: got "50002", want a port, 1 to 65535`},
		{"port too large", `50001`, `70000`, `shell_port: got 70000, want a port, 1 to 65535`},
		{"port 0", `50003`, `0`, `stdin_port: got 0, want a port, 1 to 65535`},
		{"negative port", `50004`, `-4`, `control_port: got -4, want a port, 1 to 65535`},
		{"port of list", `50001`, `[1]`, `shell_port: got [1], want a port, 1 to 65535`},
		{"port of fraction", `50001`, `1.5`, `shell_port: got 1.5, want a port, 1 to 65535`},
		{"handshake", `"key": "k",`, `"key": "k", "registration_port": 5,`, `registration_port: the handshake of JEP 66 is not in Arignote: want a connection file with the five ports, such as jupyter_client writes`},
		{"encrypted", `"key": "k",`, `"key": "k", "curve_secretkey": "x",`, `curve_secretkey: CURVE is not in Arignote, and what is sent would be readable: start the front end without encryption, or use transport ipc`},
		{"no key", `"key": "k",`, ``, `key: got no such field, want a string`},
		{"key of number", `"k"`, `12`, `key: got 12, want a string`},
		{"key null", `"k"`, `null`, `key: got null, want a string`},
		{"scheme", `hmac-sha256`, `hmac-md5`, `signature_scheme: got "hmac-md5", want hmac-sha256, hmac-sha384 or hmac-sha512`},
		{"transport", `"tcp"`, `"pgm"`, `transport: got "pgm", want tcp or ipc`},
		{"transport of object", `"tcp"`, `{"a": 1}`, `transport: got {"a": 1}, want a string`},
		{"ip", `"127.0.0.1"`, `""`, `ip: got an empty string, want an address`},
	} {
		path := filepath.Join(t.TempDir(), "c.json")
		text := strings.Replace(goodConnection, test.from, test.to, 1)
		if text == goodConnection {
			t.Fatalf("%s: the case changes nothing", test.name)
		}
		os.WriteFile(path, []byte(text), 0o600)
		_, err := ReadConnectionFile(path)
		if err == nil {
			t.Errorf("%s: got no error", test.name)
			continue
		}
		want := "connection file " + path + ": " + test.want
		if err.Error() != want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, err, want)
		}
	}
	missing := filepath.Join(t.TempDir(), "none.json")
	if _, err := ReadConnectionFile(missing); !os.IsNotExist(unwrap(err)) || !strings.Contains(err.Error(), missing) {
		t.Errorf("missing: got %v, want an error that names the file", err)
	}
}

func unwrap(err error) error {
	if u, ok := err.(interface{ Unwrap() error }); ok {
		return u.Unwrap()
	}
	return err
}

func TestNewServerErrors(t *testing.T) {
	if _, err := NewServer(&Connection{Transport: "tcp", IP: "127.0.0.1", SignatureScheme: "x"}, &fake{}, Options{}); err == nil || !strings.Contains(err.Error(), `signature_scheme: got "x"`) {
		t.Errorf("got %v, want an error about the scheme", err)
	}
	taken := startServer(t).Connection()
	if _, err := NewServer(&taken, &fake{}, Options{}); err == nil || !strings.Contains(err.Error(), "iopub socket: ") {
		t.Errorf("ports in use: got %v, want an error that names the socket", err)
	}
	// A server that could not start gives back what it had bound.
	free := taken
	free.IOPubPort, free.ShellPort = 0, 0
	if _, err := NewServer(&free, &fake{}, Options{}); err == nil || !strings.Contains(err.Error(), "control socket: ") {
		t.Errorf("port in use: got %v, want an error that names the socket", err)
	}
}
