package export

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
)

// csvColumns are the columns of CSV: a row is a sample, so that sums over any of the first are right. Times are nanoseconds.
var csvColumns = []struct {
	name string
	of   func(x profiler.Sample) string
}{
	{"function", func(x profiler.Sample) string { return x.Function.Title() }},
	{"inside", func(x profiler.Sample) string {
		var outer []string
		for _, n := range x.Outer {
			outer = append(outer, n.Text)
		}
		return strings.Join(outer, " > ")
	}},
	{"node", func(x profiler.Sample) string { return strconv.Itoa(x.Node.ID) }},
	{"class", func(x profiler.Sample) string { return x.Node.Class }},
	{"op", func(x profiler.Sample) string { return x.Node.Op }},
	{"apply", func(x profiler.Sample) string { return x.Node.Text }},
	{"impl", func(x profiler.Sample) string { return x.Node.Impl }},
	{"role", func(x profiler.Sample) string { return x.Origin.Role }},
	{"file", func(x profiler.Sample) string { return x.Origin.Frame().File }},
	{"line", func(x profiler.Sample) string { return strconv.Itoa(x.Origin.Frame().Line) }},
	{"stack", func(x profiler.Sample) string {
		var frames []string
		for _, f := range x.Origin.Frames {
			frames = append(frames, fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Col))
		}
		return strings.Join(frames, " > ")
	}},
	{"part", func(x profiler.Sample) string { return x.Part.Op }},
	{"share", func(x profiler.Sample) string { return number(x.Share) }},
	{"calls", func(x profiler.Sample) string { return strconv.FormatInt(x.Calls, 10) }},
	{"time_ns", func(x profiler.Sample) string { return number(x.Time) }},
	{"min_ns", func(x profiler.Sample) string { return number(x.Node.Min) }},
	{"median_ns", func(x profiler.Sample) string { return number(x.Node.Median()) }},
	{"max_ns", func(x profiler.Sample) string { return number(x.Node.Max) }},
	{"flops", func(x profiler.Sample) string { return number(x.Flops) }},
	{"bytes_read", func(x profiler.Sample) string { return number(x.BytesRead) }},
	{"bytes_written", func(x profiler.Sample) string { return number(x.BytesWritten) }},
	{"allocated", func(x profiler.Sample) string { return number(x.Allocated) }},
	{"shapes", func(x profiler.Sample) string {
		var shapes []string
		for _, o := range x.Node.Outputs {
			shapes = append(shapes, fmt.Sprint(o.Shape))
		}
		return strings.Join(shapes, " ")
	}},
}

// CSV writes the samples of all profiles, a row each, under a row of names.
func CSV(w io.Writer, all []*profiler.Stats) error {
	out := csv.NewWriter(w)
	row := make([]string, len(csvColumns))
	for i, c := range csvColumns {
		row[i] = c.name
	}
	if err := out.Write(row); err != nil {
		return err
	}
	for _, s := range all {
		if s == nil {
			continue
		}
		for x := range s.Clone().Samples() {
			for i, c := range csvColumns {
				row[i] = c.of(x)
			}
			if err := out.Write(row); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// number writes as many digits as it takes to read the same number back.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
