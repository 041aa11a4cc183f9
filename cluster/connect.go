package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options say which hub to connect to, and as whom.
type Options struct {
	URL      string // nats://host:port, or tls://; several are separated by commas
	Creds    string // a file: a token, or credentials of NATS (.creds)
	Token    string // where there is no such file
	CA       string // a file of certificates that sign the hub's; "" for the system's
	Name     string // what the hub calls the connection
	Version  string // of the program
	AckWait  time.Duration
	Replicas int // of streams and buckets, for hubs that are several servers; 0: 1
	// Changed, if not nil, is told of connections that are lost and there again.
	Changed func(text string)
}

// A Conn is a connection to a hub. It connects again by itself. Its methods may be called from
// several goroutines.
type Conn struct {
	o        Options
	nc       *nats.Conn
	js       jetstream.JetStream
	tasks    jetstream.Stream
	results  jetstream.Stream
	programs jetstream.ObjectStore
	values   jetstream.ObjectStore
	workers  jetstream.KeyValue
	begun    jetstream.KeyValue
}

// Connect connects to a hub, and makes there what is missing. It never connects without a token or
// credentials.
func Connect(ctx context.Context, o Options) (*Conn, error) {
	o.AckWait = cmp.Or(o.AckWait, DefaultAckWait)
	o.Replicas = max(o.Replicas, 1)
	if err := CheckURL(o.URL); err != nil {
		return nil, err
	}
	auth, err := o.auth()
	if err != nil {
		return nil, err
	}
	tell := func(text string) {
		if o.Changed != nil {
			o.Changed(text)
		}
	}
	c := &Conn{o: o}
	opts := []nats.Option{auth, nats.Name(o.Name), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, time.Second),
		nats.IgnoreAuthErrorAbort(), nats.Timeout(5 * time.Second), nats.ReconnectBufSize(64 << 20), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(3),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				tell("the hub is gone (" + err.Error() + "): trying to connect again")
			}
		}),
		nats.ReconnectHandler(func(nc *nats.Conn) { tell("connected again to " + nc.ConnectedUrlRedacted()) })}
	if o.CA != "" {
		opts = append(opts, nats.RootCAs(o.CA))
	}
	if c.nc, err = nats.Connect(o.URL, opts...); err != nil {
		return nil, o.explain(err)
	}
	// An answer that is lost with a connection is asked for again: see Job.publish.
	if c.js, err = jetstream.New(c.nc, jetstream.WithPublishAsyncMaxPending(16<<10), jetstream.WithPublishAsyncTimeout(10*time.Second),
		jetstream.WithDefaultTimeout(10*time.Second)); err == nil {
		err = c.setUp(ctx)
	}
	if err != nil {
		c.nc.Close()
		return nil, o.explain(err)
	}
	return c, nil
}

// CheckURL refuses what is no address of a hub.
func CheckURL(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(strings.TrimSpace(part))
		if err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls" {
			return fmt.Errorf("got the address %q, want nats://HOST:PORT, or tls://HOST:PORT", part)
		}
		if u.User != nil {
			return fmt.Errorf("the address %s has a password in it, which others see in lists of processes: put it into a file, and name that as creds", u.Redacted())
		}
	}
	return nil
}

// credsMark begins a file of credentials of NATS.
const credsMark = "-----BEGIN NATS USER JWT-----"

// auth is how a connection says who it is.
func (o *Options) auth() (nats.Option, error) {
	if o.Creds == "" {
		if o.Token == "" {
			return nil, errors.New("got no token and no credentials for the hub, which lets nobody in without: name the file that it has written, DIR/token, as creds")
		}
		return nats.Token(o.Token), nil
	}
	text, err := os.ReadFile(o.Creds)
	if err != nil {
		return nil, fmt.Errorf("creds: %w", err)
	}
	if strings.Contains(string(text), credsMark) {
		return nats.UserCredentials(o.Creds), nil
	}
	token := strings.TrimSpace(string(text))
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return nil, fmt.Errorf("creds: %s holds neither a token on a line of its own nor credentials of NATS", o.Creds)
	}
	return nats.Token(token), nil
}

// explain says what users can do about an error of the connection.
func (o *Options) explain(err error) error {
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked):
		return fmt.Errorf("the hub at %s refuses the credentials: they are not those that it was started with", o.URL)
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("no hub answers at %s: arignote hub starts one", o.URL)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("the server at %s has no JetStream, or not for this account: %w", o.URL, err)
	}
	return fmt.Errorf("hub at %s: %w", o.URL, err)
}

// URL is the address of the hub.
func (c *Conn) URL() string { return c.o.URL }

// Close ends the connection.
func (c *Conn) Close() { c.nc.Close() }

// Connected reports whether the hub is there now.
func (c *Conn) Connected() bool { return c.nc.IsConnected() }

// stamp is the version that tasks have.
func (c *Conn) stamp() string { return fmt.Sprintf("%s/%d", c.o.Version, Protocol) }
