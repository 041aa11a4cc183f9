package hub

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Options say where a hub listens and stores.
type Options struct {
	Dir     string // of tasks, results and the token; it is made if it is not there
	Listen  string // HOST:PORT; port 0 is one that is free; "" is 127.0.0.1:0
	Cert    string // a file with the certificate for TLS; "" for none
	Key     string // a file with its key
	MaxDisk int64  // bytes; 0: what the server takes, three quarters of what is free
	Log     string // a file; "" logs nothing
	Debug   bool
}

// TokenFile is the name of the file, in the hub's folder, that holds the token.
const TokenFile = "token"

// A Hub is a server that runs.
type Hub struct {
	s    *server.Server
	url  string
	path string // of the token
}

// minToken is the fewest characters of a token that the user wrote.
const minToken = 16

// Start starts a hub, and returns when it takes connections. Each folder has a token of its own,
// made with the folder. A hub that starts there again keeps it, so that its workers find back.
func Start(o Options) (*Hub, error) {
	if o.Dir == "" {
		return nil, errors.New("got no folder, want one to store tasks and results in")
	}
	host, port, err := splitAddress(cmp.Or(o.Listen, "127.0.0.1:0"))
	if err != nil {
		return nil, err
	}
	if (o.Cert == "") != (o.Key == "") {
		return nil, errors.New("tls: got one of certificate and key, want both")
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(o.Dir, TokenFile)
	token, err := tokenIn(path)
	if err != nil {
		return nil, err
	}
	opts := &server.Options{ServerName: "arignote-hub", Host: host, Port: port, Authorization: token, JetStream: true, StoreDir: o.Dir, JetStreamMaxStore: o.MaxDisk,
		NoSigs: true, NoLog: o.Log == "", LogFile: o.Log, Debug: o.Debug, Logtime: true, MaxPayload: 8 << 20, MaxPending: 256 << 20, WriteDeadline: 30 * time.Second}
	scheme := "nats"
	if o.Cert != "" {
		pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
		if err != nil {
			return nil, fmt.Errorf("tls: %w", err)
		}
		opts.TLSConfig, opts.TLS, opts.TLSTimeout = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, true, 5
		scheme = "tls"
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, err
	}
	if o.Log != "" {
		s.ConfigureLogger()
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		s.Shutdown()
		return nil, fmt.Errorf("the server does not take connections at %s: the port may be taken, or %s may be on a full disk or another hub's", net.JoinHostPort(host, strconv.Itoa(port)), o.Dir)
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("JetStream cannot store in %s", o.Dir)
	}
	addr := s.Addr().(*net.TCPAddr)
	return &Hub{s: s, url: scheme + "://" + net.JoinHostPort(host, strconv.Itoa(addr.Port)), path: path}, nil
}

func splitAddress(text string) (host string, port int, err error) {
	host, number, err := net.SplitHostPort(text)
	if err == nil {
		port, err = strconv.Atoi(number)
	}
	if err != nil || host == "" || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("got %q, want HOST:PORT, as in 127.0.0.1:4222 or 0.0.0.0:4222", text)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// tokenIn reads the token of a folder, or makes one of 130 random bits.
func tokenIn(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err == nil {
		token := strings.TrimSpace(string(text))
		if len(token) < minToken || strings.ContainsAny(token, " \t\r\n") {
			return "", fmt.Errorf("%s: got a token of %d characters, want at least %d without blanks: remove the file, and the hub makes one", path, len(token), minToken)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
			if err := os.Chmod(path, 0o600); err != nil {
				return "", fmt.Errorf("%s: others can read the token: %w", path, err)
			}
		}
		return token, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	token := rand.Text()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(token + "\n")
	return token, errors.Join(err, f.Sync(), f.Close())
}

// URL is where the hub is.
func (h *Hub) URL() string { return h.url }

// TokenPath is the file that holds the token.
func (h *Hub) TokenPath() string { return h.path }

// Stop ends the hub when what it stores is written.
func (h *Hub) Stop() {
	h.s.Shutdown()
	h.s.WaitForShutdown()
}

// IsLoopback reports whether only programs of this machine reach the hub.
func (h *Hub) IsLoopback() bool {
	addr, ok := h.s.Addr().(*net.TCPAddr)
	return ok && addr.IP.IsLoopback()
}
