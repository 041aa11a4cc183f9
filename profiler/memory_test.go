package profiler_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/tensor"
)

// record runs a program once with memory.
func record(t *testing.T, src string, keepAll bool, inputs []*tensor.Dense) *profiler.Stats {
	t.Helper()
	p := profilertest.Linked(t, src)
	s := profiler.NewStats(profiler.Options{Memory: true, Clock: profilertest.Still()})
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: p, KeepAll: keepAll})
	_, err := p.Run(inputs, nil, r.Tracer())
	if err != nil {
		t.Fatal(err)
	}
	r.Call(0, err)
	return s
}

func TestMemoryUse(t *testing.T) {
	const kb = 1000 // of each vector of 125 elements
	for _, c := range []struct {
		name, src string
		keepAll   bool
		want      profiler.MemoryUse
	}{
		{"chain", "v1 = exp x\n v2 = exp v1\n v3 = exp v2\n return v3", false,
			profiler.MemoryUse{Peak: 2 * kb, NoInplace: 2 * kb, NoGC: 3 * kb}},
		{"chain kept", "v1 = exp x\n v2 = exp v1\n v3 = exp v2\n return v3", true,
			profiler.MemoryUse{Peak: 3 * kb, NoInplace: 3 * kb, NoGC: 3 * kb}},
		{"inplace", "v1 = exp x\n v2 = inplace{in=0,op=exp} v1\n v3 = inplace{in=0,op=exp} v2\n return v3", false,
			profiler.MemoryUse{Peak: kb, NoInplace: 2 * kb, NoGC: kb}},
		{"results stay", "v1 = exp x\n v2 = exp v1\n v3 = exp v2\n return v1, v2, v3", false,
			profiler.MemoryUse{Peak: 3 * kb, NoInplace: 3 * kb, NoGC: 3 * kb}},
		{"views cost nothing", "v1 = dimshuffle{pattern=x 0} x\n v2 = exp v1\n return v2", false,
			profiler.MemoryUse{Peak: kb, NoInplace: kb, NoGC: kb}},
		// v1 lives as long as its view is needed.
		{"view keeps alive",
			"v1 = exp x\n v2 = dimshuffle{pattern=x 0} v1\n v3 = exp x\n v4 = exp v3\n v5 = dimshuffle{pattern=x 0} v4\n v6 = add v2 v5\n return v6", false, profiler.MemoryUse{Peak: 3 * kb, NoInplace: 3 * kb, NoGC: 4 * kb}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := record(t, "func f(x float64[?])\n"+c.src, c.keepAll, profilertest.Vectors(1, 125))
			got, ok := s.MemoryUse()
			got = profiler.MemoryUse{Peak: got.Peak, NoInplace: got.NoInplace, NoGC: got.NoGC} // the rest has tests of its own
			if !ok || got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestMemoryRows(t *testing.T) {
	s := profilertest.Training(t, true)
	rows, total := s.MemoryRows()
	if rows[0].Bytes != 480 || total != 3*480+3*160+8 {
		t.Errorf("got %d bytes first and %d in all, want 480 and 1928", rows[0].Bytes, total)
	}
	i := slices.IndexFunc(rows, func(r profiler.MemoryRow) bool { return strings.HasPrefix(r.Node.Text, "InplaceDimShuffle") })
	if rows[i].Bytes != 0 || rows[i].Node.Codes()[0] != "v" {
		t.Errorf("a view: got %d bytes, %v, want 0, v", rows[i].Bytes, rows[i].Node.Codes())
	}
	got := must(text.Of(s, text.Options{MinMemorySize: 200}))
	if !strings.Contains(got, "(remaining 5 Apply account for  488B/1928B ((25.31%))") {
		t.Errorf("MinMemorySize 200: got\n%s", got)
	}
	got = must(text.Of(s, text.Options{}))
	if !strings.Contains(got, "All Apply nodes have output sizes that take less than 1024B.") {
		t.Errorf("got\n%s", got)
	}
	if _, ok := profilertest.Seed004(t).MemoryUse(); ok {
		t.Error("a profile without operands claims to know its memory")
	}
}

// TestStrides: views are described as they are.
func TestStrides(t *testing.T) {
	s := record(t,
		"func f(x float64[?])\n v1 = dimshuffle{pattern=x 0} x\n v2 = dimshuffle{pattern=1 0} v1\n v3 = exp v2\n return v3", false,
		profilertest.Vectors(1, 4))
	got := must(text.Of(s, text.Options{}))
	if !strings.Contains(got, "dtype=float64, shape=(4, 1), strides=") {
		t.Errorf("got\n%s", got)
	}
	x := tensor.New(kernels.Float64, 6, 4).Transpose()
	o := profiler.Operand{DType: "float64", ItemSize: 8, Shape: x.Shape(), Strides: x.Strides()}
	if o.Contiguous() || !x.Transpose().IsContiguous() || o.Bytes() != 192 {
		t.Errorf("got %+v: contiguous %v, %d bytes", o, o.Contiguous(), o.Bytes())
	}
	huge := profiler.Operand{ItemSize: 8, Shape: []int{1 << 40, 1 << 40, 1 << 40}}
	if huge.Bytes() <= 0 {
		t.Errorf("bytes of an impossible shape: got %d", huge.Bytes())
	}
}
