package cluster

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Protocol is the version of what programs say to one another through a hub. A worker refuses tasks
// of another.
const Protocol = 1

// The names of what a hub holds.
const (
	tasksStream    = "ARIGNOTE_TASKS"
	resultsStream  = "ARIGNOTE_RESULTS"
	programsBucket = "arignote_programs"
	valuesBucket   = "arignote_values"
	workersBucket  = "arignote_workers"
	begunBucket    = "arignote_begun"

	taskPrefix   = "arignote.task."
	resultPrefix = "arignote.result."
	cancelPrefix = "arignote.cancel."
	notePrefix   = "arignote.note."
)

// The headers of tasks and results.
const (
	headerProgram  = "Arignote-Program" // SHA-256 of what the task runs
	headerVersion  = "Arignote-Version" // of the program that gave the task, with the protocol
	headerTimeout  = "Arignote-Timeout" // of the task, as a time.Duration
	headerRetries  = "Arignote-Retries" // how often it is begun again whose worker was lost
	headerObject   = "Arignote-Object"  // the object that holds the body
	headerFailed   = "Arignote-Failed"  // the body is a Failure, as JSON
	headerWorker   = "Arignote-Worker"  // who ran it
	headerTook     = "Arignote-Took"    // for how long, as a time.Duration
	headerExpected = "Nats-Expected-Last-Subject-Sequence"
)

// The kinds of tasks.
const (
	Functions = "function" // a compiled function
	Files     = "file"     // a script or a notebook: for workers that were started so
)

var kinds = []string{Functions, Files}

const (
	// keptFor is how long tasks and results stay that no worker or caller takes.
	keptFor = 7 * 24 * time.Hour
	// presence is after which time a worker that says nothing is gone.
	presence = 15 * time.Second
	// dedupWindow is for how long a task that was published twice is one.
	dedupWindow = 2 * time.Minute
	// DefaultAckWait is after which time a task whose worker says nothing is given to another.
	DefaultAckWait = 10 * time.Second
)

func taskSubject(kind, job string, n int) string {
	return taskPrefix + kind + "." + job + "." + strconv.Itoa(n)
}

func resultSubject(job string, n int) string { return resultPrefix + job + "." + strconv.Itoa(n) }

// parseTask reads the subject of a task.
func parseTask(subject string) (kind, job string, n int, err error) {
	parts := strings.Split(strings.TrimPrefix(subject, taskPrefix), ".")
	if len(parts) != 3 || !strings.HasPrefix(subject, taskPrefix) {
		return "", "", 0, fmt.Errorf("got the subject %q, want %s<kind>.<job>.<n>", subject, taskPrefix)
	}
	if n, err = strconv.Atoi(parts[2]); err != nil || n < 0 {
		return "", "", 0, fmt.Errorf("got the subject %q, want the number of a task at its end", subject)
	}
	return parts[0], parts[1], n, nil
}

// setUp makes what the hub does not hold yet.
func (c *Conn) setUp(ctx context.Context) error {
	if _, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: tasksStream, Description: "tasks of Arignote that wait or run",
		Subjects: []string{taskPrefix + ">"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, Duplicates: dedupWindow, MaxAge: keptFor,
		Replicas: c.o.Replicas}); err != nil {
		return err
	}
	var err error
	if c.results, err = c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: resultsStream, Description: "results of Arignote's tasks",
		Subjects: []string{resultPrefix + ">"}, Storage: jetstream.FileStorage, Duplicates: dedupWindow, MaxAge: keptFor, AllowDirect: true,
		Replicas: c.o.Replicas}); err != nil {
		return err
	}
	if c.tasks, err = c.js.Stream(ctx, tasksStream); err != nil {
		return err
	}
	for _, b := range []struct {
		to  *jetstream.ObjectStore
		cfg jetstream.ObjectStoreConfig
	}{
		{&c.programs, jetstream.ObjectStoreConfig{Bucket: programsBucket, Description: "what Arignote's tasks run, by content", Replicas: c.o.Replicas}},
		{&c.values, jetstream.ObjectStoreConfig{Bucket: valuesBucket, Description: "large inputs and results of Arignote's tasks", TTL: keptFor, Replicas: c.o.Replicas}},
	} {
		if *b.to, err = c.js.CreateOrUpdateObjectStore(ctx, b.cfg); err != nil {
			return err
		}
	}
	for _, b := range []struct {
		to  *jetstream.KeyValue
		cfg jetstream.KeyValueConfig
	}{
		{&c.workers, jetstream.KeyValueConfig{Bucket: workersBucket, Description: "workers of Arignote", TTL: presence, Replicas: c.o.Replicas}},
		{&c.begun, jetstream.KeyValueConfig{Bucket: begunBucket, Description: "how often tasks of Arignote were begun again", TTL: keptFor, Replicas: c.o.Replicas}},
	} {
		if *b.to, err = c.js.CreateOrUpdateKeyValue(ctx, b.cfg); err != nil {
			return err
		}
	}
	return nil
}

// consumer is what hands out the tasks of a kind. Its first user says after which time a task is
// given to another worker.
func (c *Conn) consumer(ctx context.Context, kind string) (jetstream.Consumer, error) {
	name := "arignote_" + kind
	have, err := c.js.Consumer(ctx, tasksStream, name)
	if err == nil || !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return have, err
	}
	return c.js.CreateOrUpdateConsumer(ctx, tasksStream, jetstream.ConsumerConfig{Durable: name, Description: "hands out tasks: " + kind,
		FilterSubject: taskPrefix + kind + ".>", AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.o.AckWait, MaxDeliver: -1,
		MaxAckPending: 100_000, MaxWaiting: 10_000})
}
