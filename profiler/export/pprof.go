package export

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/pprof/profile"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
)

// PProf writes profiles for go tool pprof. A sample's stack is the compiled function, the user's
// lines from the outermost to the one that made the node, its class, its op and the node; its
// values are nanoseconds, calls, bytes of new memory, operations, and bytes read and written. Times
// are those of a steady profile. So -list shows the user's source with its price, -top -focus and
// -peek work on lines and ops alike.
func PProf(w io.Writer, all []*profiler.Stats) error { return writePProf(w, all, "") }

// writePProf is PProf where the texts of cells lie in a folder.
func writePProf(w io.Writer, all []*profiler.Stats, folder string) error {
	b := &pprofBuilder{folder: folder, profile: profile.Profile{
		SampleType: []*profile.ValueType{
			{Type: "time", Unit: "nanoseconds"}, {Type: "calls", Unit: "count"}, {Type: "alloc", Unit: "bytes"},
			{Type: "flops", Unit: "count"}, {Type: "read", Unit: "bytes"}, {Type: "written", Unit: "bytes"},
		},
		DefaultSampleType: "time",
		PeriodType:        &profile.ValueType{Type: "time", Unit: "nanoseconds"}, Period: 1,
	}, functions: make(map[functionKey]*profile.Function), locations: make(map[locationKey]*profile.Location)}
	for _, s := range all {
		if s == nil {
			continue
		}
		c := s.Steady()
		for x := range c.Samples() {
			b.add(x)
		}
		total := c.Total()
		b.profile.DurationNanos += clamp(total.CallTime)
		for _, flag := range c.Flags {
			b.profile.Comments = append(b.profile.Comments, printable(flag))
		}
	}
	if err := b.profile.CheckValid(); err != nil {
		return err
	}
	return b.profile.Write(w)
}

type pprofBuilder struct {
	folder    string // of the texts of cells
	profile   profile.Profile
	functions map[functionKey]*profile.Function
	locations map[locationKey]*profile.Location
}

type functionKey struct{ name, file string }

type locationKey struct {
	functionKey
	line int
}

func (b *pprofBuilder) add(x profiler.Sample) {
	here := x.Origin.Frame()
	var stack []*profile.Location // outermost first
	stack = append(stack, b.location("function "+x.Top.Title(), "", 0))
	for _, n := range x.Outer {
		stack = append(stack, b.location(n.Text, "", 0))
	}
	for _, f := range x.Origin.Frames {
		stack = append(stack, b.location(frameName(f), fileName(b.folder, f.File), f.Line))
	}
	for _, name := range []string{x.Node.Class, x.Node.Op, "#" + strconv.Itoa(x.Node.ID) + " " + x.Node.Text} {
		stack = append(stack, b.location(name, fileName(b.folder, here.File), here.Line))
	}
	for i, j := 0, len(stack)-1; i < j; i, j = i+1, j-1 { // pprof wants the leaf first
		stack[i], stack[j] = stack[j], stack[i]
	}
	labels := map[string][]string{"node": {strconv.Itoa(x.Node.ID)}}
	set := func(key, value string) {
		if value != "" {
			labels[key] = []string{labelText(value)}
		}
	}
	set("op", x.Node.Op)
	set("impl", x.Node.Impl)
	set("function", x.Top.Title())
	set("role", x.Origin.Role)
	set("line", x.Origin.String())
	if len(x.Node.Parts) > 0 { // else it is all of the op
		set("part", x.Part.Op)
	}
	if len(x.Outer) > 0 {
		set("inside", x.Function.Title())
	}
	var shapes []string
	for _, o := range x.Node.Outputs {
		shapes = append(shapes, fmt.Sprint(o.Shape))
	}
	set("shape", strings.Join(shapes, " "))
	b.profile.Sample = append(b.profile.Sample, &profile.Sample{Location: stack, Label: labels, Value: []int64{
		clamp(x.Time), x.Calls, clamp(x.Allocated), clamp(x.Flops), clamp(x.BytesRead), clamp(x.BytesWritten),
	}})
}

// frameName is the name of the user's function or, outside of any, of the file.
func frameName(f graph.Frame) string {
	if f.Func == "" || strings.HasPrefix(f.Func, "<") {
		return f.File
	}
	return f.Func
}

// pprof takes names for those of Go, C++ and Java. It hides what stands in angle brackets, and
// shows of a name what follows a path, a point or a double colon, or breaks it there; names of ops
// are full of these: "Subtensor{::-1}(x, TensorConstant{2.0})". It removes versions of modules,
// "/v2". So names have characters that look like them.
var likeThem = strings.NewReplacer("<", "‹", ">", "›", ".", "·", "::", "∷", "/v", "∕v")

func nameText(s string) string {
	if s = strings.TrimSpace(printable(s)); s == "" {
		return "?" // a location has a name
	}
	return likeThem.Replace(s)
}

// printable is a text on one line, without the characters that move the cursor or turn the
// direction of writing.
func printable(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
}

// labelText is a label's text as pprof can write it: into a picture it puts labels as they are,
// between quotes.
func labelText(s string) string {
	return strings.NewReplacer(`"`, "”", `\`, "∖").Replace(printable(s))
}

func (b *pprofBuilder) location(name, file string, line int) *profile.Location {
	name = nameText(name)
	key := locationKey{functionKey{name, file}, line}
	if l, ok := b.locations[key]; ok {
		return l
	}
	fn, ok := b.functions[key.functionKey]
	if !ok {
		fn = &profile.Function{ID: uint64(len(b.profile.Function) + 1), Name: name, Filename: file}
		fn.SystemName = "f" + strconv.FormatUint(fn.ID, 10) // another than Name, which pprof else takes for one of C++, and shortens
		b.functions[key.functionKey] = fn
		b.profile.Function = append(b.profile.Function, fn)
	}
	l := &profile.Location{ID: uint64(len(b.profile.Location) + 1), Line: []profile.Line{{Function: fn, Line: int64(line)}}}
	b.locations[key] = l
	b.profile.Location = append(b.profile.Location, l)
	return l
}

// clamp rounds to what pprof counts in.
func clamp(v float64) int64 {
	const most = 1 << 62
	if !(v < most) {
		return most
	}
	return int64(math.Round(v))
}
