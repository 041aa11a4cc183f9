package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Version is that of the program: workers run tasks of their own version only.
const Version = "0.1.0"

// A Cluster is a connection to a hub, with the processes that were started for it, if any were.
type Cluster struct {
	key   string // of a local one, by which a session finds it again
	local *cluster.Local
	conn  *cluster.Conn
	home  *clusters

	mu     sync.Mutex
	jobs   []*cluster.Job
	closed bool
}

var (
	_ value.Tabled   = (*Cluster)(nil)
	_ starlark.Value = (*Cluster)(nil)
)

// clusters are the local ones of a session.
type clusters struct {
	worker []string // the command that starts a worker; nil: there is none

	mu  sync.Mutex
	all map[string]*Cluster
}

type clustersKey struct{}

func clustersOf(s *session.Session) *clusters {
	return s.Local(clustersKey{}, func() any { return &clusters{all: make(map[string]*Cluster)} }).(*clusters)
}

// StartWorkersBy gives a session the command that starts a worker, without its flags.
func StartWorkersBy(s *session.Session, command []string) { clustersOf(s).worker = command }

func (c *Cluster) Type() string                             { return "Cluster" }
func (c *Cluster) Freeze()                                  {}
func (c *Cluster) Truth() starlark.Bool                     { return starlark.True }
func (c *Cluster) Hash() (uint32, error)                    { return 0, errors.New("unhashable type: Cluster") }
func (c *Cluster) Table() *value.Methods                    { return ClusterMethods }
func (c *Cluster) Attr(name string) (starlark.Value, error) { return ClusterMethods.Attr(c, name) }
func (c *Cluster) AttrNames() []string                      { return ClusterMethods.Names() }
func (c *Cluster) String() string {
	how := ""
	if c.isClosed() {
		how = ", closed"
	}
	return fmt.Sprintf("<cluster at %s%s>", c.conn.URL(), how)
}

type clusterArgs struct {
	Address *string `arg:"address=None: nats://HOST:PORT of a hub that runs; without one, and without config.cluster.connect, a hub and workers are started on this machine"`
	Creds   *string `arg:"creds=None: the file with the hub's token, or with credentials of NATS; config.cluster.creds if not given"`
	Workers *int    `arg:"workers=None: processes to start; as many as there are cores, divided by threads"`
	Threads int     `arg:"threads=1: that the kernels of each of them may use"`
}

// ClusterBuiltin is Cluster().
var ClusterBuiltin = value.Function("Cluster", "Workers that run compiled functions and files: those of a hub, or a hub and workers as processes of this machine, which end with the program, or when "+
	"close is called or a with statement ends. Cluster() once more gives those that run already.", "with Cluster() as c:\n    list(c.map(f, [1.0, 2.0]))",
	func(thread *starlark.Thread, a *clusterArgs) (starlark.Value, error) {
		s := session.Of(thread)
		c, err := open(s, a)
		if err != nil && s.Context().Err() != nil {
			return nil, context.Cause(s.Context())
		}
		if err != nil {
			return nil, err
		}
		return c, nil
	})

// wrong is an error of Cluster().
func wrong(class, format string, args ...any) error {
	return session.Failure(class, "Cluster: "+fmt.Sprintf(format, args...))
}

func open(s *session.Session, a *clusterArgs) (*Cluster, error) {
	cfg := s.Config()
	if cfg.Bool("sandbox") {
		return nil, wrong("PermissionError", "the sandbox lets no program start processes or connect to others")
	}
	address, creds := cfg.String("cluster.connect"), cfg.String("cluster.creds")
	if a.Address != nil {
		address = *a.Address
	}
	if a.Creds != nil {
		creds = *a.Creds
	}
	o := cluster.Options{URL: address, Creds: creds, CA: cfg.String("cluster.ca"), Name: fmt.Sprintf("arignote %d", os.Getpid()), Version: Version}
	if creds != "" {
		o.Creds = s.Path(creds)
	}
	home := clustersOf(s)
	c := &Cluster{home: home}
	if address == "" {
		if a.Threads < 1 {
			return nil, wrong("ValueError", "for parameter threads: got %d, want at least 1", a.Threads)
		}
		workers := max(parallel.Cores()/a.Threads, 1)
		if a.Workers != nil {
			workers = *a.Workers
		}
		if workers < 1 || workers > 4096 {
			return nil, wrong("ValueError", "for parameter workers: got %d, want 1 to 4096", workers)
		}
		c.key = fmt.Sprintf("%d of %d", workers, a.Threads)
		if old := home.find(c.key); old != nil {
			return old, nil
		}
		if home.worker == nil {
			return nil, wrong("RuntimeError", "this program starts no workers; arignote does. Give the address of a hub: Cluster(\"nats://HOST:PORT\", creds=\"token\")")
		}
		var err error
		c.local, err = cluster.StartLocal(s.Context(), cluster.LocalOptions{Hub: cfg.String("cluster.hub"), Worker: home.worker, Workers: workers, Threads: a.Threads,
			Files: s.Dir(), Stderr: os.Stderr})
		if err != nil {
			return nil, wrong("RuntimeError", "%v", err)
		}
		o.URL, o.Creds = c.local.URL(), c.local.Creds()
	} else if err := cluster.CheckURL(address); err != nil {
		return nil, wrong("ValueError", "%v", err)
	} else if a.Workers != nil {
		return nil, wrong("ValueError", "for parameter workers: the workers at %s are started there: arignote worker --connect %s", address, address)
	}
	var err error
	if c.conn, err = cluster.Connect(s.Context(), o); err != nil {
		if c.local != nil {
			c.local.Close()
		}
		return nil, wrong("ConnectionError", "%v", err)
	}
	if c.local != nil {
		home.put(c.key, c)
	}
	return c, nil
}

func (h *clusters) find(key string) *Cluster {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all[key]
}

func (h *clusters) put(key string, c *Cluster) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all[key] = c
}

func (h *clusters) remove(c *Cluster) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all[c.key] == c {
		delete(h.all, c.key)
	}
}

func (c *Cluster) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// newJob begins a job that ends with the cluster.
func (c *Cluster) newJob(ctx context.Context, o cluster.JobOptions) (*cluster.Job, error) {
	if c.isClosed() {
		return nil, session.Failure("ValueError", "the cluster is closed")
	}
	job, err := c.conn.NewJob(ctx, o)
	if err != nil {
		return nil, session.Failure("ConnectionError", err.Error())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.jobs = append(c.jobs, job)
	return job, nil
}

func (c *Cluster) endJob(job *cluster.Job) {
	c.mu.Lock()
	c.jobs = slices.DeleteFunc(c.jobs, func(j *cluster.Job) bool { return j == job })
	c.mu.Unlock()
	job.Close()
}

func (c *Cluster) close() {
	c.mu.Lock()
	jobs, was := c.jobs, c.closed
	c.jobs, c.closed = nil, true
	c.mu.Unlock()
	if was {
		return
	}
	for _, j := range jobs {
		j.Close()
	}
	c.conn.Close()
	c.home.remove(c)
	if c.local != nil {
		c.local.Close()
	}
}

const started = "c = Cluster()\n"

// ClusterMethods are the attributes of a Cluster.
var ClusterMethods = value.NewMethods("Cluster", []value.Builtin{
	value.MethodOf("map", "What f returns for each item, in their order: an iterator, which gives results as they come. Each item has one result, whichever workers die. The first item that "+
		"fails ends it, with the exception of the worker. A function that draws random numbers draws others for each item, the same in every run.",
		started+"list(c.map(f, [1.0, 2.0, 3.0]))", mapOverCluster),
	value.MethodOf("sweep", "Runs a script or a notebook once for each combination of values of its parameters: a list with a dict for each run, of its parameters and of what it calls results, and "+
		"with what it printed. What runs have shown is kept in dir. A run that fails has an error, and ends no other.",
		started+`c.sweep("train.star", {"lr": [0.1, 0.01], "hidden": [64, 128]})`, sweepOver),
	value.MethodOf("workers", "What is known of the workers that are there: a list of dicts.", started+`[w["host"] for w in c.workers()]`, workersOf),
	value.MethodOf("close", "Ends what runs and the connection, and the hub and the workers if Cluster() has started them.", started+"c.close()",
		func(_ *starlark.Thread, c *Cluster, _ *struct{}) (starlark.Value, error) {
			c.close()
			return nil, nil
		}),
	value.MethodOf("__enter__", "The cluster: with calls it.", "Cluster().__enter__()", func(_ *starlark.Thread, c *Cluster, _ *struct{}) (starlark.Value, error) { return c, nil }),
	value.MethodOf("__exit__", "Closes the cluster: with calls it.", started+"c.__exit__()", func(_ *starlark.Thread, c *Cluster, _ *struct {
		Error starlark.Tuple `arg:"*error: what the block failed with"`
	}) (starlark.Value, error) {
		c.close()
		return nil, nil
	}),
}).With(
	value.FieldOf("url", "Where the hub is.", "Cluster().url", func(c *Cluster) starlark.Value { return starlark.String(c.conn.URL()) }),
	value.FieldOf("creds", "The file with the token of a hub that Cluster() has started, which arignote worker takes; None of others.", "Cluster().creds", func(c *Cluster) starlark.Value {
		if c.local == nil {
			return starlark.None
		}
		return starlark.String(c.local.Creds())
	}),
)

// Table is what cells have without an import.
var Table = []value.Builtin{ClusterBuiltin}

// Types are the tables of this package's types.
var Types = []*value.Methods{ClusterMethods, ResultsMethods}

func mapOverCluster(thread *starlark.Thread, c *Cluster, a *mapArgs) (starlark.Value, error) {
	return mapOver(thread, c, a)
}

func workersOf(thread *starlark.Thread, c *Cluster, _ *struct{}) (starlark.Value, error) {
	if c.isClosed() {
		return nil, session.Failure("ValueError", "workers: the cluster is closed")
	}
	ctx, cancel := context.WithTimeout(session.Of(thread).Context(), 10*time.Second)
	defer cancel()
	workers, err := c.conn.Workers(ctx)
	if err != nil {
		return nil, session.Failure("ConnectionError", "workers: "+err.Error())
	}
	list := make([]starlark.Value, len(workers))
	for i, w := range workers {
		d := slot.NewDict(8)
		for _, kv := range []struct {
			name string
			v    starlark.Value
		}{{"name", starlark.String(w.ID)}, {"host", starlark.String(w.Host)}, {"pid", starlark.MakeInt(w.PID)}, {"version", starlark.String(w.Version)},
			{"threads", starlark.MakeInt(w.Threads)}, {"isa", starlark.String(w.ISA)}, {"roof", starlark.String(w.Roof)}, {"done", starlark.MakeInt64(w.Done)},
			{"failed", starlark.MakeInt64(w.Failed)}, {"busy", starlark.Float(w.Busy)}, {"now", starlark.String(cmp.Or(w.Now, ""))}} {
			if err := d.SetKey(starlark.String(kv.name), kv.v); err != nil {
				return nil, err
			}
		}
		list[i] = d
	}
	return slot.NewList(list), nil
}

// Addressed are the flags that say where a cluster is.
func Addressed(cfg *config.Config) (url, creds, ca string) {
	return cfg.String("cluster.connect"), cfg.String("cluster.creds"), cfg.String("cluster.ca")
}
