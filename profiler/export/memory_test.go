package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
)

// TestMemoryRows: the memory of a cell's lines stands in JSON, CSV, pprof and traces, to the byte.
func TestMemoryRows(t *testing.T) {
	m := &profiler.CellMemory{Peak: 700, Lines: []profiler.LineMemory{
		{File: "In[1]", Line: 2, Allocated: 1000, Blocks: 5, AtPeak: 500, Kept: 200, Copies: []profiler.CopyMemory{{Why: "transposed", Bytes: 300, Blocks: 1}}},
		{File: "In[1]", Line: 3, Allocated: 200, Blocks: 1, AtPeak: 200}, {Allocated: 40, Blocks: 1, Kept: 40}},
		Series: []profiler.MemoryPoint{{Until: time.Millisecond, Bytes: 700}, {Until: 2 * time.Millisecond, Bytes: 240}}}
	s := profiler.NewStats(profiler.Options{Name: "p"})
	s.SetCell(&profiler.Cell{Name: "In[1]", Wall: 30 * time.Millisecond, Memory: m, Spots: []profiler.Spot{{Kind: profiler.Starlark, File: "In[1]", Line: 2, Time: 30 * time.Millisecond}},
		Trace: &profiler.CellTrace{Events: []profiler.CellEvent{{Spot: profiler.Spot{Kind: profiler.Starlark, File: "In[1]", Line: 2, Time: 30 * time.Millisecond}}}}})
	s.AddSource("In[1]", "a = 1\nb = np.ones(3)\nc = b.T\n")
	all := []*profiler.Stats{s}
	want := map[string]int64{"allocated": 1240, "at_peak": 700, "kept": 240, "copied": 300}

	csvNames := map[string]string{"allocated": "arrays", "at_peak": "arrays_at_peak", "kept": "arrays_kept", "copied": "arrays_copied"}

	var b bytes.Buffer
	if err := export.CSV(&b, all, profiler.View{}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var times float64
	for name, sum := range want {
		got := int64(0)
		for _, row := range rows[1:] {
			for i, column := range rows[0] {
				switch v, err := strconv.ParseFloat(row[i], 64); {
				case err != nil:
				case column == csvNames[name]:
					got += int64(v)
				case column == "time_ns" && name == "kept":
					times += v
				}
			}
		}
		if got != sum {
			t.Errorf("csv: %s: got %d, want %d", name, got, sum)
		}
	}
	if times != 30e6 {
		t.Errorf("csv: rows of memory change the time to %g", times)
	}

	b.Reset()
	if err := export.PProf(&b, all); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]string{"arrays": "allocated", "arrays_at_peak": "at_peak", "arrays_kept": "kept", "arrays_copied": "copied"}
	found := 0
	for i, of := range p.SampleType {
		name, ok := types[of.Type]
		if !ok {
			continue
		}
		found++
		got := int64(0)
		for _, x := range p.Sample {
			got += x.Value[i]
		}
		if got != want[name] || of.Unit != "bytes" {
			t.Errorf("pprof: %s: got %d %s, want %d", of.Type, got, of.Unit, want[name])
		}
	}
	if found != len(types) {
		t.Errorf("pprof has %d types of memory, want %d", found, len(types))
	}

	b.Reset()
	if err := export.Trace(&b, all); err != nil {
		t.Fatal(err)
	}
	var trace struct {
		TraceEvents []struct {
			Name string
			Args map[string]any
		}
	}
	if err := json.Unmarshal(b.Bytes(), &trace); err != nil {
		t.Fatal(err)
	}
	var counted []float64
	for _, e := range trace.TraceEvents {
		if e.Name == "arrays of the cell" {
			counted = append(counted, e.Args["bytes"].(float64))
		}
	}
	if len(counted) != 2 || counted[0] != 700 || counted[1] != 240 {
		t.Errorf("trace: got %v", counted)
	}

	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back profiler.Stats
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if got := back.Cell.Memory; got.Total().Allocated != 1240 || got.Lines[0].Copied() != 300 {
		t.Errorf("json: got %+v", got)
	}
}
