package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A WorkerInfo is what a worker says of itself.
type WorkerInfo struct {
	ID       string    `json:"id"`
	Host     string    `json:"host"`
	PID      int       `json:"pid"`
	Version  string    `json:"version"`
	Threads  int       `json:"threads"` // of kernels
	ISA      string    `json:"isa"`
	Roof     string    `json:"roof,omitempty"` // of the machine, if it was measured
	Kinds    []string  `json:"kinds"`          // of tasks that it runs
	Since    time.Time `json:"since"`
	Done     int64     `json:"done"`
	Failed   int64     `json:"failed"`
	Busy     float64   `json:"busy"`              // seconds in tasks
	Now      string    `json:"now,omitempty"`     // the task that runs
	Refused  string    `json:"refused,omitempty"` // why it refused one last
	LastSeen time.Time `json:"-"`
}

// Workers are those that have said in the last seconds that they are there, by name.
func (c *Conn) Workers(ctx context.Context) ([]WorkerInfo, error) {
	keys, err := c.workers.ListKeys(ctx)
	if err != nil {
		return nil, err
	}
	var list []WorkerInfo
	for key := range keys.Keys() {
		e, err := c.workers.Get(ctx, key)
		if err != nil {
			if errors.Is(err, jetstream.ErrKeyNotFound) {
				continue // it went meanwhile
			}
			return nil, err
		}
		w := WorkerInfo{LastSeen: e.Created()}
		if json.Unmarshal(e.Value(), &w) == nil {
			list = append(list, w)
		}
	}
	slices.SortFunc(list, func(a, b WorkerInfo) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}

// A Queue is what the hub holds of the tasks of a kind.
type Queue struct {
	Kind        string
	Waiting     uint64 // given to no worker yet
	Running     int    // given to workers that have not acknowledged them
	Redelivered int    // of these, not for the first time
}

// A Fleet is the state of a hub.
type Fleet struct {
	Server  string
	Workers []WorkerInfo
	Queues  []Queue
	Jobs    map[string]int // tasks that wait or run, by job
	Results uint64         // no caller has taken them yet
	Bytes   uint64         // of the hub's tasks and results, and of objects
}

// Fleet asks the hub for its state.
func (c *Conn) Fleet(ctx context.Context) (*Fleet, error) {
	f := &Fleet{Server: "NATS " + c.nc.ConnectedServerVersion(), Jobs: make(map[string]int)}
	var err error
	if f.Workers, err = c.Workers(ctx); err != nil {
		return nil, c.o.explain(err)
	}
	tasks, err := c.tasks.Info(ctx, jetstream.WithSubjectFilter(taskPrefix+">"))
	if err != nil {
		return nil, c.o.explain(err)
	}
	for subject := range tasks.State.Subjects {
		if _, job, _, err := parseTask(subject); err == nil {
			f.Jobs[job]++
		}
	}
	results, err := c.results.Info(ctx)
	if err != nil {
		return nil, c.o.explain(err)
	}
	f.Results, f.Bytes = results.State.Msgs, results.State.Bytes+tasks.State.Bytes
	for _, s := range []jetstream.ObjectStore{c.programs, c.values} {
		if status, err := s.Status(ctx); err == nil {
			f.Bytes += status.Size()
		}
	}
	for _, kind := range kinds {
		consumer, err := c.js.Consumer(ctx, tasksStream, "arignote_"+kind)
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			waiting := uint64(0)
			for subject := range tasks.State.Subjects {
				if strings.HasPrefix(subject, taskPrefix+kind+".") {
					waiting++
				}
			}
			f.Queues = append(f.Queues, Queue{Kind: kind, Waiting: waiting})
			continue
		}
		if err != nil {
			return nil, c.o.explain(err)
		}
		info := consumer.CachedInfo()
		f.Queues = append(f.Queues, Queue{Kind: kind, Waiting: info.NumPending, Running: info.NumAckPending, Redelivered: info.NumRedelivered})
	}
	return f, nil
}
