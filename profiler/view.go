package profiler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Layout of a text; package text has their names.
type Layout string

// A View says what the views of a profile show: text, panel, page and exported files. A number that
// is 0 has its default; a negative one is no limit.
type View struct {
	By      []By // the tables; none in particular is all
	NoLines bool // without the prices of lines
	NOps    int  // rows by class and by op: 20
	NApply  int  // rows by Apply node, of memory and of rewrites: 20
	NLines  int  // lines of the source: 20
	// MinMemorySize is the bytes below which the memory list ends: 1024.
	MinMemorySize int
	// Memory asks for the memory profile, which is written whenever it was recorded: if it was not,
	// the text says so.
	Memory   bool
	Rewrites bool // also the rewrite profile (profile_optimizer), in text at most 15 lines for each function

	// Of text:
	Layout    Layout
	LineWidth int // where names are cut: 512, in our own layout 120
	// Details asks, with Rewrites, for all passes, rules and reasons, and where the time of
	// compiling went; in our own layout also, under each node, for its shortest and longest call,
	// the lines that it stands for, and its operands.
	Details   bool
	Listing   bool   // of our own layout: also the whole sources, each line with its price
	Inclusive bool   // of our own layout: lines also have what the functions took that they called
	Paths     bool   // of our own layout: under a line the calls that led to it
	Brief     bool   // of our own layout: about 25 lines that name what to do first, of all profiles together
	Whole     string // how to see what Brief leaves out

	// Of the text of several profiles:
	Most   int  // so many are written, the most expensive, and the sum of all; 0 or less writes all
	Global bool // it ends with the times of the whole process (print_global_stats)
	AtExit bool // it is written as the program ends: its sum says so, as the peers' does

	// Of the panel:
	Open    bool          // it begins unfolded
	Head    bool          // only its head does: one sentence and one bar
	Fill    bool          // tables have more rows than that where there is room for more
	Title   string        // "In[4]"
	Running time.Duration // for how long what is profiled runs by now; 0: it is over
}

// Shows reports whether a view has a table.
func (v *View) Shows(by By) bool { return by.In(v.By) && !(by == ByLine && v.NoLines) }

// Limit is the number of rows that a count of a View stands for, of n that there are.
func Limit(asked, n int) int {
	if asked == 0 {
		asked = 20
	}
	if asked < 0 {
		return n
	}
	return min(asked, n)
}

// A ViewFlag is what users say about views: %%profile by=op, p.export("p.html", by="op"), arignote
// profile export --by=op.
type ViewFlag struct {
	Name, Default, Doc string
	set                func(v *View, value string) error
}

// ViewFlags are all of them, in the order in which help lists them.
var ViewFlags = []ViewFlag{
	{"by", "class,op,apply,line,shape,scope", "the tables that are shown, separated by commas", func(v *View, value string) (err error) {
		v.By, err = tablesNamed(value)
		return err
	}},
	{"lines", "True", "the price of each line", boolean(func(v *View, on bool) { v.NoLines = !on })},
	{"top", "20", "rows of every table, or all", integer(func(v *View, n int) { v.NOps, v.NApply, v.NLines = n, n, n })},
	{"n_ops", "20", "rows of the Ops table", integer(func(v *View, n int) { v.NOps = n })},
	{"n_apply", "20", "rows of the Apply table", integer(func(v *View, n int) { v.NApply = n })},
	{"min_memory_size", "1024", "smallest output in the memory profile", integer(func(v *View, n int) {
		if v.MinMemorySize = n; n == 0 {
			v.MinMemorySize = -1 // every output
		}
	})},
	{"rewrites", "False", "the rewrites: phases, rules, time", boolean(func(v *View, on bool) { v.Rewrites = on })},
	{"details", "False", "the operands of each node and, with rewrites, each pass and rule", boolean(func(v *View, on bool) { v.Details = on })},
	{"listing", "False", "the whole sources, each line with its price; of the layout arignote", boolean(func(v *View, on bool) { v.Listing = on })},
	{"inclusive", "False", "the price of a line has that of what it calls; of the layout arignote",
		boolean(func(v *View, on bool) { v.Inclusive = on })},
	{"paths", "False", "under a line that was reached by several calls what it took by each; of the layout arignote",
		boolean(func(v *View, on bool) { v.Paths = on })},
	{"layout", "", "layout of the text", func(v *View, value string) error { v.Layout = Layout(value); return nil }},
	{"width", "0", "characters after which a name is cut; -1 cuts none", integer(func(v *View, n int) { v.LineWidth = n })},
}

// FindViewFlag returns the flag of a name; ok is false if there is none.
func FindViewFlag(name string) (flag ViewFlag, ok bool) {
	i := slices.IndexFunc(ViewFlags, func(f ViewFlag) bool { return f.Name == name })
	if i < 0 {
		return ViewFlag{}, false
	}
	return ViewFlags[i], true
}

// Set sets what the flag of a name says. Numbers of rows may be 0, the default, and -1, all.
func (v *View) Set(name, value string) error {
	f, ok := FindViewFlag(name)
	if !ok {
		var names []string
		for _, f := range ViewFlags {
			names = append(names, f.Name)
		}
		return fmt.Errorf("no view of a profile has %q, want one of %s", name, strings.Join(names, ", "))
	}
	if err := f.set(v, value); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// All is the value of a number of rows that limits nothing.
const All = "all"

// Tables are the names of tables, in the order in which they stand in text.
var Tables = []string{ByClass: "class", ByOp: "op", ByApply: "apply", ByLine: "line", ByShape: "shape", ByScope: "scope"}

func tablesNamed(list string) (by []By, err error) {
	for name := range strings.SplitSeq(list, ",") {
		i := slices.Index(Tables, strings.TrimSpace(name))
		if i < 0 {
			return nil, fmt.Errorf("got %q, want some of %s", name, strings.Join(Tables, ","))
		}
		by = append(by, By(i))
	}
	return by, nil
}

func boolean(set func(v *View, on bool)) func(v *View, value string) error {
	return func(v *View, value string) error {
		on, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("got %q, want True or False", value)
		}
		set(v, on)
		return nil
	}
}

func integer(set func(v *View, n int)) func(v *View, value string) error {
	return func(v *View, value string) error {
		n, err := strconv.Atoi(value)
		if value == All {
			n, err = -1, nil
		}
		if err != nil || n < -1 {
			return fmt.Errorf("got %q, want an integer, 0 for the default, or all (-1)", value)
		}
		set(v, n)
		return nil
	}
}
