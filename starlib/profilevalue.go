package starlib

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// started is when the program began, as reports tell it.
var started = time.Now()

// profiling is what a session knows of profiles.
type profiling struct {
	gradTime time.Duration   // in all calls of grad()
	atExit   []*ProfileStats // that a flag asked for, oldest first
	cell     *cellProfile    // of the running %%profile cell
	mode     *ProfileMode    // "PROFILE_MODE"; nil until it is named
	warned   bool            // that a flag does nothing without a profile
}

// ProfileStats is a profiler.Stats as Starlark sees it.
type ProfileStats struct {
	s     *Session
	stats *profiler.Stats
}

var (
	_ value.Tabled      = (*ProfileStats)(nil)
	_ value.MimeBundler = (*ProfileStats)(nil)
)

// newProfile makes a profile that obeys the flags in force.
func (s *Session) newProfile(name string) *ProfileStats {
	return &ProfileStats{s, profiler.NewStats(profiler.Options{
		Name:            name,
		Memory:          s.config.Bool("profile_memory"),
		NoNodes:         !s.config.Bool("profiling.time_thunks"),
		IgnoreFirstCall: s.config.Bool("profiling.ignore_first_call"),
		Globals: func() profiler.Globals {
			return profiler.Globals{Grad: s.profiling.gradTime, Since: time.Since(started)}
		},
	})}
}

// add begins to profile f.
func (p *ProfileStats) add(f *compile.Function, keepAll bool) *profiler.Recorder {
	return p.stats.Add(profiler.FunctionInfo{
		Name: f.Name, Program: f.Program, KeepAll: keepAll, Rewrites: rewritePasses(f),
		Compile: compileTimes(f),
	})
}

// warnUnprofiled says, once, that a flag asks for details of profiles that nobody makes.
func (s *Session) warnUnprofiled(p *ProfileStats, asked starlark.Value) {
	if p != nil || asked == starlark.False || s.profiling.cell != nil || s.profiling.warned {
		return
	}
	for _, flag := range []string{"profile_memory", "profile_optimizer"} {
		if s.config.Bool(flag) {
			s.profiling.warned = true
			s.out.Stream("stderr", "warning: "+flag+" is on and does nothing, since no function is profiled: set the flag profile too\n")
			return
		}
	}
}

// registerProfile makes a profile that is printed at exit if the profile flag is on then. What a %%profile cell makes is shown
// with the cell.
func (s *Session) registerProfile(name string) *ProfileStats {
	p := s.newProfile(name)
	if s.profiling.cell == nil && s.config.Bool("profile") {
		s.profiling.atExit = append(s.profiling.atExit, p)
	}
	return p
}

// profileFor reads the profile argument of function(); nil means no profile.
func (s *Session) profileFor(v starlark.Value, name string) (*ProfileStats, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		if !s.config.Bool("profile") {
			return nil, nil
		}
		return s.registerProfile(name), nil
	case starlark.Bool:
		if !v {
			return nil, nil
		}
		return s.registerProfile(name), nil
	case starlark.String:
		return s.registerProfile(string(v)), nil
	case *ProfileStats:
		return v, nil
	}
	return nil, fmt.Errorf("profile: got %s, want True, False, a name or a ProfileStats", v.Type())
}

func (p *ProfileStats) String() string        { return "<ProfileStats " + p.stats.Title() + ">" }
func (p *ProfileStats) Type() string          { return "ProfileStats" }
func (p *ProfileStats) Freeze()               {}
func (p *ProfileStats) Truth() starlark.Bool  { return true }
func (p *ProfileStats) Hash() (uint32, error) { return 0x9f0f, nil } // its title changes

// MimeBundle shows the profile as a panel, as the classic text and as data.
func (p *ProfileStats) MimeBundle() map[string]any {
	return bundleProfiles([]*profiler.Stats{p.stats}, p.s, "")
}

// profileMIME is the type of a profile's data.
const profileMIME = "application/vnd.arignote.profile+json"

func bundleProfiles(all []*profiler.Stats, s *Session, title string) map[string]any {
	var report strings.Builder
	if err := text.WriteAll(&report, all, s.textOptions()); err != nil {
		report.WriteString(err.Error())
	}
	b := map[string]any{"text/plain": strings.TrimRight(report.String(), "\n")}
	if show := s.config.String("profiling.html"); show != "text" {
		b["text/html"] = panel.HTML(all, panel.Options{
			Title: title, Open: show == "open", Rewrites: s.config.Bool("profile_optimizer"),
			NOps: s.config.Int("profiling.n_ops"), NApply: s.config.Int("profiling.n_apply"),
		})
	}
	if data, err := json.Marshal(all); err == nil {
		b[profileMIME] = json.RawMessage(data)
	}
	return b
}

// textOptions are those that the flags ask for.
func (s *Session) textOptions() text.Options {
	least := s.config.Int("profiling.min_memory_size")
	if least == 0 {
		least = -1 // to the profiler, 0 is its default
	}
	return text.Options{
		NOps: s.config.Int("profiling.n_ops"), NApply: s.config.Int("profiling.n_apply"),
		LineWidth: s.config.Int("profiling.output_line_width"), MinMemorySize: least,
		Memory: s.config.Bool("profile_memory"), Rewrites: s.config.Bool("profile_optimizer"),
	}
}

var layouts = map[string]text.Layout{"aesara": text.Aesara, "theano": text.Theano,
	"profilemode": text.ProfileMode, "profilemode2011": text.ProfileMode2011}

var profileMethods = value.NewMethods("ProfileStats", []value.Builtin{
	{Name: "summary", Params: []value.Param{
		{Name: "file", Default: `"stdout"`, Doc: `"stdout", "stderr" or the path of a file to write`},
		{Name: "n_ops_to_print", Default: "None", Doc: "rows by class and by op; None obeys profiling.n_ops"},
		{Name: "n_apply_to_print", Default: "None", Doc: "rows by Apply node; None obeys profiling.n_apply"},
		{Name: "layout", Default: `"aesara"`, Doc: `"aesara", "theano" (2014), "profilemode" (2009) or "profilemode2011"`},
	}, Doc: "Prints the profile as text.", Example: `ProfileStats("p").summary()`, Fn: profileSummary},
	{Name: "reset", Doc: "Forgets all calls so far; the times of compiling stay.", Example: `ProfileStats("p").reset()`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			b.Receiver().(*ProfileStats).stats.Reset()
			return starlark.None, nil
		}},
}, "classes compare explain export functions hints lines memory nodes ops print_summary regions rewrites save shapes to_dict").
	With(profileFields...)

// profileField is the row of a total.
func profileField(name, doc, example string, get func(t *profiler.Function) starlark.Value) value.Field {
	return value.FieldOf(name, doc, example, func(p *ProfileStats) starlark.Value {
		t := p.stats.Clone().Total()
		return get(&t)
	})
}

// profileFields are the totals, under Theano's names; times are in seconds.
var profileFields = []value.Field{
	value.FieldOf("message", "What the report calls it.", `ProfileStats("p").message # "p"`,
		func(p *ProfileStats) starlark.Value { return starlark.String(p.stats.Title()) }),
	profileField("fct_callcount", "The number of calls.", `ProfileStats("p").fct_callcount # 0`,
		func(t *profiler.Function) starlark.Value { return starlark.MakeInt64(t.Calls) }),
	profileField("fct_call_time", "Seconds in calls, from the arguments to the results.", `ProfileStats("p").fct_call_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return starlark.Float(t.CallTime / 1e9) }),
	profileField("vm_call_time", "Seconds in the programs of the functions, without arguments and results.",
		`ProfileStats("p").vm_call_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return starlark.Float(t.RunTime / 1e9) }),
	profileField("thunk_time", "Seconds in the nodes of the programs.", `ProfileStats("p").thunk_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return starlark.Float(t.ThunkTime() / 1e9) }),
	profileField("compile_time", "Seconds of compiling.", `ProfileStats("p").compile_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return starlark.Float(t.Compile.Total.Seconds()) }),
	profileField("rewriting_time", "Seconds of these in rewriting the graph.", `ProfileStats("p").rewriting_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return starlark.Float(t.Compile.Rewrite.Seconds()) }),
	profileField("linker_time", "Seconds of these in making programs of the graphs.", `ProfileStats("p").linker_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return starlark.Float(t.Compile.Link.Seconds()) }),
	profileField("nb_nodes", "The number of nodes of the programs.", `ProfileStats("p").nb_nodes # 0`,
		func(t *profiler.Function) starlark.Value { return starlark.MakeInt(len(t.Nodes)) }),
}

func (p *ProfileStats) Table() *value.Methods { return profileMethods }
func (p *ProfileStats) AttrNames() []string   { return profileMethods.Names() }

func (p *ProfileStats) Attr(name string) (starlark.Value, error) { return profileMethods.Attr(p, name) }

func profileSummary(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	p := b.Receiver().(*ProfileStats)
	s := SessionOf(thread)
	opts := s.textOptions()
	for i, dst := range []*int{&opts.NOps, &opts.NApply} {
		if v[1+i] == nil || v[1+i] == starlark.None {
			continue
		}
		if err := starlark.AsInt(v[1+i], dst); err != nil || *dst <= 0 {
			return nil, fmt.Errorf("summary: %s: got %s, want a positive int", b.Params[1+i].Name, v[1+i])
		}
	}
	if v[3] != nil {
		name, _ := starlark.AsString(v[3])
		layout, ok := layouts[name]
		if !ok {
			return nil, fmt.Errorf(`summary: layout: got %s, want "aesara", "theano", "profilemode" or "profilemode2011"`, v[3])
		}
		opts.Layout = layout
	}
	report, err := text.Of(p.stats, opts)
	if err != nil {
		return nil, fmt.Errorf("summary: %w", err)
	}
	file := "stdout"
	if v[0] != nil && v[0] != starlark.None {
		var ok bool
		if file, ok = starlark.AsString(v[0]); !ok {
			return nil, fmt.Errorf("summary: file: got %s, want string", v[0].Type())
		}
	}
	switch file {
	case "stdout", "stderr":
		s.out.Stream(file, report)
	default:
		if err := os.WriteFile(file, []byte(report), 0o666); err != nil {
			return nil, fmt.Errorf("summary: %w", err)
		}
	}
	return starlark.None, nil
}

// profileStatsBuiltin is ProfileStats().
var profileStatsBuiltin = value.Builtin{Name: "ProfileStats", Params: []value.Param{
	{Name: "name", Default: "None", Doc: "what the report calls it; the names of its functions if not given"},
}, Doc: "A profile for several functions: pass it to function() as profile.", Example: `ProfileStats("both").message # "both"`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var name string
		if err := b.Unpack(args, kwargs, &name); err != nil {
			return nil, err
		}
		return SessionOf(thread).registerProfile(name), nil
	}}

// PrintProfiles writes what Theano does when a program ends: if the profile flag is still on, the profiles that flags asked for, one a
// function, and their sum; and the summary of the mode PROFILE_MODE, if functions compiled with it ran.
func (s *Session) PrintProfiles(stdout, stderr io.Writer) error {
	var all []*profiler.Stats
	if s.config.Bool("profile") {
		for _, p := range s.profiling.atExit {
			all = append(all, p.stats)
		}
	}
	if len(all) == 0 && !s.profiling.mode.ran() {
		return nil
	}
	write := func(w io.Writer) error {
		if err := text.WriteAll(w, all, s.textOptions()); err != nil || !s.profiling.mode.ran() {
			return err
		}
		return s.profiling.mode.writeAtExit(w)
	}
	switch dest := s.config.String("profiling.destination"); dest {
	case "stderr":
		return write(stderr)
	case "stdout":
		return write(stdout)
	default:
		f, err := os.Create(dest)
		if err != nil {
			return fmt.Errorf("profiling.destination: %w", err)
		}
		err = write(f)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		return err
	}
}
