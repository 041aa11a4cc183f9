package text

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// WriteAll writes several profiles as at the end of a program: the most expensive first, those
// without content left out with a line that says so, and their Sum if more than one has content.
func WriteAll(w io.Writer, stats []*profiler.Stats, opts Options) error {
	var ran []*profiler.Stats
	all := profiler.Once(stats...)
	cost := func(s *profiler.Stats) time.Duration {
		t := s.Total()
		return t.Compile.Total + time.Duration(t.CallTime)
	}
	slices.SortStableFunc(all, func(a, b *profiler.Stats) int { return cmp.Compare(cost(b), cost(a)) })
	if opts.Brief && opts.Layout == Arignote && len(all) > 0 {
		together := profiler.Sum(all...)
		if len(all) == 1 {
			together = all[0]
		}
		together.Name = opts.Title
		return Write(w, together, opts)
	}
	for _, s := range all {
		if s.Empty() {
			if _, err := fmt.Fprintf(w, "Skipping empty profile of %s\n\n", units.OneLine(s.Title())); err != nil {
				return err
			}
			continue
		}
		if ran = append(ran, s); opts.Most <= 0 || len(ran) <= opts.Most {
			if err := Write(w, s, opts); err != nil {
				return err
			}
		}
	}
	if len(ran) > 1 {
		about := sum{of: len(ran)}
		total := profiler.Sum(ran...)
		if !opts.AtExit {
			total.Name = strings.TrimSuffix(total.Name, " at exit")
		}
		if opts.Most > 0 && len(ran) > opts.Most {
			about.left = len(ran) - opts.Most
			total.Name = strings.Replace(total.Name, " printed", "", 1)
			more := units.Plain(units.Plural(int64(about.left), "profile"))
			if _, err := fmt.Fprintf(w, "   ... (%s more, in the sum only)\n\n", more); err != nil {
				return err
			}
		}
		if err := write(w, total, opts, about); err != nil {
			return err
		}
	}
	if opts.Global {
		return WriteGlobal(w, all, opts)
	}
	return nil
}

// WriteGlobal writes where the time of the process went: in calls of the functions of stats, in
// rewriting and in linking them. The words of the classic layouts are the peers', as they spell
// them.
func WriteGlobal(w io.Writer, stats []*profiler.Stats, opts Options) error {
	sum := profiler.Sum(stats...)
	t := sum.Total()
	var g profiler.Globals
	if sum.Globals != nil {
		g = *sum.Globals
	}
	opts = withDefaults(opts)
	p := &printer{w: bufio.NewWriter(w), stats: sum, opts: opts}
	if opts.Layout == Arignote {
		p.line("Process")
		p.line("=======")
		p.field("time", "%s since it began", duration(float64(g.Since)))
		p.field("calls", "%s in %s", duration(t.CallTime), units.Plural(t.Calls, "call"))
		p.field("compile", "rewriting %s, linking %s, all calls of grad() %s", duration(float64(t.Compile.Rewrite)),
			duration(float64(t.Compile.Link)), duration(float64(g.Grad)))
		return p.w.Flush()
	}
	line := strings.Repeat("=", 50)
	p.line("%s", line)
	p.line("Global stats:  Time elasped since Arignote import = %6.3fs, Time spent in Arignote functions = %6.3fs, "+
		"Time spent compiling Arignote functions:  optimzation = %6.3fs, linker = %6.3fs ",
		g.Since.Seconds(), units.Seconds(t.CallTime), t.Compile.Rewrite.Seconds(), t.Compile.Link.Seconds())
	p.line("%s", line)
	return p.w.Flush()
}
