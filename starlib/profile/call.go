package profile

import (
	"fmt"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// ProfileTable is the predeclared functions that profile.
var ProfileTable = []value.Builtin{profileBuiltin, loadProfileBuiltin}

// profileBuiltin is profile().
var profileBuiltin = value.Builtin{Name: "profile", Params: []value.Param{
	{Name: "thunk", Doc: "a function without parameters: profile(lambda: f(x))"},
	{Name: "repeat", Default: "1", Doc: "how often it is called"},
	{Name: "warmup", Default: "0", Doc: "how often it is called before, without being profiled"},
	{Name: "name", Default: "None", Doc: "what the report calls the profile; the names of the functions if not given"},
	{Name: "memory", Default: "None", Doc: "record the memory too; None obeys profile_memory"},
	{Name: "**flags", Doc: "flags of the config, in force while it runs: floatX=\"float32\", profiling__time_thunks=False"},
}, Doc: "The profile of all compiled functions that a call of thunk calls, also of those that were compiled before. " +
	"As @profile above a def, it counts and times the lines of its calls, as line_profiler does, and prints them when the cell is over.",
	Example: oneProfile + ".fct_callcount # 1", Fn: profileThunk}

func profileThunk(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var thunk starlark.Callable
	var name string
	var memory starlark.Value
	var flags *slot.Dict
	repeat, warmup := 1, 0
	if f, err := decorate(thread, args, kwargs); f != nil || err != nil {
		return f, err
	}
	if err := b.Unpack(args, kwargs, &thunk, &repeat, &warmup, &name, &memory, &flags); err != nil {
		return nil, err
	}
	if repeat < 1 {
		return nil, fmt.Errorf("profile: repeat: got %d, want an int > 0", repeat)
	}
	if warmup < 0 {
		return nil, fmt.Errorf("profile: warmup: got %d, want an int >= 0", warmup)
	}
	if f, ok := thunk.(*symbolic.Function); ok && f.Needs() {
		return nil, fmt.Errorf("profile: thunk: got %s, which has arguments: profile(lambda: %s(...))", f, f.Name())
	}
	s := SessionOf(thread)
	scope := make(map[string]any)
	if flags != nil {
		for _, kv := range flags.Items() {
			x, err := session.FlagValue(kv[1])
			if err != nil {
				return nil, fmt.Errorf("profile: %s: %w", string(kv[0].(starlark.String)), err)
			}
			scope[string(kv[0].(starlark.String))] = x
		}
	}
	pop, err := s.Config().Push(scope, "profile()")
	if err != nil {
		return nil, err
	}
	defer pop()
	call := func(times int) error {
		for range times {
			if _, err := value.Call(thread, thunk, nil, nil); err != nil {
				return err
			}
		}
		return nil
	}
	if err := call(warmup); err != nil {
		return nil, err
	}
	p := s.newProfile(profiler.Options{Name: name})
	if memory != nil {
		p.stats.Memory = bool(memory.Truth())
	}
	outer := s.profiling.cell
	defer func() { s.profiling.cell = outer }()
	s.profiling.cell = newCellProfile(s, outer, p)
	if err := call(repeat); err != nil {
		return nil, err
	}
	p.stats.Meter() // later calls are not its
	return p, nil
}
