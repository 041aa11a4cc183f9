package hub

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
)

// A Ready is the line, as JSON, that the program writes when it takes connections.
type Ready struct {
	URL     string `json:"url"`
	Creds   string `json:"creds"` // the file that holds the token
	Dir     string `json:"dir"`
	PID     int    `json:"pid"`
	Version string `json:"version"` // of NATS
}

// Main is the program arignote-hub, until ctx ends. It returns the exit status: 0, 1 for a failure,
// 2 for a wrong command line.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, eof, temporary := Options{}, false, false
	f := flag.NewFlagSet("arignote-hub", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprintln(stderr, "arignote-hub is the server of a cluster: NATS with JetStream. arignote hub runs it.\nFlags are also read from the environment, as ARIGNOTE_HUB_DIR is for --dir.")
		f.PrintDefaults()
	}
	f.StringVar(&o.Dir, "dir", "arignote-hub", "the `folder` of tasks, results and the token")
	f.StringVar(&o.Listen, "listen", "127.0.0.1:4222", "`HOST:PORT`; port 0 is one that is free")
	f.StringVar(&o.Cert, "tls-cert", "", "a `file` with the certificate for TLS")
	f.StringVar(&o.Key, "tls-key", "", "a `file` with its key")
	f.Int64Var(&o.MaxDisk, "max-disk", 0, "`bytes` that may be stored; 0: three quarters of what is free")
	f.StringVar(&o.Log, "log", "", "a `file` for what the server says")
	f.BoolVar(&o.Debug, "debug", false, "log more")
	f.BoolVar(&eof, "until-eof", false, "end when standard input does")
	f.BoolVar(&temporary, "temporary", false, "remove the folder at the end")
	var wrong error
	f.VisitAll(func(g *flag.Flag) {
		name := "ARIGNOTE_HUB_" + strings.ToUpper(strings.ReplaceAll(g.Name, "-", "_"))
		if text := os.Getenv(name); text != "" && wrong == nil {
			if err := g.Value.Set(text); err != nil {
				wrong = fmt.Errorf("%s: got %q: %w", name, text, err)
			}
		}
	})
	if wrong != nil {
		fmt.Fprintln(stderr, "arignote-hub:", wrong)
		return 2
	}
	switch err := f.Parse(args); {
	case err == flag.ErrHelp:
		return 0
	case err != nil:
		return 2
	case f.NArg() > 0:
		fmt.Fprintf(stderr, "arignote-hub: got the argument %q, want flags only\n", f.Arg(0))
		return 2
	}
	h, err := Start(o)
	if err != nil {
		fmt.Fprintln(stderr, "arignote-hub:", err)
		return 1
	}
	defer func() {
		h.Stop()
		if temporary {
			_ = os.RemoveAll(o.Dir)
		}
	}()
	if !h.IsLoopback() && o.Cert == "" {
		fmt.Fprintln(stderr, "arignote-hub: warning: other machines reach this hub, and what is said with it, the token too, can be read on the way: --tls-cert and --tls-key encrypt it")
	}
	line, err := json.Marshal(Ready{URL: h.URL(), Creds: h.TokenPath(), Dir: o.Dir, PID: os.Getpid(), Version: server.VERSION})
	if err == nil {
		_, err = fmt.Fprintf(stdout, "%s\n", line)
	}
	if err != nil {
		fmt.Fprintln(stderr, "arignote-hub:", err)
		return 1
	}
	if eof {
		ended, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() {
			_, _ = io.Copy(io.Discard, stdin)
			cancel()
		}()
		ctx = ended
	}
	<-ctx.Done()
	return 0
}
