package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Runner makes programs of bytes.
type Runner interface {
	// Open makes a program ready to run. An error says why this worker cannot run it: another may.
	Open(ctx context.Context, kind, hash string, program []byte) (Program, error)
}

// A Program runs tasks, one at a time. What it returns is a function of the program, the number of
// the task and the input alone: a task may run twice. Its error, of type *Failure if it says more,
// is what became of the task.
type Program interface {
	Run(ctx context.Context, n int, input []byte) (output []byte, err error)
}

// A Worker runs tasks of a hub, one at a time.
type Worker struct {
	Conn   *Conn
	Runner Runner
	Info   WorkerInfo // ID, Host, Kinds and what else is known
	// Tell, if not nil, is told what the worker does, in lines.
	Tell func(text string)

	mu       sync.Mutex
	info     WorkerInfo
	running  string // the job of the task that runs
	cancel   context.CancelCauseFunc
	gone     map[string]bool // jobs that were cancelled
	programs map[string]Program
	recent   []string      // of programs, the one that was used last at the end
	mean     time.Duration // of a task
	stores   sync.WaitGroup
	refusals int // since it ran a task last
}

const (
	// ahead is for how long a worker's tasks may run that it takes at once.
	ahead = 20 * time.Millisecond
	// mostAhead is how many these may be.
	mostAhead = 64
	// keptPrograms is how many programs stay ready.
	keptPrograms = 8
	// idle is for how long a worker waits for a task of a kind before it looks for others.
	idle = 250 * time.Millisecond
)

var (
	errCancelled = errors.New("the job was cancelled")
	errTimeout   = errors.New("the time allowed for the task is over")
)

func (w *Worker) tell(format string, args ...any) {
	if w.Tell != nil {
		w.Tell(fmt.Sprintf(format, args...))
	}
}

// Run takes tasks until ctx ends; the one that runs then is given to another worker.
func (w *Worker) Run(ctx context.Context) error {
	w.info = w.Info
	w.info.Version, w.info.Since = w.Conn.stamp(), time.Now()
	w.gone, w.programs = make(map[string]bool), make(map[string]Program)
	stop, err := w.Conn.nc.Subscribe(cancelPrefix+"*", func(m *nats.Msg) { w.cancelled(m.Subject[len(cancelPrefix):]) })
	if err != nil {
		return w.Conn.o.explain(err)
	}
	defer stop.Unsubscribe()
	if err := w.say(ctx); err != nil && ctx.Err() == nil {
		return w.Conn.o.explain(err)
	}
	present, leave := context.WithCancel(ctx)
	defer leave()
	go w.stay(present)
	defer func() {
		w.stores.Wait()
		over, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		_ = w.Conn.workers.Delete(over, w.info.ID)
	}()
	for ctx.Err() == nil {
		// An error: the hub is gone, or has lost its storage.
		if err := w.serve(ctx); err != nil && ctx.Err() == nil {
			w.tell("%v", err)
			select {
			case <-time.After(500 * time.Millisecond):
			case <-ctx.Done():
			}
			again, cancel := context.WithTimeout(ctx, 10*time.Second)
			if w.Conn.Connected() {
				_ = w.Conn.setUp(again)
			}
			cancel()
		}
	}
	return nil
}

// serve takes tasks until something fails.
func (w *Worker) serve(ctx context.Context) error {
	var from []jetstream.Consumer
	for _, kind := range w.info.Kinds {
		c, err := w.Conn.consumer(ctx, kind)
		if err != nil {
			return w.Conn.o.explain(err)
		}
		from = append(from, c)
	}
	wait := idle
	if len(from) == 1 {
		wait = 2 * time.Second
	}
	for i := 0; ctx.Err() == nil; i++ {
		select { // others may run what this one refuses
		case <-time.After(w.backOff()):
		case <-ctx.Done():
		}
		c := from[i%len(from)]
		got, err := w.fetch(ctx, c, func() (jetstream.MessageBatch, error) { return c.FetchNoWait(w.batch()) })
		if err == nil && got == 0 {
			waiting, cancel := context.WithTimeout(ctx, wait)
			got, err = w.fetch(ctx, c, func() (jetstream.MessageBatch, error) { return c.Fetch(1, jetstream.FetchContext(waiting)) })
			cancel()
		}
		if err != nil {
			return w.Conn.o.explain(err)
		}
		if got > 0 { // where there was one there are more
			i--
		}
	}
	return nil
}

// backOff is how long a worker waits that does nothing but refuse tasks.
func (w *Worker) backOff() time.Duration {
	if w.refusals == 0 {
		return 0
	}
	return min(50*time.Millisecond<<min(w.refusals, 6), 2*time.Second)
}

// batch is how many tasks are taken at once: those of a short time.
func (w *Worker) batch() int {
	if w.mean == 0 {
		return 1
	}
	return int(min(max(ahead/w.mean, 1), mostAhead))
}

// fetch takes tasks and runs them, and returns how many there were.
func (w *Worker) fetch(ctx context.Context, c jetstream.Consumer, take func() (jetstream.MessageBatch, error)) (int, error) {
	batch, err := take()
	if err != nil {
		return 0, err
	}
	var held []jetstream.Msg
	for m := range batch.Messages() {
		held = append(held, m)
	}
	if len(held) == 0 {
		if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, jetstream.ErrNoMessages) {
			return 0, err
		}
		return 0, nil
	}
	h := w.hold(ctx, held, c.CachedInfo().Config.AckWait)
	defer h.release()
	for _, m := range held {
		if ctx.Err() != nil {
			if _, job, n, err := parseTask(m.Subject()); err == nil {
				_, lost := w.before(context.WithoutCancel(ctx), job, n)
				if meta, err := m.Metadata(); err == nil && meta.NumDelivered == 1 {
					lost = 0
				}
				w.giveBack(ctx, m, h, job, n, lost, 0)
			}
			continue
		}
		w.task(ctx, m, h)
	}
	return len(held), nil
}

// A holding tells the hub that tasks are still with the worker.
type holding struct {
	mu   sync.Mutex
	held []jetstream.Msg
	stop chan struct{}
}

func (w *Worker) hold(ctx context.Context, held []jetstream.Msg, wait time.Duration) *holding {
	h := &holding{held: slices.Clone(held), stop: make(chan struct{})}
	go func() {
		tick := time.NewTicker(max(wait/4, 10*time.Millisecond))
		defer tick.Stop()
		for {
			select {
			case <-h.stop:
				return
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			h.mu.Lock()
			list := slices.Clone(h.held)
			h.mu.Unlock()
			for _, m := range list {
				_ = m.InProgress()
			}
		}
	}()
	return h
}

func (h *holding) drop(m jetstream.Msg) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held = slices.DeleteFunc(h.held, func(x jetstream.Msg) bool { return x == m })
}

func (h *holding) release() { close(h.stop) }

// task runs one task, or says why not.
func (w *Worker) task(ctx context.Context, m jetstream.Msg, h *holding) {
	kind, job, n, err := parseTask(m.Subject())
	if err != nil {
		h.drop(m)
		_ = m.TermWithReason(err.Error())
		return
	}
	if w.isGone(job) {
		h.drop(m)
		_ = m.Term()
		return
	}
	lost := 0 // workers that had it before, and have given no result
	if meta, err := m.Metadata(); err == nil && meta.NumDelivered > 1 {
		done := false
		if done, lost = w.before(ctx, job, n); done {
			h.drop(m)
			_ = m.Ack()
			return
		}
	}
	back := func(why note) { w.refuse(ctx, m, h, job, n, lost, why) }
	if got := m.Headers().Get(headerVersion); got != w.Conn.stamp() {
		back(note{Why: fmt.Sprintf("is version %s, and the task is of version %s", w.Conn.stamp(), got)})
		return
	}
	if lost > 0 {
		if retries, err := strconv.Atoi(m.Headers().Get(headerRetries)); err == nil && lost > retries {
			w.store(ctx, m, h, job, n, givenUp(lost, retries).encode(), true, 0)
			return
		}
		w.count(ctx, job, n, lost+1)
	}
	program, err := w.program(ctx, kind, m.Headers().Get(headerProgram))
	if err != nil {
		back(note{Why: err.Error(), Missing: errors.Is(err, jetstream.ErrObjectNotFound)})
		return
	}
	input, err := w.Conn.valueOf(ctx, m.Headers(), m.Data())
	if err != nil {
		back(note{Why: err.Error()})
		return
	}
	running, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	allowed, _ := time.ParseDuration(m.Headers().Get(headerTimeout))
	limited, over := running, func() {}
	if allowed > 0 {
		limited, over = context.WithTimeoutCause(running, allowed, errTimeout)
	}
	defer over()
	w.begin(job, n, cancel)
	start := time.Now()
	output, err := program.Run(limited, n, input)
	took := time.Since(start)
	w.end(took, err != nil)
	w.refusals = 0
	switch {
	case ctx.Err() != nil: // the worker is told to go
		w.giveBack(ctx, m, h, job, n, lost, 0)
		return
	case errors.Is(context.Cause(running), errCancelled):
		h.drop(m)
		_ = m.Term()
		return
	case err != nil && errors.Is(context.Cause(limited), errTimeout):
		err = &Failure{Class: classTimeout, Message: fmt.Sprintf("the task took more than the %v that timeout allows", allowed)}
	}
	if err == nil {
		w.store(ctx, m, h, job, n, output, false, took)
		return
	}
	failure := new(Failure)
	if !errors.As(err, &failure) {
		failure = &Failure{Class: "Error", Message: err.Error()}
	}
	failure.Worker = w.info.ID
	w.store(ctx, m, h, job, n, failure.encode(), true, took)
}

// before looks at a task that was given to a worker before: it may be done. Else it says how many
// workers had it and have given no result; the first is known by its silence alone.
func (w *Worker) before(ctx context.Context, job string, n int) (done bool, lost int) {
	if _, err := w.Conn.results.GetLastMsgForSubject(ctx, resultSubject(job, n)); err == nil {
		return true, 0
	}
	e, err := w.Conn.begun.Get(ctx, begunKey(job, n))
	if err != nil {
		return false, 1
	}
	lost, _ = strconv.Atoi(string(e.Value()))
	return false, lost
}

func begunKey(job string, n int) string { return job + "." + strconv.Itoa(n) }

// count keeps how many workers had a task.
func (w *Worker) count(ctx context.Context, job string, n, workers int) {
	_, _ = w.Conn.begun.PutString(ctx, begunKey(job, n), strconv.Itoa(workers))
}

// givenUp is the failure of a task that was lost with its workers.
func givenUp(lost, retries int) *Failure {
	return &Failure{Class: classLost, Message: fmt.Sprintf("the task was given to a worker %d times, and each time the worker ended or was cut off before it had a result; retries=%d", lost, retries)}
}

// giveBack has another worker run a task, which has not been lost by that.
func (w *Worker) giveBack(ctx context.Context, m jetstream.Msg, h *holding, job string, n, lost int, wait time.Duration) {
	h.drop(m)
	over, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	w.count(over, job, n, lost)
	_ = m.NakWithDelay(wait)
}

// refuse gives a task back, and tells who waits for it why.
func (w *Worker) refuse(ctx context.Context, m jetstream.Msg, h *holding, job string, n, lost int, why note) {
	w.giveBack(ctx, m, h, job, n, lost, 200*time.Millisecond)
	w.refusals++
	w.mu.Lock()
	w.info.Refused = why.Why
	w.mu.Unlock()
	w.tell("refused a task of job %s: %s", job, why.Why)
	w.note(job, why)
}

// note tells the caller of a job something.
func (w *Worker) note(job string, n note) {
	n.Worker = w.info.ID
	if text, err := json.Marshal(n); err == nil {
		_ = w.Conn.nc.Publish(notePrefix+job, text)
	}
}

// program is what tasks run, ready.
func (w *Worker) program(ctx context.Context, kind, hash string) (Program, error) {
	if p, ok := w.programs[hash]; ok {
		w.recent = append(slices.DeleteFunc(w.recent, func(h string) bool { return h == hash }), hash)
		return p, nil
	}
	text, err := w.Conn.Program(ctx, hash)
	if err != nil {
		return nil, err
	}
	p, err := w.Runner.Open(ctx, kind, hash, text)
	if err != nil {
		return nil, err
	}
	w.programs[hash], w.recent = p, append(w.recent, hash)
	if len(w.recent) > keptPrograms {
		delete(w.programs, w.recent[0])
		w.recent = w.recent[1:]
	}
	w.mean = 0 // it was of tasks of other programs
	return p, nil
}

// store publishes a result, and acknowledges the task when the hub has it.
func (w *Worker) store(ctx context.Context, m jetstream.Msg, h *holding, job string, n int, value []byte, failed bool, took time.Duration) {
	r := nats.NewMsg(resultSubject(job, n))
	r.Header.Set(headerWorker, w.info.ID)
	r.Header.Set(headerTook, took.String())
	r.Header.Set(headerExpected, "0") // its subject has no result yet
	if failed {
		r.Header.Set(headerFailed, "1")
	}
	if err := w.Conn.body(ctx, r, fmt.Sprintf("%s.%d.result.%s", job, n, w.info.ID), value); err != nil {
		w.tell("task %s.%d: %v", job, n, err)
		w.giveBack(ctx, m, h, job, n, 0, time.Second)
		return
	}
	publish := func() (jetstream.PubAckFuture, error) {
		return w.Conn.js.PublishMsgAsync(&nats.Msg{Subject: r.Subject, Header: maps.Clone(r.Header), Data: r.Data})
	}
	outcome, err := publish()
	told := false
	w.stores.Go(func() {
		defer h.drop(m)
		for {
			if err == nil {
				select {
				case <-outcome.Ok():
					_ = m.Ack()
					return
				case err = <-outcome.Err():
				}
			}
			if isTaken(err) { // by the same task, that ran elsewhere or was told of twice
				w.Conn.drop(ctx, r.Header)
				_ = m.Ack()
				return
			}
			if api := (*jetstream.APIError)(nil); errors.As(err, &api) && !told { // a full disk
				told = true
				w.note(job, note{Why: api.Description, Trouble: true})
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(200 * time.Millisecond):
			}
			_ = m.InProgress()
			if w.isGone(job) {
				_ = m.Term()
				return
			}
			outcome, err = publish()
		}
	})
}

func (w *Worker) begin(job string, n int, cancel context.CancelCauseFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running, w.cancel = job, cancel
	w.info.Now = job + "." + strconv.Itoa(n)
}

func (w *Worker) end(took time.Duration, failed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running, w.cancel, w.info.Now = "", nil, ""
	w.info.Busy += took.Seconds()
	w.info.Done++
	if failed {
		w.info.Failed++
	}
	w.mean = cmp.Or(w.mean+(took-w.mean)/4, 1)
}

func (w *Worker) cancelled(job string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.gone) > 10_000 {
		clear(w.gone)
	}
	w.gone[job] = true
	if w.running == job && w.cancel != nil {
		w.cancel(errCancelled)
	}
}

func (w *Worker) isGone(job string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gone[job]
}

// say tells the hub that the worker is there.
func (w *Worker) say(ctx context.Context) error {
	w.mu.Lock()
	text, err := json.Marshal(&w.info)
	w.mu.Unlock()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, err = w.Conn.workers.Put(ctx, w.info.ID, text)
	return err
}

func (w *Worker) stay(ctx context.Context) {
	tick := time.NewTicker(presence / 6)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = w.say(ctx)
		}
	}
}
