package starlib

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Options configures a session.
type Options struct {
	Config      *config.Config      // nil: the built-in values
	Predeclared starlark.StringDict // names besides the standard ones; they win over those
	Dir         string              // where load() of a cell looks; "" is the working directory
	Log         *slog.Logger        // nil: nothing is logged
	Threads     int                 // of kernels, where config.threads is 0; 0: one for each core
	// Live is for how long a profiled cell runs before its profile is shown while it runs, and is shown anew four times in that time;
	// 0: not before it ends. Displays then come from another goroutine than the cell's.
	Live time.Duration
	// Machine measures what the machine can do with so many threads, at first, for the roofs of profiles; nil: they have none.
	Machine func(ctx context.Context, threads int) (*profiler.Machine, error)
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

	// Step, if set, is called on the running thread about every 5000 steps of the
	// interpreter; thread.CallFrame(0).Pos is the current line.
	Step func(thread *starlark.Thread)

	// State is what other parts of the package keep for each session, by a key of their own
	// type; it is touched only while a cell runs.
	State map[any]any

	config *config.Config
	dir    string
	log    *slog.Logger

	mu   sync.Mutex // held while a cell runs
	env  starlark.StringDict
	base starlark.StringDict // env as it was before the first cell
	user map[string]bool     // the names in env that cells have assigned

	late map[string][]string // names that no cell had defined when they were used, with the locals near them

	cell      *Cell // the running cell
	slow      bool  // for tests: programs run without what package lower does to save time
	texts     value.Texts
	loop      int // the running loop on variables of its own, 0 if none: see package lower
	out       Output
	result    starlark.Value // last value of the running cell
	displayed starlark.Value // value that the cell before returned as its data; nil: none

	ctx  context.Context // of the running cell
	stop *uint32         // raised when ctx is done

	defaultThreads int // where config.threads is 0
	cur            *starlark.Thread
	threadsMu      sync.Mutex
	threads        []*starlark.Thread // running, innermost last

	sources map[string]source
	modules map[string]*module
	loading []string // files being loaded, outermost first
	running []string // files being run, outermost first

	portable bool // the file being run is of standard Starlark

	history history

	profiling profiling
	live      time.Duration // Options.Live
	machine   func(ctx context.Context, threads int) (*profiler.Machine, error)

	locals sync.Map // of Local

	seenMu sync.Mutex
	seen   []string // names that were there before the running cell
}

// NewSession returns a session in which only the predeclared names exist.
func NewSession(opts Options) *Session {
	s := &Session{
		config:  opts.Config,
		dir:     opts.Dir,
		log:     opts.Log,
		env:     starlark.StringDict{},
		user:    map[string]bool{},
		late:    map[string][]string{},
		State:   map[any]any{},
		sources: map[string]source{},
		modules: map[string]*module{},
		history: newHistory(),
		ctx:     context.Background(),
		stop:    new(uint32),
		out:     discard{},
		live:    opts.Live,
		machine: opts.Machine,
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
	for name, v := range standard() {
		s.env[name] = v
	}
	s.env["config"] = &configValue{s: s}
	s.env["help"] = helpBuiltin().Value()
	s.env[lower.Env] = environment{s}
	for name, fn := range operators {
		s.env[name] = &operator{name, fn}
	}
	s.env[lower.Chars] = &s.texts
	s.env[parse.NameEllipsis] = value.Ellipsis
	for name, v := range s.tensors() {
		s.env[name] = v
	}
	for name, v := range opts.Predeclared {
		s.env[name] = v
	}
	s.base = maps.Clone(s.env)
	s.rememberNames()
	return s
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

// Output returns where the running cell's output goes.
func (s *Session) Output() Output { return s.out }

// Log returns the session's log.
func (s *Session) Log() *slog.Logger { return s.log }

// Lookup returns the global variable of the given name.
func (s *Session) Lookup(name string) (starlark.Value, bool) {
	v, ok := s.env[name]
	return v, ok
}

// SessionOf returns the session a thread belongs to. Builtins find theirs so.
func SessionOf(thread *starlark.Thread) *Session {
	s, _ := value.HostOf(thread).(*Session)
	return s
}

// ContextOf returns the context of the cell that a thread runs.
func ContextOf(thread *starlark.Thread) context.Context {
	if s := SessionOf(thread); s != nil {
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

// run runs a cell with s.mu held. It may be called while a cell runs, whose hooks and profile then go on.
func (s *Session) run(ctx context.Context, cell *Cell, out Output) (data, metadata map[string]any, err error) {
	s.rememberNames()
	nested := s.cell != nil
	defer func(cell *Cell, out Output) { s.cell, s.out = cell, out }(s.cell, s.out)
	if out != nil {
		s.out = out
	}
	s.cell = cell
	cell.Code = withoutPrompts(cell.Code)
	s.sources[cell.Name] = s.sources[cell.Name].with(cell.Line, cell.Code)

	if name, detail, ok := question(cell.Code); ok {
		s.page(name, detail)
		return nil, nil, nil
	}
	text, err := readMagic(cell)
	if err != nil {
		return nil, nil, s.newError(ctx, err)
	}
	pop, err := s.config.Push(cell.Magic.Config, fmt.Sprintf("%s:%d", cell.Name, cell.Magic.Line))
	if err != nil {
		return nil, nil, s.newError(ctx, &staticError{"ConfigError", cell.Magic.pos(cell.Name), err.Error()})
	}
	defer pop()
	if mime := cell.Magic.mime(); mime != "" {
		text = strings.TrimLeft(text, "\n")
		s.out.Display(map[string]any{mime: text, "text/plain": text}, nil, "", false)
		return nil, nil, nil
	}

	cell.Started = time.Now()
	profiled := !nested || cell.Magic.Name == "profile"
	if profiled {
		defer func(outer *cellProfile) { s.profiling.cell = outer }(s.profiling.cell)
		s.beginCell(cell, s.out)
	}
	if s.Before != nil && !nested {
		s.guard("Before", func() { s.Before(cell) })
	}
	data, metadata, err = cell.Magic.run()(s, ctx, cell, text)
	if err == nil {
		err = s.repeatCell(ctx, cell, text)
	}
	cell.Elapsed, cell.Err = time.Since(cell.Started), err
	if profiled {
		s.guard("profile", func() {
			if perr := s.endCell(ctx, cell, s.out); perr != nil && err == nil {
				err = s.newError(ctx, &staticError{"ProfileError", cell.Magic.pos(cell.Name), "%%profile: " + perr.Error()})
			}
		})
	}
	if err != nil {
		data, metadata = nil, nil
	}
	if s.After != nil && !nested {
		s.guard("After", func() { s.After(cell, s.out) })
	}
	return data, metadata, err
}

func (s *Session) runCode(ctx context.Context, cell *Cell, text string) (data, metadata map[string]any, err error) {
	defer func(outer starlark.Value) { s.result = outer }(s.result)
	s.result = nil
	var shown starlark.Value
	defer func() { s.displayed = shown }()
	err = s.protect(ctx, cell.Name, func(thread *starlark.Thread) error {
		prog, err := s.compile(cell.Name, text, cell.Line)
		if err != nil {
			return err
		}
		if err := s.init(prog, thread); err != nil {
			return err
		}
		if s.result != nil && s.result != starlark.None {
			data, metadata = Bundle(s.result)
			shown = s.result
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return data, metadata, nil
}

// init runs a cell's program.
func (s *Session) init(prog *starlark.Program, thread *starlark.Thread) error {
	s.loop = 0
	globals, err := prog.Init(thread, s.env)
	s.endLoop(globals) // that failed inside
	return err
}

// endLoop gives the variables of the running loop back to the session.
func (s *Session) endLoop(globals starlark.StringDict) {
	if s.loop == 0 {
		return
	}
	prefix := lower.Slot(s.loop)
	s.loop = 0
	for slot, v := range globals {
		if name, ok := strings.CutPrefix(slot, prefix); ok {
			environment{s}.SetKey(starlark.String(name), v)
		}
	}
}

// Evaluate evaluates an expression and returns the bundle of its value. Nothing is
// printed or displayed.
func (s *Session) Evaluate(ctx context.Context, expr string) (data map[string]any, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	const file = "<expression>"
	s.sources[file] = source{}.with(1, expr)
	err = s.protect(ctx, file, func(thread *starlark.Thread) error {
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
		data, _ = Bundle(s.result)
		s.result = nil
		return nil
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// protect runs f on a new thread that ends with ctx, and turns errors and panics into
// a *Error. A thread that was cancelled is never used again.
func (s *Session) protect(ctx context.Context, name string, f func(*starlark.Thread) error) (err error) {
	defer func(ctx context.Context, stop *uint32) { s.ctx, s.stop = ctx, stop }(s.ctx, s.stop)
	flag := new(uint32)
	s.ctx, s.stop = ctx, flag
	thread, leave := s.enter(name)
	// An interrupt that comes as the cell ends must not reach the next cell's thread.
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		atomic.StoreUint32(flag, 1)
		s.interrupt()
		close(interrupted)
	})
	defer func() {
		if !stop() {
			<-interrupted
		}
		if p := recover(); p != nil {
			err = value.Recovered(p)
		}
		leave()
		if err != nil {
			err = s.newError(ctx, err)
		}
	}()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return f(thread)
}

// guard calls a hook; its panic is logged, and is not the cell's.
func (s *Session) guard(hook string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic in a hook", "hook", hook, "panic", p, "stack", string(debug.Stack()))
			s.out.Stream("stderr", fmt.Sprintf("internal error in %s: %v; please report it\n", hook, p))
		}
	}()
	f()
}

// enter makes a new thread the session's current one until leave is called.
func (s *Session) enter(name string) (thread *starlark.Thread, leave func()) {
	thread = &starlark.Thread{Name: name, Load: s.load, OnMaxSteps: s.tick}
	thread.Print = func(_ *starlark.Thread, msg string) { s.out.Stream("stdout", msg+"\n") }
	thread.SetMaxExecutionSteps(nextTick())
	value.SetHost(thread, s)
	value.SetTexts(thread, &s.texts)
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
		t.Cancel("interrupted")
	}
}

// The interpreter's own limit of 100000 calls is reached only after 268 MB of Go stack;
// the periodic hook stops a runaway recursion earlier.
const maxDepth = 20000

// nextTick returns the steps to the next call of the hook. They vary, since a fixed
// number would meet a loop of the right length at the same line each time.
func nextTick() uint64 { return 4000 + rand.Uint64N(2000) }

var tooDeep = fmt.Sprintf("recursion deeper than %d calls", maxDepth)

func (s *Session) tick(thread *starlark.Thread) {
	thread.SetMaxExecutionSteps(thread.ExecutionSteps() + nextTick())
	if thread.CallStackDepth() > maxDepth {
		thread.Cancel(tooDeep)
	}
	if s.Step != nil {
		s.Step(thread)
	}
}

// CancelTruth makes the statement that is running fail with msg. It is for Truth
// methods, which Starlark gives no way to fail: a symbolic variable has no truth value,
// and whatever Truth returns, no further instruction is executed.
func (s *Session) CancelTruth(msg string) {
	if s.cur != nil {
		s.cur.Cancel(msg)
	}
}

func (s *Session) rememberNames() {
	names := s.allNames()
	s.seenMu.Lock()
	s.seen = names
	s.seenMu.Unlock()
}

// discard is the Output of a session that runs no cell.
type discard struct{}

func (discard) Stream(string, string)                              {}
func (discard) Display(_, _ map[string]any, _ string, update bool) {}
func (discard) Clear(bool)                                         {}
func (discard) Page(map[string]any)                                {}
func (discard) Input(string, bool) (string, error)                 { return "", errNoInput }
