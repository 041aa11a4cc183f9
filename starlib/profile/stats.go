package profile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// ProfileStats is a profiler.Stats as Starlark sees it.
type ProfileStats struct {
	s      *Session
	stats  *profiler.Stats
	graphs []string // of its functions as text, with profiling.debugprint
	// flagged: a flag asked for it, so that notebooks show it with the cells that call its
	// functions.
	flagged bool
	read    bool // from a file: nothing is added, and the machine may be another
}

var (
	_ value.Tabled      = (*ProfileStats)(nil)
	_ value.MimeBundler = (*ProfileStats)(nil)
)

func (p *ProfileStats) String() string {
	return "<ProfileStats " + units.OneLine(p.stats.Title()) + ">"
}
func (p *ProfileStats) Type() string          { return "ProfileStats" }
func (p *ProfileStats) Freeze()               {}
func (p *ProfileStats) Truth() starlark.Bool  { return true }
func (p *ProfileStats) Hash() (uint32, error) { return 0x9f0f, nil } // its title changes

func (p *ProfileStats) Table() *value.Methods { return ProfileMethods }
func (p *ProfileStats) AttrNames() []string   { return ProfileMethods.Names() }

func (p *ProfileStats) Attr(name string) (starlark.Value, error) { return ProfileMethods.Attr(p, name) }

// MimeBundle shows the profile as a panel, as text and as data.
func (p *ProfileStats) MimeBundle() map[string]any {
	p.measure(p.s.Context(), false)
	return p.s.view().bundle([]*profiler.Stats{p.stats}, "")
}

// ProfileMethods are the methods of ProfileStats.
var ProfileMethods = value.NewMethods("ProfileStats", append(append(summaryMethods, rowMethods...), []value.Builtin{
	{Name: "reset", Doc: "Forgets all calls so far; the times of compiling stay.", Example: `ProfileStats("p").reset()`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			b.Receiver().(*ProfileStats).stats.Reset()
			return starlark.None, nil
		}},
	{Name: "merge", Params: []value.Param{{Name: "*others", Doc: "more profiles"},
		{Name: "name", Default: "None", Doc: "of the new profile; the names of its functions if not given"}},
		Doc:     "A profile of the functions of several profiles, which stay what they are.",
		Example: `ProfileStats("a").merge(ProfileStats("b"), name="both").message # "both"`, Fn: mergeProfiles},
	compareBuiltin, ifFasterBuiltin, plotBuiltin,
	{Name: "to_dict", Doc: "All that is known, as dicts, lists and numbers: what save() writes. Times are nanoseconds.",
		Example: `ProfileStats("p").to_dict()["name"] # "p"`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			data, err := b.Receiver().(*ProfileStats).snapshot().MarshalJSON()
			if err != nil {
				return nil, fmt.Errorf("to_dict: %w", err)
			}
			return valueOfJSON(data)
		}},
	{Name: "save", Params: []value.Param{{Name: "path", Doc: "the file to write, NAME.anprof"}},
		Doc: "Writes the profile as JSON, for load_profile().", Example: `ProfileStats("p").save("p.anprof")`, Fn: saveProfile},
	{Name: "export", Params: []value.Param{{Name: "path", Doc: "the file to write; its extension says what"},
		{Name: "**view", Doc: "what pages, text and CSV show: " + viewFlagDocs()}},
		Doc: "Writes the profile for other programs: " + exportFormats() + ".", Example: `ProfileStats("p").export("p.csv")`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var path string
			var flags *slot.Dict
			if err := b.Unpack(args, kwargs, &path, &flags); err != nil {
				return nil, err
			}
			p := b.Receiver().(*ProfileStats)
			view := p.s.exportView()
			if flags != nil {
				for _, kv := range flags.Items() {
					if err := view.Set(value.Str(kv[0]), value.Str(kv[1])); err != nil {
						return nil, fmt.Errorf("export: %w", err)
					}
				}
			}
			p.measure(p.s.Context(), false)
			return starlark.None, export.Write(p.s.Files(), p.s.Path(path), []*profiler.Stats{p.stats}, view)
		}},
}...)).With(profileFields...)

// profileField is the row of a total.
func profileField(name, doc, example string, get func(t *profiler.Function) starlark.Value) value.Field {
	return value.FieldOf(name, doc, example, func(p *ProfileStats) starlark.Value {
		t := p.stats.Clone().Total()
		return get(&t)
	})
}

// usageField is the row of what the processors did.
func usageField(name, doc string, get func(u *profiler.Usage) starlark.Value) value.Field {
	return value.FieldOf(name, doc, `ProfileStats("p").`+name+` == None # True`, func(p *ProfileStats) starlark.Value {
		if u := p.stats.Clone().Usage; u != nil {
			return get(u)
		}
		return starlark.None
	})
}

// profileFields are the totals, under Theano's names; times are in seconds.
var profileFields = []value.Field{
	value.FieldOf("message", "What the report calls it.", `ProfileStats("p").message # "p"`,
		func(p *ProfileStats) starlark.Value { return starlark.String(p.stats.Title()) }),
	profileField("fct_callcount", "The number of calls.", `ProfileStats("p").fct_callcount # 0`,
		func(t *profiler.Function) starlark.Value { return starlark.MakeInt64(t.Calls) }),
	profileField("fct_call_time", "Seconds in calls, from the arguments to the results.", `ProfileStats("p").fct_call_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return seconds(t.CallTime) }),
	profileField("vm_call_time", "Seconds in the programs of the functions, without arguments and results.",
		`ProfileStats("p").vm_call_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return seconds(t.RunTime) }),
	profileField("thunk_time", "Seconds in the nodes of the programs.", `ProfileStats("p").thunk_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return seconds(t.ThunkTime()) }),
	value.FieldOf("left_out", "Seconds of fct_call_time that tables of rows leave out: in nodes(), lines() and their like, calls that took much longer than the others "+
		"count as if they had not.", `ProfileStats("p").left_out # 0.0`, func(p *ProfileStats) starlark.Value {
		s := p.stats.Clone()
		measured, steady := s.Total(), s.Steady().Total()
		return seconds(measured.CallTime - steady.CallTime)
	}),
	usageField("wall_time", "Seconds from the first call to the last; None if they were not measured.",
		func(u *profiler.Usage) starlark.Value { return starlark.Float(u.Wall.Seconds()) }),
	usageField("cpu_time", "Seconds of the processors that the program had meanwhile; None if they were not measured.",
		func(u *profiler.Usage) starlark.Value { return starlark.Float(u.CPU.Seconds()) }),
	usageField("busy", "What other programs did meanwhile that makes times longer; None if it was little or is not known.",
		func(u *profiler.Usage) starlark.Value { return textOrNone(u.Busy()) }),
	profileField("compile_time", "Seconds of compiling.", `ProfileStats("p").compile_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return starlark.Float(t.Compile.Total.Seconds()) }),
	profileField("rewriting_time", "Seconds of these in rewriting the graph.", `ProfileStats("p").rewriting_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return starlark.Float(t.Compile.Rewrite.Seconds()) }),
	profileField("validate_time", "Seconds of these in checking the graph.", `ProfileStats("p").validate_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return starlark.Float(t.Compile.Validate.Seconds()) }),
	profileField("linker_time", "Seconds of compiling in making programs of the graphs.", `ProfileStats("p").linker_time # 0.0`,
		func(t *profiler.Function) starlark.Value { return starlark.Float(t.Compile.Link.Seconds()) }),
	profileField("nb_nodes", "The number of nodes of the programs.", `ProfileStats("p").nb_nodes # 0`,
		func(t *profiler.Function) starlark.Value { return starlark.MakeInt(len(t.Nodes)) }),
}

// ProfileStatsBuiltin is ProfileStats().
var ProfileStatsBuiltin = value.Builtin{Name: "ProfileStats", Params: []value.Param{
	{Name: "name", Default: "None", Doc: "what the report calls it; the names of its functions if not given"},
	{Name: "atexit_print", Default: "True", Doc: "print it when the program ends, if the flag profile is on then"},
	{Name: "flag_time_thunks", Default: "None", Doc: "time each node, not only each call; None obeys profiling.time_thunks"},
	{Name: "memory", Default: "None", Doc: "record the memory too; None obeys profile_memory"},
	{Name: "split", Default: "None", Doc: "how the time of fused nodes is divided among their lines: \"costs\" or \"measured\"; None obeys profiling.split"},
	{Name: "warmup", Default: "0",
		Doc: "how many of each function's first calls are left out; profiling.ignore_first_call leaves out one"},
	{Name: "message", Default: "None", Doc: "the same as name, as Theano calls it"},
}, Doc: "A profile for several functions: pass it to function() as profile.", Example: `ProfileStats("both").message # "both"`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var name, message, split string
		var thunks, memory starlark.Value
		atExit := true
		warmup := 0
		if err := b.Unpack(args, kwargs, &name, &atExit, &thunks, &memory, &split, &warmup, &message); err != nil {
			return nil, err
		}
		if warmup < 0 {
			return nil, fmt.Errorf("ProfileStats: warmup: got %d, want an int >= 0", warmup)
		}
		switch {
		case name != "" && message != "" && name != message:
			return nil, fmt.Errorf("ProfileStats: got name %q and message %q, which are the same: give one of them", name, message)
		case name == "":
			name = message
		}
		s := SessionOf(thread)
		p := s.newProfile(profiler.Options{Name: name, Warmup: warmup})
		if memory != nil {
			p.stats.Memory = bool(memory.Truth())
		}
		if split != "" && split != "costs" && split != "measured" {
			return nil, fmt.Errorf("ProfileStats: split: got %q, want \"costs\" or \"measured\"", split)
		}
		p.stats.Split = split == "measured" || split == "" && p.stats.Split
		if thunks != nil {
			p.stats.NoNodes = !bool(thunks.Truth())
		}
		if atExit && s.profiling.cell == nil {
			s.profiling.atExit = append(s.profiling.atExit, p)
		}
		return p, nil
	}}

// loadProfileBuiltin is load_profile().
var loadProfileBuiltin = value.Builtin{Name: "load_profile", Params: []value.Param{{Name: "path",
	Doc: "a file that save() wrote, or a notebook"}},
	Doc:     "Reads a profile from a file. Several become one, with the functions of all.",
	Example: "ProfileStats(\"p\").save(\"p.anprof\")\nload_profile(\"p.anprof\").message # \"p\"",
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var path string
		if err := b.Unpack(args, kwargs, &path); err != nil {
			return nil, err
		}
		s := SessionOf(thread)
		if _, err := s.Files().Stat(s.Path(path)); err != nil {
			return nil, fmt.Errorf("load_profile: %w", s.NoFile("file", path, s.Path(path), err))
		}
		all, err := export.Read(s.Files(), s.Path(path))
		if err != nil {
			return nil, fmt.Errorf("load_profile: %w", err)
		}
		return &ProfileStats{s: s, stats: joined(all, filepath.Base(path)), read: true}, nil
	}}

func mergeProfiles(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var others starlark.Tuple
	var name string
	if err := b.Unpack(args, kwargs, &others, &name); err != nil {
		return nil, err
	}
	p := b.Receiver().(*ProfileStats)
	all := []*profiler.Stats{p.stats}
	merged := &ProfileStats{s: p.s, read: p.read, graphs: p.graphs}
	for i, v := range others {
		q, ok := v.(*ProfileStats)
		if !ok {
			return nil, fmt.Errorf("merge: argument %d: got %s, want ProfileStats", i+1, v.Type())
		}
		all = append(all, q.stats)
		merged.read = merged.read || q.read
		merged.graphs = append(merged.graphs[:len(merged.graphs):len(merged.graphs)], q.graphs...)
	}
	merged.stats = profiler.Sum(all...)
	merged.stats.Name = name
	return merged, nil
}

func saveProfile(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var path string
	if err := b.Unpack(args, kwargs, &path); err != nil {
		return nil, err
	}
	p := b.Receiver().(*ProfileStats)
	data, err := p.snapshot().MarshalJSON()
	if err == nil {
		err = p.s.Files().Write(p.s.Path(path), data)
	}
	if err != nil {
		return nil, fmt.Errorf("save: %w", err)
	}
	return starlark.None, nil
}

// exportExtensions lists what the names of export() end with.
func exportExtensions() string {
	var list []string
	for _, f := range export.Formats {
		list = append(list, f.Ext)
	}
	return strings.Join(list, ", ")
}

// viewFlagDocs lists what views may be told.
func viewFlagDocs() string {
	var list []string
	for _, f := range profiler.ViewFlags {
		list = append(list, f.Name)
	}
	return strings.Join(list, ", ") + `, as by="op", top=5`
}

// exportFormats lists what export() writes.
func exportFormats() string {
	var list []string
	for _, f := range export.Formats {
		list = append(list, f.Ext+" "+f.Doc)
	}
	return strings.Join(list, "; ")
}

// valueOfJSON makes dicts, lists, strings and numbers of JSON.
func valueOfJSON(data []byte) (starlark.Value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, err
	}
	return valueOfTree(tree)
}

func valueOfTree(tree any) (starlark.Value, error) {
	switch x := tree.(type) {
	case map[string]any:
		d := slot.NewDict(len(x))
		for _, key := range slices.Sorted(maps.Keys(x)) {
			v, err := valueOfTree(x[key])
			if err != nil {
				return nil, err
			}
			d.SetKey(starlark.String(key), v)
		}
		return d, nil
	case []any:
		list := make([]starlark.Value, len(x))
		for i := range x {
			v, err := valueOfTree(x[i])
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return slot.NewList(list), nil
	case string:
		return starlark.String(x), nil
	case bool:
		return starlark.Bool(x), nil
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return starlark.MakeInt64(n), nil
		}
		f, err := x.Float64()
		return starlark.Float(f), err
	}
	return starlark.None, nil
}
