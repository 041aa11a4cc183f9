package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// JobOptions say what the tasks of a job run, and how.
type JobOptions struct {
	Kind    string // Functions or Files
	Program []byte
	Timeout time.Duration // of a task; 0: none
	Retries int           // how often a task is begun again whose worker was lost
	Any     bool          // Next returns results as they come, not in the order of the tasks
	// Progress, if not nil, is told, in Next, how many results are here.
	Progress func(results int)
	// Warn, if not nil, is told, in Next, why the tasks wait.
	Warn func(text string)
}

// Window is how many tasks a caller best has with the hub at a time.
const Window = 2048

const (
	// silence is after which time without a result the hub is asked what became of the tasks.
	silence = 5 * time.Second
	// look is how often Next looks whether workers are there that can run the tasks.
	look = time.Second
)

// A Result is what became of a task.
type Result struct {
	N       int // of the task, from 0
	Value   []byte
	Failure *Failure // why there is no value
	Worker  string
	Took    time.Duration // in the worker
}

// A Job is tasks that run the same program. Submit and Next are called from one goroutine.
type Job struct {
	c    *Conn
	id   string
	o    JobOptions
	hash string
	ctx  context.Context // until Close
	end  context.CancelFunc

	consuming jetstream.ConsumeContext
	notes     *nats.Subscription
	published chan publication

	submitted, taken int

	mu        sync.Mutex
	waiting   map[int]*nats.Msg // tasks without a result
	arrived   map[int]*arrival  // results that Next has not returned
	order     []int             // of arrived
	refused   map[string]string // why, by worker
	trouble   string            // why the hub has not stored a task or a result
	last      time.Time         // something came
	connected uint64            // reconnections when lookAfter asked last
	news      chan struct{}
}

// An arrival is a result as it came.
type arrival struct {
	header nats.Header
	data   []byte
	task   nats.Header // of the task, whose object goes with the result
}

// A publication is a task on its way to the hub.
type publication struct {
	n       int
	outcome jetstream.PubAckFuture
}

// NewJob gives the hub the program, and listens for results.
func (c *Conn) NewJob(ctx context.Context, o JobOptions) (*Job, error) {
	hash, err := c.PutProgram(ctx, o.Program)
	if err != nil {
		return nil, c.o.explain(err)
	}
	j := &Job{c: c, id: strings.ToLower(rand.Text()[:12]), o: o, hash: hash, published: make(chan publication, 2*Window), waiting: make(map[int]*nats.Msg),
		arrived: make(map[int]*arrival), refused: make(map[string]string), last: time.Now(), connected: c.nc.Stats().Reconnects, news: make(chan struct{}, 1)}
	j.ctx, j.end = context.WithCancel(context.Background())
	results, err := c.js.OrderedConsumer(ctx, resultsStream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{resultPrefix + j.id + ".>"}})
	if err != nil {
		return nil, c.o.explain(err)
	}
	if j.consuming, err = results.Consume(j.receive, jetstream.PullExpiry(10*time.Second), jetstream.PullHeartbeat(2*time.Second),
		jetstream.ConsumeErrHandler(func(jetstream.ConsumeContext, error) {})); err != nil {
		return nil, c.o.explain(err)
	}
	if j.notes, err = c.nc.Subscribe(notePrefix+j.id, j.note); err != nil {
		j.consuming.Stop()
		return nil, c.o.explain(err)
	}
	go j.confirm()
	return j, nil
}

// ID names the job at the hub.
func (j *Job) ID() string { return j.id }

// Open is how many tasks were submitted whose results Next has not returned.
func (j *Job) Open() int { return j.submitted - j.taken }

// Submit gives the hub a task. It does not wait until the hub has it.
func (j *Job) Submit(ctx context.Context, input []byte) error {
	n := j.submitted
	m := nats.NewMsg(taskSubject(j.o.Kind, j.id, n))
	m.Header.Set(headerProgram, j.hash)
	m.Header.Set(headerVersion, j.c.stamp())
	if j.o.Timeout > 0 {
		m.Header.Set(headerTimeout, j.o.Timeout.String())
	}
	m.Header.Set(headerRetries, strconv.Itoa(j.o.Retries))
	if err := j.c.body(ctx, m, fmt.Sprintf("%s.%d.input", j.id, n), input); err != nil {
		return fmt.Errorf("task %d: %w", n, err)
	}
	j.submitted++
	j.mu.Lock()
	j.waiting[n] = m
	j.mu.Unlock()
	return j.publish(ctx, n, m, fmt.Sprintf("%s.%d", j.id, n))
}

// publish sends a task. One that is sent twice under the same id is one, within the window of the
// hub; beyond it runs twice, and has one result.
func (j *Job) publish(ctx context.Context, n int, m *nats.Msg, id string) error {
	for {
		sent := &nats.Msg{Subject: m.Subject, Header: maps.Clone(m.Header), Data: m.Data}
		outcome, err := j.c.js.PublishMsgAsync(sent, jetstream.WithMsgID(id))
		if err == nil {
			select {
			case j.published <- publication{n, outcome}:
				return nil
			case <-j.ctx.Done():
				return j.ctx.Err()
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		if errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrMaxPayload) {
			return j.c.o.explain(err)
		}
		select { // the hub is gone, and its queue full
		case <-time.After(200 * time.Millisecond):
		case <-j.ctx.Done():
			return j.ctx.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// confirm waits until the hub has stored what was published, and publishes again what it did not.
func (j *Job) confirm() {
	for {
		select {
		case <-j.ctx.Done():
			return
		case p := <-j.published:
			select {
			case <-j.ctx.Done():
				return
			case <-p.outcome.Ok():
			case err := <-p.outcome.Err():
				j.mu.Lock()
				m := j.waiting[p.n]
				if api := (*jetstream.APIError)(nil); errors.As(err, &api) {
					j.trouble = api.Description
				}
				j.mu.Unlock()
				if m == nil { // its result is here
					continue
				}
				select {
				case <-time.After(100 * time.Millisecond):
				case <-j.ctx.Done():
					return
				}
				go j.publish(j.ctx, p.n, m, fmt.Sprintf("%s.%d", j.id, p.n))
			}
		}
	}
}

// receive takes a result.
func (j *Job) receive(m jetstream.Msg) {
	if n, err := strconv.Atoi(m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:]); err == nil {
		j.keep(n, m.Headers(), m.Data())
	}
}

func (j *Job) keep(n int, header nats.Header, data []byte) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last = time.Now()
	if _, open := j.waiting[n]; !open { // it came twice
		return
	}
	j.arrived[n], j.order = &arrival{header, data, j.waiting[n].Header}, append(j.order, n)
	delete(j.waiting, n)
	j.wake()
}

func (j *Job) wake() {
	select {
	case j.news <- struct{}{}:
	default:
	}
}

// A note is what a worker says of a job that it does not run.
type note struct {
	Worker string `json:"worker"`
	Why    string `json:"why"`
	// Missing says that the hub has no program: it has lost what it held.
	Missing bool `json:"missing,omitempty"`
	// Trouble says that the hub has not stored a result, which the worker keeps trying.
	Trouble bool `json:"trouble,omitempty"`
}

func (j *Job) note(m *nats.Msg) {
	var n note
	if json.Unmarshal(m.Data, &n) != nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case n.Missing:
		go j.c.PutProgram(j.ctx, j.o.Program)
		return
	case n.Trouble:
		j.trouble = n.Why
		return
	}
	j.refused[n.Worker] = fmt.Sprintf("worker %s: %s", n.Worker, n.Why)
	j.wake()
}

// take returns the result that is next, if it is here.
func (j *Job) take() (n int, a *arrival) {
	j.mu.Lock()
	defer j.mu.Unlock()
	n = j.taken
	if j.o.Any {
		if len(j.order) == 0 {
			return 0, nil
		}
		n = j.order[0]
		j.order = j.order[1:]
	}
	a = j.arrived[n]
	delete(j.arrived, n)
	return n, a
}

// Arrived is how many results are here, with those that Next has returned.
func (j *Job) Arrived() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.submitted - len(j.waiting)
}

// Next waits for the next result. A task that failed is a result too. An error says why there will
// be none: ctx has ended, or no worker can run the tasks.
func (j *Job) Next(ctx context.Context) (*Result, error) {
	if j.Open() == 0 {
		return nil, errors.New("no task is open")
	}
	tick := time.NewTicker(look)
	defer tick.Stop()
	began, warned, stuck := time.Now(), false, false
	for {
		if n, a := j.take(); a != nil {
			j.taken++
			j.mu.Lock()
			j.trouble = ""
			j.mu.Unlock()
			if j.o.Progress != nil {
				j.o.Progress(j.Arrived())
			}
			return j.result(ctx, n, a)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-j.ctx.Done():
			return nil, errors.New("the job was closed")
		case <-j.news:
			if j.o.Progress != nil {
				j.o.Progress(j.Arrived())
			}
		case <-tick.C:
			switch err := j.refusedByAll(ctx); {
			case err != nil && stuck: // for a second: another worker may just be coming
				return nil, err
			default:
				stuck = err != nil
			}
			if !warned && time.Since(began) > silence {
				warned = j.warn(ctx)
			}
			j.lookAfter(ctx)
		}
	}
}

func (j *Job) result(ctx context.Context, n int, a *arrival) (*Result, error) {
	value, err := j.c.valueOf(ctx, a.header, a.data)
	if err != nil {
		return nil, fmt.Errorf("task %d: %w", n, err)
	}
	r := &Result{N: n, Value: value, Worker: a.header.Get(headerWorker)}
	r.Took, _ = time.ParseDuration(a.header.Get(headerTook))
	if a.header.Get(headerFailed) != "" {
		r.Value, r.Failure = nil, new(Failure)
		if err := json.Unmarshal(value, r.Failure); err != nil {
			return nil, fmt.Errorf("task %d: the failure that worker %s tells: %w", n, r.Worker, err)
		}
		r.Failure.Worker = cmp.Or(r.Failure.Worker, r.Worker)
	}
	j.c.drop(ctx, a.header)
	j.c.drop(ctx, a.task)
	return r, nil
}

// refusedByAll says why no worker runs the tasks, if all that are there have refused them.
func (j *Job) refusedByAll(ctx context.Context) error {
	j.mu.Lock()
	refused := maps.Clone(j.refused)
	j.mu.Unlock()
	if len(refused) == 0 {
		return nil
	}
	workers, err := j.c.Workers(ctx)
	if err != nil {
		return nil // the hub is gone for now
	}
	var why []string
	for _, w := range workers {
		if !slices.Contains(w.Kinds, j.o.Kind) {
			continue
		}
		text, has := refused[w.ID]
		if !has {
			return nil
		}
		why = append(why, text)
	}
	if len(why) == 0 {
		return nil
	}
	slices.Sort(why)
	return &Failure{Class: classLost, Message: "no worker runs the tasks:\n    " + strings.Join(slices.Compact(why), "\n    ")}
}

// warn says what keeps the tasks waiting, if it is no worker.
func (j *Job) warn(ctx context.Context) bool {
	if j.o.Warn == nil {
		return true
	}
	if !j.c.Connected() {
		j.o.Warn(fmt.Sprintf("the hub at %s does not answer; the tasks wait until it does", j.c.o.URL))
		return true
	}
	j.mu.Lock()
	trouble := j.trouble
	j.mu.Unlock()
	if trouble != "" {
		j.o.Warn(fmt.Sprintf("the hub at %s does not store what it is given: %s; the tasks wait until it does", j.c.o.URL, trouble))
		return true
	}
	workers, err := j.c.Workers(ctx)
	if err != nil {
		return false
	}
	if !slices.ContainsFunc(workers, func(w WorkerInfo) bool { return slices.Contains(w.Kinds, j.o.Kind) }) {
		how := ""
		if j.o.Kind == Files {
			how = " --files DIR"
		}
		j.o.Warn(fmt.Sprintf("no worker is there that runs a %s; the tasks wait until one comes: arignote worker --connect %s --creds FILE%s", j.o.Kind, j.c.o.URL, how))
		return true
	}
	return false
}

// lookAfter asks the hub what became of the tasks, after a silence and when the connection was
// lost. Those that it has neither waiting nor done are submitted again: its storage was lost.
// Results that it has are taken.
func (j *Job) lookAfter(ctx context.Context) {
	again := j.c.nc.Stats().Reconnects
	j.mu.Lock()
	quiet := time.Since(j.last) > silence || again != j.connected
	j.mu.Unlock()
	if !quiet || !j.c.Connected() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	// A hub that has lost its storage has no stream either.
	if _, err := j.c.tasks.Info(ctx); errors.Is(err, jetstream.ErrStreamNotFound) {
		if j.c.setUp(ctx) != nil {
			return
		}
	}
	if _, err := j.c.PutProgram(ctx, j.o.Program); err != nil {
		return
	}
	held, err := j.held(ctx, j.c.tasks, taskPrefix+j.o.Kind+"."+j.id+".>")
	if err != nil {
		return
	}
	done, err := j.held(ctx, j.c.results, resultPrefix+j.id+".>")
	if err != nil {
		return
	}
	j.mu.Lock()
	j.last, j.connected = time.Now(), again
	lost, missed := make(map[int]*nats.Msg), []int(nil)
	for n, m := range j.waiting {
		switch {
		case done[n]:
			missed = append(missed, n)
		case !held[n]:
			lost[n] = m
		}
	}
	j.mu.Unlock()
	for _, n := range missed {
		if m, err := j.c.results.GetLastMsgForSubject(ctx, resultSubject(j.id, n)); err == nil {
			j.keep(n, m.Header, m.Data)
		}
	}
	for n, m := range lost {
		go j.publish(j.ctx, n, m, fmt.Sprintf("%s.%d.%s", j.id, n, rand.Text()[:6]))
	}
}

// held are the numbers of the tasks that a stream has messages of.
func (j *Job) held(ctx context.Context, s jetstream.Stream, filter string) (map[int]bool, error) {
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return nil, err
	}
	numbers := make(map[int]bool, len(info.State.Subjects))
	for subject := range info.State.Subjects {
		if n, err := strconv.Atoi(subject[strings.LastIndexByte(subject, '.')+1:]); err == nil {
			numbers[n] = true
		}
	}
	return numbers, nil
}

// Close ends the job: tasks that wait are taken back, those that run are cancelled, and its results
// are gone.
func (j *Job) Close() {
	open := j.Open() > 0
	j.end()
	j.consuming.Stop()
	_ = j.notes.Unsubscribe()
	if j.c.nc.IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if open {
		_ = j.c.Cancel(ctx, j.id)
	}
	_ = j.c.results.Purge(ctx, jetstream.WithPurgeSubject(resultPrefix+j.id+".>"))
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, m := range j.waiting {
		j.c.drop(ctx, m.Header)
	}
	for _, a := range j.arrived {
		j.c.drop(ctx, a.header)
		j.c.drop(ctx, a.task)
	}
}

// Cancel takes back the tasks of a job that wait, and cancels those that run.
func (c *Conn) Cancel(ctx context.Context, job string) error {
	var err error
	for _, kind := range kinds {
		err = errors.Join(err, c.tasks.Purge(ctx, jetstream.WithPurgeSubject(taskPrefix+kind+"."+job+".>")))
	}
	return errors.Join(err, c.nc.Publish(cancelPrefix+job, nil), c.nc.FlushWithContext(ctx))
}
