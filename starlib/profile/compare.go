package profile

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/compare"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A comparison is what changed from one profile to another: p.compare(q), p - q.
type comparison struct {
	*compare.Comparison
	s      *Session
	of, to []*profiler.Stats
}

var (
	_ value.Tabled       = comparison{}
	_ value.MimeBundler  = comparison{}
	_ starlark.HasBinary = (*ProfileStats)(nil)
)

// changedRows is how many rows of a table are written.
const changedRows = 20

// String writes the tables, as print() does.
func (c comparison) String() string {
	var b strings.Builder
	c.WriteText(&b, changedRows) // a Builder does not fail
	return strings.TrimRight(b.String(), "\n")
}

func (c comparison) Type() string         { return "ProfileComparison" }
func (c comparison) Freeze()              {}
func (c comparison) Truth() starlark.Bool { return true }
func (c comparison) Hash() (uint32, error) {
	return 0, fmt.Errorf("unhashable type: ProfileComparison")
}

func (c comparison) Table() *value.Methods { return ComparisonMethods }
func (c comparison) AttrNames() []string   { return ComparisonMethods.Names() }

func (c comparison) Attr(name string) (starlark.Value, error) { return ComparisonMethods.Attr(c, name) }

// MimeBundle shows the text.
func (c comparison) MimeBundle() map[string]any { return map[string]any{"text/plain": c.String()} }

// Binary is p - q.
func (p *ProfileStats) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	q, ok := y.(*ProfileStats)
	if !ok || op != syntax.MINUS || side != starlark.Left {
		return nil, nil
	}
	return p.since(q), nil
}

// since is what changed from q to p.
func (p *ProfileStats) since(q *ProfileStats) comparison {
	return p.s.compare([]*profiler.Stats{q.stats}, []*profiler.Stats{p.stats})
}

// compare compares profiles as they are now.
func (s *Session) compare(of, to []*profiler.Stats) comparison {
	clone := func(all []*profiler.Stats) (list []*profiler.Stats) {
		for _, p := range all {
			list = append(list, p.Clone())
		}
		return list
	}
	of, to = clone(of), clone(to)
	return comparison{compare.Compare(of, to), s, of, to}
}

// write writes a flame graph of the changes.
func (c comparison) write(path string) error {
	return export.WriteDiff(c.s.Files(), c.s.Path(path), c.of, c.to, c.Moved())
}

// compareBuiltin is p.compare(q).
var compareBuiltin = value.Builtin{Name: "compare", Params: []value.Param{{Name: "before", Doc: "the profile of the run before"}},
	Doc: "What changed since another profile: lines, functions and nodes that are new, gone, faster or slower. Lines are matched by their text, nodes by their op, line " +
		"and function, so that programs may be edited and compiled anew between. p - q is the same as p.compare(q).",
	Example: `ProfileStats("p").compare(ProfileStats("q")).after # "p"`,
	Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var before starlark.Value
		if err := b.Unpack(args, kwargs, &before); err != nil {
			return nil, err
		}
		q, ok := before.(*ProfileStats)
		if !ok {
			return nil, fmt.Errorf("compare: got %s, want the ProfileStats of a run before", before.Type())
		}
		return b.Receiver().(*ProfileStats).since(q), nil
	}}

// comparisonExample compares two profiles of one node.
const comparisonExample = oneProfile + ".compare(" + oneProfile + ")"

// ComparisonMethods are the methods of ProfileComparison.
var ComparisonMethods = value.NewMethods("ProfileComparison", []value.Builtin{
	{Name: "changes", Doc: "All rows of all tables, those that changed most first.", Example: "len(" + comparisonExample + ".changes()) > 0 # True",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			var list []changeRow
			for _, t := range b.Receiver().(comparison).Tables {
				for _, r := range t.Rows {
					list = append(list, changeRow{t.Name, r})
				}
			}
			return rowsOf(changeRows, list), nil
		}},
	{Name: "export", Params: []value.Param{{Name: "path", Doc: "the file to write, NAME" + export.DiffFormat}},
		Doc:     "Writes a flame graph to open in a browser: widths are of the run after, colours say what is slower (red), faster (blue) or new, and what is gone is listed.",
		Example: `ProfileStats("p").compare(ProfileStats("q")).export("change.flame.html")`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var path string
			if err := b.Unpack(args, kwargs, &path); err != nil {
				return nil, err
			}
			return starlark.None, b.Receiver().(comparison).write(path)
		}},
	{Name: "to_dict", Doc: "All that is known, as dicts, lists and numbers. Times are nanoseconds.", Example: `ProfileStats("p").compare(ProfileStats("q")).to_dict()["before"] # "q"`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			data, err := json.Marshal(b.Receiver().(comparison))
			if err != nil {
				return nil, fmt.Errorf("to_dict: %w", err)
			}
			return valueOfJSON(data)
		}},
}).With(
	value.FieldOf("before", "The title of the profile before.", `ProfileStats("p").compare(ProfileStats("q")).before # "q"`,
		func(c comparison) starlark.Value { return starlark.String(c.Before) }),
	value.FieldOf("after", "The title of the profile after.", `ProfileStats("p").compare(ProfileStats("q")).after # "p"`,
		func(c comparison) starlark.Value { return starlark.String(c.After) }),
	value.FieldOf("speedup", "How many times as fast it is, as many calls compared; 0 where there is no time.", comparisonExample+".speedup > 0 # True",
		func(c comparison) starlark.Value { return starlark.Float(c.Speedup.Ratio) }),
	value.FieldOf("lo", "The least that speedup is in 19 of 20 runs, as far as the times of calls tell.", comparisonExample+".lo > 0 # True",
		func(c comparison) starlark.Value { return starlark.Float(c.Speedup.Lo) }),
	value.FieldOf("hi", "The most.", comparisonExample+".hi > 0 # True",
		func(c comparison) starlark.Value { return starlark.Float(c.Speedup.Hi) }),
	value.FieldOf("change", "Seconds of wall time that it took more than before.", `ProfileStats("p").compare(ProfileStats("q")).change # 0.0`,
		func(c comparison) starlark.Value { return seconds(c.Wall.Change()) }),
)

// A changeRow is a row with the name of its table.
type changeRow struct {
	table string
	compare.Row
}

var changeRows = newRowKind("ChangeRow", comparisonExample+".changes()[0]", append([]rowColumn{
	column("state", `"new", "gone", "faster", "slower", or "same" where it changed by no more than chance.`, ` in ["same", "faster", "slower"] # True`,
		func(r changeRow) starlark.Value { return starlark.String(r.State) }, asText)},
	append(alignRight(
		column("change", "Seconds that it took more, than as many calls took before.", " < 1 # True", func(r changeRow) starlark.Value { return seconds(r.Change) }, asTime),
		column("margin", "Seconds that chance explains.", " >= 0 # True", func(r changeRow) starlark.Value { return seconds(r.Margin) }, asTime),
		column("before", "Seconds that it took before.", " >= 0 # True", func(r changeRow) starlark.Value { return seconds(r.Time.Before) }, asTime),
		column("after", "Seconds that it takes.", " >= 0 # True", func(r changeRow) starlark.Value { return seconds(r.Time.After) }, asTime)),
		column("table", "What it is a row of.", ` != "" # True`, func(r changeRow) starlark.Value { return starlark.String(r.table) }, asText),
		column("place_before", "The file and line before; None if it had none.", ` != "" # True`, func(r changeRow) starlark.Value { return textOrNone(r.Place.Before) }, asText),
		column("place", "The file and line; None if it has none.", ` != "" # True`, func(r changeRow) starlark.Value { return textOrNone(r.Place.After) }, asText),
		column("name", "The text of a line, the name of a function or node.", ` != "" # True`, func(r changeRow) starlark.Value { return starlark.String(r.Name) }, asText),
		column("name_before", "The text of a line that was edited; else None.", " == None # True", func(r changeRow) starlark.Value { return textOrNone(r.Old) }, asText))...)...)

// diffKept writes what changed from the profile of one cell to that of another; with a file, as a
// flame graph too.
func diffKept(c *magic.Call, words []string, _ session.Magic) error {
	var of [2][]*profiler.Stats
	for i := range of {
		k, err := In(c.S).keptProfile(words[i])
		if err != nil {
			return err
		}
		of[i] = k.stats
	}
	d := In(c.S).compare(of[0], of[1])
	if len(words) > 2 {
		if err := d.write(words[2]); err != nil {
			return err
		}
	}
	c.Print(d.String() + "\n")
	return nil
}
