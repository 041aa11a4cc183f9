package session

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/upstream"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/visible"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
)

// Options configures a session.
type Options struct {
	Config      *config.Config      // nil: the built-in values
	Predeclared starlark.StringDict // names besides the standard ones; they win over those
	Dir         string              // where load() of a cell looks; "" is the working directory
	Log         *slog.Logger        // nil: nothing is logged
	Threads     int                 // of kernels, where config.threads is 0; 0: one for each core
	// Bound is told what the flags threads and memory_limit allow the kernels and the memory, at
	// first and whenever they change. It is a function of the program, since both are the process's
	// and not a session's; nil: the flags bound nothing.
	Bound func(threads int, memory int64)
}

// Output is where a running cell's output goes. The session needs no more of its front
// end, and calls it only from the goroutine that runs the cell (but see Input and Options.Live).
type Output = interface {
	Stream(name, text string) // name is "stdout" or "stderr"
	Display(data, metadata map[string]any, displayID string, update bool)
	Clear(wait bool)
	Page(data map[string]any)
	// Input asks the user for a line. It is called on a goroutine of its own, which is
	// left behind if the cell is interrupted first.
	Input(prompt string, password bool) (string, error)
}

// A Session runs cells that share one set of global variables.
//
// Its methods may be called from several goroutines: cells run one at a time, and
// Complete and Inspect, called while a cell runs, answer from what was there before.
type Session struct {
	// Before and After are called around every cell that has code, on its goroutine, with
	// the cell's flags in force. After runs also when the cell failed, and may display.
	// They are set before the first cell, and do not run cells themselves.
	Before func(cell *Cell)
	After  func(cell *Cell, out Output)

	rooms  Rooms
	config *config.Config
	dir    string
	log    *slog.Logger

	mu   sync.Mutex // held while a cell runs
	env  *vm.Globals
	base starlark.StringDict // env as it was before the first cell

	fixed starlark.StringDict // what the $ names that trees call are

	running environment // of the cell or imported file whose statements run

	late map[string][]string // names that no cell had defined when they were used, with the locals near them

	cell      *Cell // the running cell
	slow      bool  // see RunSlowly
	texts     value.Texts
	out       Output
	result    starlark.Value // last value of the running cell
	displayed starlark.Value // value that the cell before returned as its data; nil: none

	streams map[string]starlark.Value // sys.stdout and sys.stderr where the program has set them

	ctx  context.Context         // of the running cell
	stop *uint32                 // raised when ctx is done
	end  context.CancelCauseFunc // ends ctx

	failure error  // of Fail
	renew   func() // lets the running cell go on after its interrupt
	// armed has end, for the watch on another goroutine; nil: nothing runs.
	armed *atomic.Pointer[context.CancelCauseFunc]
	again context.CancelCauseFunc // ends what goes on after an interrupt; with threadsMu

	bounds         func(threads int, memory int64) // Options.Bound
	defaultThreads int                             // where config.threads is 0
	cur            *starlark.Thread
	threadsMu      sync.Mutex
	threads        []*starlark.Thread // running, innermost last

	sources map[string]Source
	modules map[string]*module
	imports map[importKey]*FileModule
	path    *slot.List // sys.path
	argv    *slot.List // sys.argv
	auto    bool       // imported files are read again before each cell
	loading []loaded   // files being loaded and imported, outermost first
	scripts []string   // files being run, outermost first

	history history
	lines   lines
	failed  *Error // of the last cell: see LastError

	traceback string // see TracebackMode

	confined func() *files.Door // to the first directory

	locals  sync.Map // of Local
	sampler value.SamplerPlace

	visits visits
}

// New returns a session in which only the predeclared names exist.
func New(opts Options, rooms Rooms) *Session {
	s := &Session{
		config:  opts.Config,
		dir:     opts.Dir,
		log:     opts.Log,
		env:     &vm.Globals{},
		fixed:   starlark.StringDict{},
		late:    map[string][]string{},
		sources: map[string]Source{},
		modules: map[string]*module{},
		imports: map[importKey]*FileModule{},
		history: newHistory(),
		ctx:     context.Background(),
		stop:    new(uint32),
		out:     Discard{},
		rooms:   rooms,
		bounds:  opts.Bound,
	}
	if s.config == nil {
		s.config = config.New()
	}
	s.defaultThreads = opts.Threads
	if s.defaultThreads == 0 {
		s.defaultThreads = parallel.Cores()
	}
	s.config.OnChange = s.bound
	s.bound()
	if s.log == nil {
		s.log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if s.dir == "" {
		s.dir, _ = os.Getwd()
	} else if abs, err := filepath.Abs(s.dir); err == nil {
		s.dir = abs
	}
	s.confined = sync.OnceValue(func() *files.Door { return files.Confined(opts.Dir) })
	opts.Dir = s.dir
	s.config.Writable = func(path string) error { return s.Files().Writable(path) }
	for name, v := range Standard() {
		s.env.Set(name, v)
	}
	s.env.Set("config", &ConfigValue{s: s})
	s.running = environment{s, s.env}
	s.env.Set("__name__", starlark.String("__main__"))
	s.env.Set("__doc__", starlark.None)
	s.path = slot.NewList([]starlark.Value{starlark.String("")})
	s.argv = slot.NewList([]starlark.Value{starlark.String("")})
	s.fix()
	if s.rooms.Names != nil {
		for name, v := range s.rooms.Names(s) {
			s.env.Set(name, v)
		}
	}
	for name, v := range opts.Predeclared {
		s.env.Set(name, v)
	}
	s.base = s.env.Dict()
	s.env.Set(scope.Env, s.running)
	s.visits.remember(s)
	return s
}

// fix makes what the $ names that trees call are.
func (s *Session) fix() {
	for name, fn := range operators {
		s.fixed[name] = &operator{name, fn, quickOperators[name]}
	}
	s.fixed[parse.NameEllipsis] = value.Ellipsis
}

// Config returns the flags; inside a cell, with the cell's own in force.
func (s *Session) Config() *config.Config { return s.config }

// Context returns the context of the running cell, for work that is to stop with it.
func (s *Session) Context() context.Context { return s.ctx }

// Stop is raised, atomically, when the running cell is to end.
func (s *Session) Stop() *uint32 { return s.stop }

// Local returns what a package of values keeps for the session under key; make makes it at first.
func (s *Session) Local(key any, make func() any) any {
	v, ok := s.locals.Load(key)
	if !ok {
		v, _ = s.locals.LoadOrStore(key, make())
	}
	return v
}

// Path returns the path of a file that a user names, relative to the session's directory.
func (s *Session) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.dir, name)
}

// Cell returns the running cell, nil outside cells.
func (s *Session) Cell() *Cell { return s.cell }

// Output returns where the running cell's output goes, and what it writes to streams that the
// program has set.
func (s *Session) Output() Output {
	if len(s.streams) == 0 {
		return s.out
	}
	return written{s.out, s}
}

// Log returns the session's log.
func (s *Session) Log() *slog.Logger { return s.log }

// Lookup returns the global variable of the given name.
func (s *Session) Lookup(name string) (starlark.Value, bool) {
	return s.env.Lookup(name)
}

// Globals are all names in scope of a cell. Only the session changes them.
func (s *Session) Globals() *vm.Globals { return s.env }

// Predeclared are the names that were there before the first cell.
func (s *Session) Predeclared() starlark.StringDict { return s.base }

// IsUser reports whether a cell has assigned the name.
func (s *Session) IsUser(name string) bool { return s.env.IsAssigned(name) }

// Source is the text of a cell or file that has run, by line.
func (s *Session) Source(file string) Source { return s.sources[file] }

// SourceFiles are the names of the files and cells that were run, sorted.
func (s *Session) SourceFiles() []string { return slices.Sorted(maps.Keys(s.sources)) }

// KeepLines notes lines of a file that this session has not run, by their numbers, for errors and
// profiles to show. What was known of the file is forgotten.
func (s *Session) KeepLines(file string, lines map[int]string) {
	var text []string
	first := 0
	for _, n := range slices.Sorted(maps.Keys(lines)) {
		if text == nil {
			first = n
		}
		text = append(text, make([]string, n-first-len(text))...)
		text = append(text, lines[n])
	}
	s.sources[file] = Source{first, text, true}
}

// RunSlowly is for tests: programs run from now on without what the machine does to save time:
// owned arrays, and operations that wait.
func (s *Session) RunSlowly() { s.slow = true }

// Of returns the session a thread belongs to. Builtins find theirs so.
func Of(thread *starlark.Thread) *Session {
	s, _ := value.HostOf(thread).(*Session)
	return s
}

// ContextOf returns the context of the cell that a thread runs.
func ContextOf(thread *starlark.Thread) context.Context {
	if s := Of(thread); s != nil {
		return s.ctx
	}
	return context.Background()
}

// Execute runs one cell of a notebook. data is the bundle of the last expression's
// value, nil if there is none. A returned error is a *Error; what the cell assigned
// before it stays assigned. A cell whose count is higher than all before it is kept in
// In, and its value in Out, _ and _N.
func (s *Session) Execute(ctx context.Context, count int, code string, out Output) (data, metadata map[string]any, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.execute(ctx, count, code, out)
}

// execute is Execute with s.mu held.
func (s *Session) execute(ctx context.Context, count int, code string, out Output) (data, metadata map[string]any, err error) {
	remember := s.history.isNew(count)
	if remember {
		if !s.history.remembers {
			s.history.remembers = true
			s.publishHistory()
		}
		s.history.addSource(count, code)
	}
	s.displayed = nil
	data, metadata, err = s.run(ctx, &Cell{Name: fmt.Sprintf("In[%d]", count), Count: count, Code: code, Line: 1}, out)
	if remember && s.displayed != nil {
		s.addResult(count, s.displayed)
	}
	s.displayed = nil
	s.trimHistory()
	return data, metadata, err
}

// run runs a cell with s.mu held. It may be called while a cell runs, whose hooks and profile then
// go on.
func (s *Session) run(ctx context.Context, cell *Cell, out Output) (data, metadata map[string]any, err error) {
	s.visits.remember(s)
	nested := s.cell != nil
	defer func(cell *Cell, out Output) { s.cell, s.out = cell, out }(s.cell, s.out)
	if out != nil {
		s.out = out
	}
	s.cell = cell
	cell.Code = withoutPrompts(cell.Code)
	s.sources[cell.Name] = s.sources[cell.Name].with(cell.Line, cell.Code)

	plan, err := s.rooms.Read(s, cell)
	if err != nil {
		return nil, nil, s.NewError(ctx, err)
	}
	if plan.Instead != nil {
		if err := plan.Instead(); err != nil {
			return nil, nil, s.NewError(ctx, err)
		}
		return nil, nil, nil
	}
	if !nested {
		if !plan.Looks {
			s.forgetError()
		}
		defer func() {
			if !cell.looks {
				s.keepError(err)
			}
		}()
	}
	cell.lines = plan.Lines
	pop, err := s.config.Push(cell.Magic.Config, fmt.Sprintf("%s:%d", cell.Name, cell.Magic.Line))
	if err != nil {
		return nil, nil, s.NewError(ctx, ErrorAt("ConfigError", cell.Magic.Pos(cell.Name), err.Error()))
	}
	defer pop()
	cell.runs = plan.Runs
	if s.auto && !nested {
		s.reloadChanged(ctx)
	}
	cell.Started = time.Now()
	if s.Before != nil && !nested {
		s.Guard("Before", func() { s.Before(cell) })
	}
	if data, metadata, err = s.RunCode(ctx, cell, plan.Text); err != nil {
		data, metadata = nil, nil
	}
	if e := s.show(ctx, cell, err); e != nil {
		data, metadata, err = nil, nil, e
	}
	for _, f := range cell.atEnd {
		f()
	}
	cell.Ended(err)
	if s.After != nil && !nested {
		s.Guard("After", func() { s.After(cell, s.out) })
	}
	return data, metadata, err
}

// show shows what a cell shows when its code is over, which ended with err.
func (s *Session) show(ctx context.Context, cell *Cell, err error) error {
	if len(cell.shows) == 0 {
		return nil
	}
	if err == nil && ctx.Err() != nil { // the program caught an interrupt, and went on
		ctx = context.WithoutCancel(ctx)
	}
	return s.Protect(ctx, cell.Name, func(*starlark.Thread) error {
		for _, f := range cell.shows {
			f()
		}
		return nil
	})
}

// RunCode runs the text of a cell: by the magic that stands below the one that calls it, or else as
// code.
func (s *Session) RunCode(ctx context.Context, cell *Cell, text string) (data, metadata map[string]any, err error) {
	if below := cell.runs; len(below) > 0 {
		defer func() { cell.runs = below }()
		cell.runs = below[1:]
		return below[0](s, ctx, cell, text)
	}
	defer func(outer starlark.Value) { s.result = outer }(s.result)
	s.result = nil
	return s.Value(ctx, cell, func(thread *starlark.Thread) (starlark.Value, error) {
		prog, err := s.compile(cell.Name, text, cell.Line)
		if err != nil {
			return nil, err
		}
		err = s.init(prog, thread)
		return s.result, err
	})
}

// Value runs f as a cell's code, and returns what is shown of its value; nil if it has none.
func (s *Session) Value(ctx context.Context, cell *Cell, f func(*starlark.Thread) (starlark.Value, error)) (data, metadata map[string]any, err error) {
	var shown starlark.Value
	err = s.Protect(ctx, cell.Name, func(thread *starlark.Thread) error {
		v, err := f(thread)
		if err != nil || v == nil || v == starlark.None {
			return err
		}
		shown = v
		if !cell.asValue {
			data, metadata, err = s.bundle(thread, v)
		}
		return err
	})
	s.displayed = shown
	if err != nil {
		return nil, nil, err
	}
	return data, metadata, nil
}

// init runs the program of a cell, or of an imported file.
func (s *Session) init(prog *Program, thread *starlark.Thread) error {
	_, err := prog.run(thread, s.running.env)
	return err
}

// Evaluate evaluates an expression and returns the bundle of its value. Nothing is
// printed or displayed.
func (s *Session) Evaluate(ctx context.Context, expr string) (data map[string]any, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	const file = "<expression>"
	s.sources[file] = Source{}.with(1, expr)
	err = s.Protect(ctx, file, func(thread *starlark.Thread) error {
		if _, err := parse.Expr(file, expr, parse.Options{}); err != nil {
			return err // not an expression, though it may be a statement
		}
		prog, err := s.compile(file, expr, 1)
		if err != nil {
			return err
		}
		s.result = nil
		if err := s.init(prog, thread); err != nil {
			return err
		}
		v := s.result
		s.result = nil
		data, _, err = s.bundle(thread, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Protect runs f on a new thread that ends with ctx, and turns errors and panics into
// a *Error. A thread that was cancelled is never used again.
func (s *Session) Protect(ctx context.Context, name string, f func(*starlark.Thread) error) (err error) {
	defer func(ctx context.Context, stop *uint32, end context.CancelCauseFunc, renew func(), armed *atomic.Pointer[context.CancelCauseFunc]) {
		s.ctx, s.stop, s.end, s.renew, s.armed = ctx, stop, end, renew, armed
	}(s.ctx, s.stop, s.end, s.renew, s.armed)
	var end context.CancelCauseFunc
	var stop func() bool
	var interrupted chan struct{}
	unwatch := func() {}
	if s.armed == nil {
		armed := new(atomic.Pointer[context.CancelCauseFunc])
		s.armed = armed
		unwatch = s.watch(func(cause error) { (*armed.Load())(cause) })
	} else { // the watch is there, and ends this one until it is over
		defer s.armed.Store(s.armed.Load())
	}
	armed := s.armed
	arm := func(parent context.Context) {
		flag, done := new(uint32), make(chan struct{})
		ctx, end = context.WithCancelCause(parent)
		stop = context.AfterFunc(ctx, func() {
			s.interrupt() // first: what sees the flag ends, and no instruction must run then
			atomic.StoreUint32(flag, 1)
			close(done)
		})
		interrupted, s.ctx, s.stop, s.end = done, ctx, flag, end
		own := end
		armed.Store(&own)
	}
	arm(ctx)
	defer func() { end(nil) }()
	s.renew = func() { // what catches an interrupt goes on until the next one
		<-interrupted
		arm(context.WithoutCancel(ctx))
		s.threadsMu.Lock()
		s.again = end
		s.threadsMu.Unlock()
	}
	thread, leave := s.enter(name)
	defer func() {
		unwatch()
		if !stop() { // an interrupt that comes as the cell ends must not reach the next cell's thread
			<-interrupted
		}
		if p := recover(); p != nil {
			err = value.Recovered(p)
		}
		leave()
		s.threadsMu.Lock()
		s.again = nil
		s.threadsMu.Unlock()
		if err != nil {
			giveBack(ctx, err)
			err = s.NewError(ctx, err)
		}
	}()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return f(thread)
}

// Print writes what we say, and quote of the user's, to the running cell's stdout or stderr. What a
// program prints itself goes to Output.
func (s *Session) Print(file, text string) { s.out.Stream(file, visible.Text(text)) }

// Warn writes a line to the running cell's stderr.
func (s *Session) Warn(text string) { s.Print("stderr", "warning: "+text+"\n") }

// Guard calls a hook; its panic is logged, and is not the cell's.
func (s *Session) Guard(hook string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic in a hook", "hook", hook, "panic", p, "stack", string(debug.Stack()))
			s.Print("stderr", fmt.Sprintf("internal error in %s: %v; please report it\n", hook, p))
		}
	}()
	f()
}

// newThread makes a thread with a machine.
func (s *Session) newThread(name string) *starlark.Thread {
	thread := &starlark.Thread{Name: name, Load: s.load}
	thread.Print = func(_ *starlark.Thread, msg string) { s.Output().Stream("stdout", msg+"\n") }
	value.SetHost(thread, s)
	value.SetTexts(thread, &s.texts)
	vm.Attach(thread, vm.Limits{Holds: s.slow, Budget: nextTick(), Tick: func() int { return s.tick(thread) }, Sampler: sampling{s}, Deepest: MaxDepth, TooDeep: tooDeep,
		Catch: func(err error) (*object.Instance, error, bool) { return s.catch(thread, err) }})
	return thread
}

// enter makes a new thread the session's current one until leave is called.
func (s *Session) enter(name string) (thread *starlark.Thread, leave func()) {
	thread = s.newThread(name)
	outer := s.cur
	s.cur = thread
	s.threadsMu.Lock()
	s.threads = append(s.threads, thread)
	s.threadsMu.Unlock()
	return thread, func() {
		s.threadsMu.Lock()
		s.threads = s.threads[:len(s.threads)-1]
		s.threadsMu.Unlock()
		if s.cur = outer; outer == nil {
			s.texts.Forget()
		}
	}
}

// interrupt stops the running threads. Unlike the rest of the session it is called from
// other goroutines.
func (s *Session) interrupt() {
	s.threadsMu.Lock()
	defer s.threadsMu.Unlock()
	for _, t := range s.threads {
		value.Cancel(t, "interrupted")
	}
}

// MaxDepth is how deep functions may call each other, those of builtins among them.
const MaxDepth = 20000

// nextTick returns the calls and rounds of loops to the next call of the hook. They vary, since a
// fixed number would meet a loop of the right length at the same line each time.
func nextTick() int { return 500 + rand.IntN(500) }

var tooDeep = fmt.Sprintf("recursion deeper than %d calls", MaxDepth)

// CancelTruth makes the statement that is running fail with msg. It is for Truth
// methods, which Starlark gives no way to fail: a symbolic variable has no truth value,
// and whatever Truth returns, no further instruction is executed.
func (s *Session) CancelTruth(msg string) {
	s.Fail(object.NewError(object.ClassNamed(cmp.Or(upstream.Class(msg), "TypeError")), msg))
}

// Busy reports whether other goroutines may have to wait for a processor.
func (s *Session) Busy() bool { return parallel.Busy() }

// SamplerPlace is where what runs finds who samples it.
func (s *Session) SamplerPlace() *value.SamplerPlace { return &s.sampler }

// Discard is the Output of a session that runs no cell.
type Discard struct{}

func (Discard) Stream(string, string)                              {}
func (Discard) Display(_, _ map[string]any, _ string, update bool) {}
func (Discard) Clear(bool)                                         {}
func (Discard) Page(map[string]any)                                {}
func (Discard) Screen() Screen                                     { return ScreenFile }
func (Discard) Input(string, bool) (string, error)                 { return "", errNoInput }
