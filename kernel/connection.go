package kernel

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
)

// Connection says where a server listens and how messages are signed. It is
// the content of a connection file, which the client writes.
type Connection struct {
	Transport       string // "tcp" or "ipc"
	IP              string // an address, or for ipc the prefix of five paths
	ShellPort       int
	IOPubPort       int
	StdinPort       int
	ControlPort     int
	HBPort          int
	SignatureScheme string // "hmac-sha256", "hmac-sha384" or "hmac-sha512"
	Key             string // empty: messages are not signed
}

// transports are the networks of package net by their names in the protocol.
var transports = map[string]string{"tcp": "tcp", "ipc": "unix"}

// unserved are fields that ask for more than there is. Without it the server
// would listen where no client connects, or send in clear text what was to be secret.
var unserved = map[string]string{
	"registration_port": "the handshake of JEP 66 is not in Arignote: want a connection file with the five ports, such as jupyter_client writes",
	"curve_secretkey":   "CURVE is not in Arignote, and what is sent would be readable: start the front end without encryption, or use transport ipc",
}

// ReadConnectionFile reads and checks a connection file. Its errors name the
// file, the field, what it holds and what it should hold.
func ReadConnectionFile(path string) (*Connection, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("connection file: %w", err)
	}
	defer f.Close()
	const most = 1 << 20
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("connection file: %w", err)
	}
	if len(text) > most {
		return nil, fmt.Errorf("connection file %s: got more than %d bytes, want a JSON object", path, most)
	}
	c, err := parseConnection(text)
	if err != nil {
		return nil, fmt.Errorf("connection file %s: %w", path, err)
	}
	return c, nil
}

// parseConnection decodes field by field: decoding into the struct would not
// tell a missing port from port 0. Fields it does not know are no error, since
// clients add their own.
func parseConnection(text []byte) (*Connection, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("got %s, want a JSON object (%w)", excerpt(text), err)
	}
	if fields == nil {
		return nil, fmt.Errorf("got null, want a JSON object")
	}
	for name, what := range unserved {
		if raw, ok := fields[name]; ok && string(raw) != "null" {
			return nil, fmt.Errorf("%s: %s", name, what)
		}
	}
	c := &Connection{Transport: "tcp", IP: "127.0.0.1", SignatureScheme: defaultScheme}
	for _, f := range []struct {
		name     string
		to       *string
		required bool
	}{
		{"transport", &c.Transport, false},
		{"ip", &c.IP, false},
		{"signature_scheme", &c.SignatureScheme, false},
		{"key", &c.Key, true},
	} {
		raw, ok := fields[f.name]
		if !ok && f.required {
			return nil, fmt.Errorf("%s: got no such field, want a string", f.name)
		}
		if !ok {
			continue
		}
		var text *string
		if err := json.Unmarshal(raw, &text); err != nil || text == nil {
			return nil, fmt.Errorf("%s: got %s, want a string", f.name, excerpt(raw))
		}
		*f.to = *text
	}
	for _, f := range []struct {
		name string
		to   *int
	}{
		{"shell_port", &c.ShellPort},
		{"iopub_port", &c.IOPubPort},
		{"stdin_port", &c.StdinPort},
		{"control_port", &c.ControlPort},
		{"hb_port", &c.HBPort},
	} {
		raw, ok := fields[f.name]
		if !ok {
			return nil, fmt.Errorf("%s: got no such field, want a port", f.name)
		}
		port, err := strconv.Atoi(strings.TrimSpace(string(raw)))
		if err != nil || port < 1 || port > 65535 {
			return nil, fmt.Errorf("%s: got %s, want a port, 1 to 65535", f.name, excerpt(raw))
		}
		*f.to = port
	}
	return c, c.check()
}

// check reports what would make the sockets fail, or leave the messages
// unsigned without anyone having asked for that.
func (c *Connection) check() error {
	if transports[c.Transport] == "" {
		return fmt.Errorf("transport: got %q, want tcp or ipc", c.Transport)
	}
	if c.IP == "" {
		return fmt.Errorf("ip: got an empty string, want an address")
	}
	_, err := newSigner(c.SignatureScheme, c.Key)
	return err
}

// address is what net.Listen takes for a port.
func (c *Connection) address(port int) (network, addr string) {
	network = transports[c.Transport]
	if network == "unix" {
		return network, fmt.Sprintf("%s-%d", c.IP, port)
	}
	host := c.IP
	if host == "*" {
		host = "" // ZeroMQ's name for all interfaces
	}
	return network, net.JoinHostPort(host, strconv.Itoa(port))
}

// excerpt quotes the beginning of a text for an error message.
func excerpt(text []byte) string {
	const limit = 40
	s := strings.TrimSpace(string(text))
	if s == "" {
		return "nothing"
	}
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "..."
	}
	return s
}
