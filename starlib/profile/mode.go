package profile

import (
	"fmt"
	"io"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A ProfileMode is a mode that profiles every function compiled with it, each apart. Copies with
// more or fewer rewrites begin with an empty profile, so that print_diff_summary can compare.
type ProfileMode struct {
	s         *Session
	mode      compile.Mode
	functions []*symbolic.Function // compiled with it, oldest first
	stats     []*ProfileStats
}

var (
	_ symbolic.WatchedMode = (*ProfileMode)(nil)
	_ value.MimeBundler    = (*ProfileMode)(nil)
)

func (m *ProfileMode) String() string        { return "ProfileMode(" + symbolic.ModeText(m.mode) + ")" }
func (m *ProfileMode) Type() string          { return "ProfileMode" }
func (m *ProfileMode) Freeze()               {}
func (m *ProfileMode) Truth() starlark.Bool  { return true }
func (m *ProfileMode) Hash() (uint32, error) { return starlark.String(m.String()).Hash() }

func (m *ProfileMode) Table() *value.Methods { return ProfileModeMethods }
func (m *ProfileMode) AttrNames() []string   { return ProfileModeMethods.Names() }

func (m *ProfileMode) Attr(name string) (starlark.Value, error) {
	return ProfileModeMethods.Attr(m, name)
}

func (m *ProfileMode) CompileMode() compile.Mode { return m.mode }
func (m *ProfileMode) With(mode compile.Mode) starlark.Value {
	return &ProfileMode{s: m.s, mode: mode}
}

// MimeBundle shows the mode with the profiles of its functions.
func (m *ProfileMode) MimeBundle() map[string]any {
	if len(m.stats) == 0 {
		return map[string]any{"text/plain": m.String()}
	}
	b := m.s.view().bundle(m.all(), m.String())
	b["text/plain"] = m.String()
	return b
}

// namedProfileMode is the session's only ProfileMode that has a name, which compiles as m does, if
// name is one of that; else nil.
func (s *Session) namedProfileMode(name string, m compile.Mode) *ProfileMode {
	if name != "PROFILE_MODE" && name != "ProfileMode" {
		return nil
	}
	if s.profiling.mode == nil {
		s.profiling.mode = &ProfileMode{s: s}
	}
	s.profiling.mode.mode = m
	return s.profiling.mode
}

// Begin begins to profile f, apart from what its profile argument asked for.
func (m *ProfileMode) Begin(f *symbolic.Function) {
	p := m.s.newProfile(profiler.Options{Name: f.Compiled.Name})
	p.flagged = m == m.s.profiling.mode && m.s.profiling.cell == nil
	p.stats.Memory = p.stats.Memory || m.s.Config().Bool("ProfileMode.profile_memory")
	m.functions, m.stats = append(m.functions, f), append(m.stats, p)
	f.Watch = append(f.Watch, p.add(f.Compiled))
	if f.Stats == starlark.None {
		f.Stats = p
	}
}

// all are the profiles of the functions.
func (m *ProfileMode) all() []*profiler.Stats {
	all := make([]*profiler.Stats, len(m.stats))
	for i, p := range m.stats {
		all[i] = p.stats
	}
	return all
}

// profile is that of all functions together.
func (m *ProfileMode) profile() *profiler.Stats {
	if len(m.stats) == 0 {
		return m.s.newProfile(profiler.Options{}).stats
	}
	return profiler.Sum(m.all()...)
}

// byFunction is a dict from the functions to something of their profiles.
func (m *ProfileMode) byFunction(of func(p *ProfileStats) starlark.Value) starlark.Value {
	d := slot.NewDict(len(m.functions))
	for i, f := range m.functions {
		d.SetKey(f, of(m.stats[i])) // functions have hashes
	}
	return d
}

// ProfileModeMethods are the methods of ProfileMode.
var ProfileModeMethods = value.NewMethods("ProfileMode", append(symbolic.TagMethods("ProfileMode()"),
	value.Builtin{Name: "print_summary", Params: summaryParams, Fn: printSummary,
		Doc: "Prints where the time of all functions went that were compiled with the mode: by node, and by op, with * for kernels of C.",
		Example: `profmode = ProfileMode()
function([], T.constant(2.0), mode=profmode)()
profmode.print_summary()`},
	value.Builtin{Name: "print_diff_summary", Fn: printDiffSummary,
		Params: append([]value.Param{{Name: "other", Doc: "the ProfileMode to subtract"}}, summaryParams...),
		Doc: "Prints how much more time functions and ops took here than there. What only one of both has counts as 0 in the other. " +
			"The nodes of two graphs do not correspond: there is no Apply-wise summary.",
		Example: `ProfileMode().print_diff_summary(ProfileMode(optimizer="fast_compile"))`},
	value.Builtin{Name: "reset", Doc: "Forgets all calls so far; the times of compiling stay.", Example: `ProfileMode().reset()`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			for _, p := range b.Receiver().(*ProfileMode).stats {
				p.stats.Reset()
			}
			return starlark.None, nil
		}},
)).With(append(symbolic.ModeFields("ProfileMode"),
	profileModeField("local_time", "Seconds in the nodes of all functions.",
		func(t *profiler.Function) float64 { return t.ThunkTime() / 1e9 }),
	profileModeField("call_time", "Seconds in the calls of all functions, from the arguments to the results.",
		func(t *profiler.Function) float64 { return t.CallTime / 1e9 }),
	profileModeField("compile_time", "Seconds of compiling them.",
		func(t *profiler.Function) float64 { return t.Compile.Total.Seconds() }),
	value.FieldOf("fct_call_time", "Seconds in the calls of each function: a dict.", `ProfileMode().fct_call_time # {}`,
		func(m *ProfileMode) starlark.Value {
			return m.byFunction(func(p *ProfileStats) starlark.Value {
				t := p.stats.Clone().Total()
				return starlark.Float(t.CallTime / 1e9)
			})
		}),
	value.FieldOf("fct_call", "The number of calls of each function: a dict.", `ProfileMode().fct_call # {}`,
		func(m *ProfileMode) starlark.Value {
			return m.byFunction(func(p *ProfileStats) starlark.Value {
				t := p.stats.Clone().Total()
				return starlark.MakeInt64(t.Calls)
			})
		}),
	value.FieldOf("profile_stats", "The ProfileStats of each function: a dict.", `ProfileMode().profile_stats # {}`,
		func(m *ProfileMode) starlark.Value {
			return m.byFunction(func(p *ProfileStats) starlark.Value { return p })
		}),
)...)

func profileModeField(name, doc string, get func(t *profiler.Function) float64) value.Field {
	return value.FieldOf(name, doc, "ProfileMode()."+name+" # 0.0", func(m *ProfileMode) starlark.Value {
		t := m.profile().Total()
		return starlark.Float(get(&t))
	})
}

// ProfileModeBuiltin is ProfileMode().
var ProfileModeBuiltin = value.Builtin{Name: "ProfileMode", Params: symbolic.ModeParams,
	Doc: "A mode that profiles every function compiled with it; print_summary() tells where their time went. " +
		`mode="PROFILE_MODE", of function() or as the flag, is one that all share, and whose summary is printed when a script ends.`,
	Example: `ProfileMode(optimizer="fast_run", linker=theano.gof.OpWiseCLinker()) # ProfileMode(linker="c|go", optimizer="fast_run")`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		s := SessionOf(thread)
		m, err := s.NewMode(b, args, kwargs)
		if err != nil {
			return nil, err
		}
		return &ProfileMode{s: s, mode: m}, nil
	}}

var summaryParams = []value.Param{
	{Name: "n_apply_to_print", Default: "None", Doc: "rows by Apply node; None obeys ProfileMode.n_apply_to_print"},
	{Name: "n_ops_to_print", Default: "None", Doc: "rows by op; None obeys ProfileMode.n_ops_to_print"},
	{Name: "min_memory_size", Default: "None",
		Doc: "bytes below which outputs are left out of the memory profile of 2011; None obeys ProfileMode.min_memory_size"},
	{Name: "layout", Default: `"2009"`,
		Doc: `"2009", with fractions by node and by op, or "2011", with seconds by function, class, op and node`},
}

var summaryLayouts = map[string]text.Layout{"2009": text.ProfileMode, "2011": text.ProfileMode2011}

// summaryOptions reads the arguments of summaryParams.
func (s *Session) summaryOptions(method string, v []starlark.Value) (text.Options, error) {
	opts := s.textOptions(text.Aesara)
	for i, n := range []struct {
		dst   *int
		least int
	}{{&opts.NApply, 1}, {&opts.NOps, 1}, {&opts.MinMemorySize, 0}} {
		name := summaryParams[i].Name
		if v[i] == nil || v[i] == starlark.None {
			*n.dst = s.Config().Int("ProfileMode." + name)
		} else if err := starlark.AsInt(v[i], n.dst); err != nil || *n.dst < n.least {
			return opts, fmt.Errorf("%s: %s: got %s, want an int of at least %d", method, name, v[i], n.least)
		}
	}
	if opts.MinMemorySize == 0 {
		opts.MinMemorySize = -1 // to the profiler, 0 is its default
	}
	opts.Layout = text.ProfileMode
	if v[3] != nil {
		name, _ := starlark.AsString(v[3])
		layout, ok := summaryLayouts[name]
		if !ok {
			return opts, fmt.Errorf(`%s: layout: got %s, want "2009" or "2011"`, method, v[3])
		}
		opts.Layout = layout
	}
	return opts, nil
}

func printSummary(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	s := SessionOf(thread)
	opts, err := s.summaryOptions(b.Name, v)
	if err != nil {
		return nil, err
	}
	report, err := text.Of(b.Receiver().(*ProfileMode).profile(), opts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name, err)
	}
	s.Print("stdout", report)
	return starlark.None, nil
}

func printDiffSummary(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	other, ok := v[0].(*ProfileMode)
	if !ok {
		return nil, fmt.Errorf("%s: other: got %s, want a ProfileMode", b.Name, v[0].Type())
	}
	s := SessionOf(thread)
	opts, err := s.summaryOptions(b.Name, v[1:])
	if err != nil {
		return nil, err
	}
	var report strings.Builder
	if err := text.WriteDifference(&report, b.Receiver().(*ProfileMode).profile().Minus(other.profile()), opts); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name, err)
	}
	s.Print("stdout", report.String())
	return starlark.None, nil
}

// ran reports whether there is time to tell of.
func (m *ProfileMode) ran() bool {
	if m == nil {
		return false
	}
	t := m.profile().Total()
	return t.ThunkTime() > 0
}

// writeAtExit writes the summary as the flags ask for it.
func (m *ProfileMode) writeAtExit(w io.Writer) error {
	opts, err := m.s.summaryOptions("print_summary", make([]starlark.Value, len(summaryParams)))
	if err != nil {
		return err
	}
	return text.Write(w, m.profile(), opts)
}
