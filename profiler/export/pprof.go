package export

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/pprof/profile"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
)

// PProf writes profiles for go tool pprof. Its samples are Stacks, with all of their levels; their
// values are nanoseconds, calls, bytes of new memory, operations, bytes read and written, and
// nanoseconds of the processors and bytes of arrays by line, if these were measured. So -list shows
// the user's source with its price, -top -focus and -peek work on lines and ops alike.
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
	stacks := stacksOf(all)
	b.cpu = slices.ContainsFunc(stacks, func(x profiler.Stack) bool { return x.CPU > 0 })
	if b.cpu {
		b.profile.SampleType = append(b.profile.SampleType, &profile.ValueType{Type: "cpu", Unit: "nanoseconds"})
	}
	b.memory = slices.ContainsFunc(stacks, func(x profiler.Stack) bool { return x.Memory != nil })
	if b.memory {
		b.profile.SampleType = append(b.profile.SampleType, memoryTypes...)
	}
	var took float64
	for i := range stacks {
		b.add(&stacks[i])
		took += stacks[i].Time
	}
	b.profile.DurationNanos = clamp(took)
	for _, s := range all {
		if s != nil {
			for _, flag := range s.Flags {
				b.profile.Comments = append(b.profile.Comments, printable(flag))
			}
		}
	}
	if err := b.profile.CheckValid(); err != nil {
		return err
	}
	return b.profile.Write(w)
}

type pprofBuilder struct {
	folder    string // of the texts of cells
	cpu       bool   // the time of the processors was measured
	memory    bool   // the memory of lines was booked
	profile   profile.Profile
	functions map[functionKey]*profile.Function
	locations map[locationKey]*profile.Location
}

// memoryTypes are the types of the memory of arrays by line, if it is known.
var memoryTypes = []*profile.ValueType{{Type: "arrays", Unit: "bytes"}, {Type: "arrays_at_peak", Unit: "bytes"}, {Type: "arrays_kept", Unit: "bytes"}, {Type: "arrays_copied", Unit: "bytes"}}

type functionKey struct{ name, file string }

type locationKey struct {
	functionKey
	line int
}

func (b *pprofBuilder) add(x *profiler.Stack) {
	var stack []*profile.Location
	for _, l := range levelsOf(x) {
		name := l.name
		switch l.kind {
		case functionLevel, scopeLevel:
			name = string(l.kind) + " " + name
		}
		stack = append(stack, b.location(name, fileName(b.folder, l.at.File), l.at.Line))
	}
	slices.Reverse(stack) // pprof wants the leaf first
	values := []int64{clamp(x.Time), x.Calls, 0, 0, 0, 0}
	labels := make(map[string][]string)
	set := func(key, value string) {
		if value != "" {
			labels[key] = []string{labelText(value)}
		}
	}
	set("kind", string(x.Kind))
	set("line", profiler.Origin{Frames: []graph.Frame{x.Line()}}.String())
	if x.Kind == profiler.CompiledFunctions {
		set("function", x.Name)
	}
	if s := x.Sample; s != nil {
		for i, v := range []float64{s.Allocated, s.Flops, s.BytesRead, s.BytesWritten} {
			values[2+i] = clamp(x.Share * v)
		}
		set("node", strconv.Itoa(s.Node.ID))
		set("op", s.Node.Op)
		set("impl", s.Node.Impl)
		set("role", s.Origin.Role)
		set("scope", s.Scope)
		if len(s.Node.Parts) > 0 { // else it is all of the op
			set("part", s.Part.Op)
		}
		if len(s.Outer) > 0 {
			set("inside", s.Function.Title())
		}
		var shapes []string
		for _, o := range s.Node.Outputs {
			shapes = append(shapes, fmt.Sprint(o.Shape))
		}
		set("shape", strings.Join(shapes, " "))
	}
	if b.cpu {
		values = append(values, clamp(x.CPU))
	}
	if b.memory {
		values = append(values, make([]int64, len(memoryTypes))...)
		if m := x.Memory; m != nil {
			copy(values[len(values)-len(memoryTypes):], []int64{m.Allocated, m.AtPeak, m.Kept, m.Copied()})
		}
	}
	b.profile.Sample = append(b.profile.Sample, &profile.Sample{Location: stack, Label: labels, Value: values})
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
