// Package text writes profiles as text: in the classic layouts of Theano and Aesara, byte for byte
// in their structure, and in our own, which adds what each line of the source cost, flops, bytes,
// the distance from the machine's roof and what is inside of loops.
//
//	Write            one profile
//	WriteDifference  what one took more than another
//	WriteAll         several, as at the end of a program, and their sum
//	WriteGlobal      the times of the whole process
//	Options          how much, and in which Layout
//
// The classic layouts are in classic.go, memory.go, loops.go and profilemode.go; ours is in
// arignote.go, lines.go, nodes.go and usage.go, whose tables table.go lays out and whose columns
// are those of profiler/columns. It computes nothing: what a table shows comes from
// profiler.Stats.Rows and its like. It imports profiler, profiler/columns, profiler/units and
// runtime/tensor. Start at Write in classic.go.
package text

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/tensor"
)

// Layout of the text. Programs and people parse it: the columns are those of the peers, blank by
// blank.
type Layout = profiler.Layout

const (
	Arignote        Layout = "arignote"        // our own, for people; the others are also for programs
	Aesara          Layout = "aesara"          // the default
	Theano          Layout = "theano"          // Theano's of 2014
	ProfileMode     Layout = "profilemode"     // Theano's of 2009
	ProfileMode2011 Layout = "profilemode2011" // Theano's of 2011 to 2015
)

// LayoutNames lists the layouts.
func LayoutNames() []string {
	return []string{string(Arignote), string(Aesara), string(Theano), string(ProfileMode), string(ProfileMode2011)}
}

// Options says what Write writes.
type Options = profiler.View

func isProfileMode(l Layout) bool { return l == ProfileMode || l == ProfileMode2011 }

// withDefaults replaces zeros, and negative numbers by one that limits nothing.
func withDefaults(o Options) Options {
	set := func(n *int, value, none int) {
		if *n == 0 {
			*n = value
		} else if *n < 0 {
			*n = none
		}
	}
	const all = 1<<31 - 1
	if isProfileMode(o.Layout) {
		set(&o.NApply, 15, all)
	}
	set(&o.NOps, 20, all)
	set(&o.NApply, 20, all)
	set(&o.NLines, 20, all)
	if o.Layout == Arignote {
		set(&o.LineWidth, 120, all)
	}
	set(&o.LineWidth, 512, all)
	set(&o.MinMemorySize, 1024, 0)
	if o.Layout == "" {
		o.Layout = Aesara
	}
	return o
}

// words are what differs between the layouts of the same shape.
type words struct {
	run, compile, rewrite, validate, link string
	class                                 string // format
	old                                   bool   // 2014: neither node counts nor the times of single thunks and of the process
}

var layouts = map[Layout]words{
	Aesara: {run: "Function.vm.__call__", compile: "Total compilation time", rewrite: "Arignote rewrite time",
		validate: "Arignote validate time",
		link:     "Arignote Linker time (includes C, CUDA code generation/compiling)", class: "arignote.%s"},
	Theano: {run: "Function.fn.__call__", compile: "Total compile time", rewrite: "Arignote Optimizer time",
		validate: "Arignote validate time",
		link:     "Arignote Linker time (includes C, CUDA code generation/compiling)", class: "<class 'arignote.%s'>", old: true},
}

// Write writes s as text. A nil Stats writes nothing.
func Write(w io.Writer, s *profiler.Stats, opts Options) error { return write(w, s, opts, sum{}) }

// A sum is what is known of a profile that sums up others: how many they are, and how many of these
// were not written.
type sum struct{ of, left int }

func write(w io.Writer, s *profiler.Stats, opts Options, sum sum) error {
	if s == nil {
		return nil
	}
	opts = withDefaults(opts)
	p := &printer{w: bufio.NewWriter(w), stats: s.Clone(), opts: opts, sum: sum}
	if isProfileMode(opts.Layout) {
		p.profileMode()
		return p.w.Flush()
	}
	if opts.Layout == Arignote {
		if opts.Brief {
			p.brief()
		} else {
			p.arignote()
		}
		return p.w.Flush()
	}
	var ok bool
	if p.words, ok = layouts[opts.Layout]; !ok {
		return fmt.Errorf("profile: unknown layout %q (want arignote, aesara, theano, profilemode or profilemode2011)", opts.Layout)
	}
	p.stats.Fit()
	p.function()
	p.globals()
	if total := p.stats.Total(); total.ThunkTime() > 0 {
		p.classes()
		p.ops()
		p.applies()
	} else {
		p.line("  No execution time accumulated (%s)", p.stats.WhyEmpty())
		p.line("")
	}
	p.memory()
	if opts.Rewrites {
		p.rewrites()
	}
	p.loops()
	return p.w.Flush()
}

// Of is Write into a string.
func Of(s *profiler.Stats, opts Options) (string, error) {
	var b strings.Builder
	err := Write(&b, s, opts)
	return b.String(), err
}

// printer writes one text. bufio keeps the first error for Flush.
type printer struct {
	w     *bufio.Writer
	stats *profiler.Stats
	opts  Options
	sum   sum
	words words

	shortened bool // some name
	narrow    bool // without what others say in other words
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(p.w, format, args...)
	p.w.WriteByte('\n')
}

// function writes the head: what all functions of the profile took together.
func (p *printer) function() {
	t, w := p.stats.Total(), p.words
	p.line("Function profiling")
	p.line("==================")
	p.line("  Message: %s", units.OneLine(p.stats.Title()))
	p.line("  Time in %d calls to Function.__call__: %es", t.Calls, units.Seconds(t.CallTime))
	if t.Failed > 0 {
		p.line("  Time in %d failed calls (not counted): %es", t.Failed, units.Seconds(t.FailedTime))
	}
	if t.Calls > 0 && t.Runs > 0 {
		p.line("  Time in %s: %es (%.3f%%)", w.run, units.Seconds(t.RunTime), units.Percent(units.Ratio(t.RunTime, t.CallTime)))
		p.line("  Time in thunks: %es (%.3f%%)", units.Seconds(t.ThunkTime()), units.Percent(units.Ratio(t.ThunkTime(), t.CallTime)))
	}
	p.line("  %s: %es", w.compile, t.Compile.Total.Seconds())
	if !w.old {
		p.line("    Number of Apply nodes: %d", len(t.Nodes))
	}
	p.line("    %s: %es", w.rewrite, t.Compile.Rewrite.Seconds())
	p.line("       %s: %es", w.validate, t.Compile.Validate.Seconds())
	p.line("    %s: %es", w.link, t.Compile.Link.Seconds())
	if !w.old {
		// Nothing is imported: all kernels are in the program.
		p.line("       Import time %es", 0.0)
		p.line("       Node make_thunk time %es", t.MakeThunkTime().Seconds())
		for _, n := range slowestThunks(&t) {
			p.line("           Node %s time %es", p.cut(n.Text, len("           Node  time 1.000000e+00s")), n.Thunk.Seconds())
		}
	}
	p.line("")
}

// globals writes the times of the whole process, which the layout of 2014 has not.
func (p *printer) globals() {
	if g := p.stats.Globals; g != nil && !p.words.old {
		p.line("Time in all call to arignote.grad() %es", g.Grad.Seconds())
		p.line("Time since arignote import %.3fs", g.Since.Seconds())
	}
}

// slowestThunks lists at most five nodes.
func slowestThunks(f *profiler.Function) []*profiler.Node {
	nodes := slices.Clone(f.Nodes)
	nodes = slices.DeleteFunc(nodes, func(n *profiler.Node) bool { return n.Thunk == 0 })
	slices.SortStableFunc(nodes, func(a, b *profiler.Node) int { return cmp.Compare(b.Thunk, a.Thunk) })
	return nodes[:min(5, len(nodes))]
}

// cut shortens a name so that its line, used wide already, fits.
func (p *printer) cut(name string, used int) string {
	return units.Cut(units.OneLine(name), max(p.opts.LineWidth-used, 0))
}

const groupHeader = "<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> "

// opColumns are those of an op, and in 2014 those of a class.
const opColumns = "%s    %2s    %4d     %4d   "

func (p *printer) classes() {
	columns := "%s    %2s  %6d    %4d   "
	if p.words.old {
		columns = opColumns
	}
	p.classicGroups("Class", "Class", "Classes", columns, p.words.class, profiler.ByClass)
}

func (p *printer) ops() { p.classicGroups("Ops", "Op", "Ops", opColumns, "%s", profiler.ByOp) }

// classicGroups writes the table of classes or of ops.
func (p *printer) classicGroups(title, one, many, columns, name string, by profiler.By) {
	p.line("%s", title)
	p.line("---")
	p.line("%s<%s name>", groupHeader, one)
	rows := p.stats.Rows(by)
	for _, r := range rows[:min(p.opts.NOps, len(rows))] {
		p.row(fmt.Sprintf(columns, times(r), r.Type, r.Calls, r.Applies), fmt.Sprintf(name, r.Name), "")
	}
	left, time := profiler.Remaining(rows, p.opts.NOps)
	p.line("   ... (remaining %d %s account for %6.2f%%(%.2fs) of the runtime)", left, many, units.Percent(time.Fraction),
		units.Seconds(time.Time))
	p.line("")
}

func (p *printer) applies() {
	p.line("Apply")
	p.line("------")
	header := "<% time> <sum %> <apply time> <time per call> <#call> <id> "
	if p.sized() {
		header += "<Mflops> <Gflops/s> "
	}
	p.line("%s<Apply name>", header)
	rows := p.stats.Rows(profiler.ByApply)
	for _, r := range rows[:min(p.opts.NApply, len(rows))] {
		p.row(fmt.Sprintf("%s  %4d   %3d %s ", times(r), r.Calls, r.ID, p.flops(r)), r.Name, functionSuffix(r.Function))
		if p.sized() {
			p.operands("input", r.Node.Inputs)
			p.operands("output", r.Node.Outputs)
		}
	}
	left, time := profiler.Remaining(rows, p.opts.NApply)
	p.line("   ... (remaining %d Apply instances account for %.2f%%(%.2fs) of the runtime)", left, units.Percent(time.Fraction),
		units.Seconds(time.Time))
	p.line("")
}

// times are the columns that all three tables begin with.
func times(r profiler.Row) string {
	return fmt.Sprintf("  %4.1f%%   %5.1f%%     %7.3fs       %8.2es ", units.Percent(r.Fraction), units.Percent(r.Cumulative),
		units.Seconds(r.Time),
		units.Seconds(r.PerCall))
}

// sized reports whether the classic text shows operands and memory: they are always recorded, and
// shown to who asks for them, by the flag when the function was compiled or now.
func (p *printer) sized() bool { return p.stats.Memory || p.opts.Memory }

// flops are the two columns that the memory profile adds: blank if the node's work is unknown,
// narrow without the profile.
func (p *printer) flops(r profiler.Row) string {
	if !p.sized() {
		return " "
	}
	flops, ok := r.Node.FlopsPerCall()
	if !ok {
		return fmt.Sprintf("%8s %10s", "", "")
	}
	return fmt.Sprintf("%8s %10s", flopText(flops/units.Mega), flopText(r.Node.PerNanosecond(flops)))
}

// flopText has one digit after the point, as in the classic layout, unless that would show as 0.
func flopText(v float64) string {
	if v == 0 || v >= 0.1 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.1e", v)
}

// row writes the columns and as much of the name as fits.
func (p *printer) row(columns, name, suffix string) {
	p.line("%s%s%s", columns, p.cut(name, len(columns)+len(suffix)), suffix)
}

// functionSuffix says to which of several functions a node belongs.
func functionSuffix(function string) string {
	if function == "" {
		return ""
	}
	return "  [" + units.OneLine(function) + "]"
}

func (p *printer) operands(kind string, list []profiler.Operand) {
	for i, o := range list {
		strides := "c"
		if !o.Contiguous() {
			strides = tensor.ShapeString(o.Strides)
		}
		offset := ""
		if o.Offset != 0 {
			offset = fmt.Sprintf(", offset=%d", o.Offset)
		}
		p.line("    %s %d: dtype=%s, shape=%s, strides=%s%s", kind, i, o.DType, tensor.ShapeString(o.Shape), strides, offset)
	}
}
