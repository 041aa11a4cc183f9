package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// summaryMethods print a profile, whole or in part, as Theano's do.
var summaryMethods = []value.Builtin{
	{Name: "summary", Params: []value.Param{
		fileParam,
		{Name: "n_ops_to_print", Default: "None", Doc: "rows by class and by op; None obeys profiling.n_ops"},
		{Name: "n_apply_to_print", Default: "None", Doc: "rows by Apply node; None obeys profiling.n_apply"},
		{Name: "layout", Default: "None",
			Doc: `"aesara", "theano" (2014), "profilemode" (2009), "profilemode2011" or "arignote"; None obeys profiling.layout, ` +
				"whose auto is aesara here"},
		{Name: "line_width", Default: "None", Doc: "where names are cut; 0 cuts none; None obeys profiling.output_line_width"},
		{Name: "details", Default: "False",
			Doc: "also the operands of each node, and with profile_optimizer all passes, rules and reasons of the rewrites"},
	}, Doc: "Prints the profile as text.", Example: `ProfileStats("p").summary()`, Fn: profileSummary},
	summaryPart("function", text.FunctionSection, "Prints the totals: calls, and the times of compiling.", ""),
	summaryPart("globals", text.GlobalSection, "Prints the times of the whole program.", ""),
	summaryPart("class", text.ClassSection, "Prints the rows by class of op.", "profiling.n_ops"),
	summaryPart("ops", text.OpSection, "Prints the rows by op.", "profiling.n_ops"),
	summaryPart("nodes", text.ApplySection, "Prints the rows by Apply node.", "profiling.n_apply"),
	summaryPart("memory", text.MemorySection, "Prints the memory profile, if it was recorded.", "profiling.n_apply"),
}

var fileParam = value.Param{Name: "file", Default: `"stdout"`, Doc: `"stdout", "stderr", the path of a file to write, or what has a method write: an open file, sys.stderr`}

// summaryPart is the row of a method that prints one section; rows is the flag that says how many
// rows it has, "" if it has none.
func summaryPart(name string, section text.Section, doc, rows string) value.Builtin {
	b := value.Builtin{Name: "summary_" + name, Params: []value.Param{fileParam}, Doc: doc,
		Example: `ProfileStats("p").summary_` + name + `()`}
	if rows != "" {
		b.Params = append(b.Params, value.Param{Name: "N", Default: "None", Doc: "how many; None obeys " + rows})
	}
	b.Fn = func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		p := b.Receiver().(*ProfileStats)
		opts := p.s.textOptions(text.Aesara)
		opts.Memory = opts.Memory || section == text.MemorySection
		if !slices.Contains(text.SectionLayouts, opts.Layout) {
			opts.Layout = text.Aesara
		}
		if rows != "" {
			n, err := rowCount(b.Name, "N", v[1], 0)
			if err != nil {
				return nil, err
			}
			if n > 0 {
				opts.NOps, opts.NApply = n, n
			}
		}
		report, err := text.SectionOf(p.snapshot(), section, opts)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		return starlark.None, p.s.printTo(thread, b.Name, v[0], report)
	}
	return b
}

// rowCount reads an argument that is a number of rows, or None for another.
func rowCount(fn, param string, v starlark.Value, otherwise int) (int, error) {
	if v == nil || v == starlark.None {
		return otherwise, nil
	}
	var n int
	if err := starlark.AsInt(v, &n); err != nil || n <= 0 {
		return 0, fmt.Errorf("%s: %s: got %s, want an int > 0 or None", fn, param, v)
	}
	return n, nil
}

// textOptions are those that the flags ask for; auto is the layout that profiling.layout=auto
// stands for.
func (s *Session) textOptions(auto text.Layout) text.Options {
	least := s.Config().Int("profiling.min_memory_size")
	if least == 0 {
		least = -1 // to the profiler, 0 is its default
	}
	return text.Options{
		NOps: s.Config().Int("profiling.n_ops"), NApply: s.Config().Int("profiling.n_apply"),
		LineWidth: s.lineWidth(), MinMemorySize: least,
		Memory: s.Config().Bool("profile_memory"), Rewrites: s.Config().Bool("profile_optimizer"),
		Layout: s.layout(auto),
	}
}

// layout is that of profiling.layout.
func (s *Session) layout(auto text.Layout) text.Layout {
	return layoutOf(s.Config().String("profiling.layout"), auto)
}

// lineWidth is 0, which is the layout's own, where nobody set the flag.
func (s *Session) lineWidth() int {
	v, source := s.Config().Get("profiling.output_line_width")
	if source == config.Default {
		return 0
	}
	return v.(int)
}

// layoutOf is the layout that a value of profiling.layout stands for where its auto is that one.
func layoutOf(name string, auto text.Layout) text.Layout {
	if name == "auto" {
		return auto
	}
	return text.Layout(name)
}

func profileSummary(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	p := b.Receiver().(*ProfileStats)
	opts := p.s.textOptions(text.Aesara)
	if opts.NOps, err = rowCount("summary", "n_ops_to_print", v[1], opts.NOps); err != nil {
		return nil, err
	}
	if opts.NApply, err = rowCount("summary", "n_apply_to_print", v[2], opts.NApply); err != nil {
		return nil, err
	}
	if v[3] != nil && v[3] != starlark.None {
		name, _ := starlark.AsString(v[3])
		if name, err = config.CheckText("profiling.layout", name); err != nil {
			f, _ := config.Lookup("profiling.layout")
			return nil, fmt.Errorf("summary: layout: got %s, want %s", v[3], f.Values())
		}
		opts.Layout = layoutOf(name, text.Aesara)
	}
	if v[4] != nil && v[4] != starlark.None {
		if err := starlark.AsInt(v[4], &opts.LineWidth); err != nil || opts.LineWidth < 0 {
			return nil, fmt.Errorf("summary: line_width: got %s, want an int >= 0 or None", v[4])
		}
		if opts.LineWidth == 0 {
			opts.LineWidth = -1
		}
	}
	opts.Details = v[5] == starlark.True
	report, err := text.Of(p.snapshot(), opts)
	if err != nil {
		return nil, fmt.Errorf("summary: %w", err)
	}
	return starlark.None, p.s.printTo(thread, "summary", v[0], report+p.debugprint())
}

// debugprint is the graphs of the functions, if the flag asks for them.
func (p *ProfileStats) debugprint() string {
	if !p.s.Config().Bool("profiling.debugprint") {
		return ""
	}
	return strings.Join(p.graphs, "")
}

// printTo writes a report to the cell's output, into a file, or to what has a method write.
func (s *Session) printTo(thread *starlark.Thread, fn string, file starlark.Value, report string) error {
	path := "stdout"
	if file != nil && file != starlark.None {
		var isName bool
		if path, isName = starlark.AsString(file); !isName {
			write, err := value.Attr(file, "write")
			if err != nil {
				return fmt.Errorf(`%s: file: got %s, want "stdout", "stderr", the path of a file or what has a method write`, fn, file.Type())
			}
			_, err = value.Call(thread, write, starlark.Tuple{starlark.String(report)}, nil)
			return err
		}
	}
	switch path {
	case "stdout", "stderr":
		s.Print(path, report)
		return nil
	}
	if err := s.Files().Write(s.Path(path), []byte(report)); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}
