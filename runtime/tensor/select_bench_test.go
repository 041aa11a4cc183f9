package tensor

import (
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/kernels"
)

const benchSize = 1 << 15

// BenchmarkSelect measures selections of elements of float64; the time is of one element.
func BenchmarkSelect(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	a := New(kernels.Float64, benchSize)
	matrix := New(kernels.Float64, benchSize/64, 64)
	index, mask := Empty(kernels.Int64, benchSize), Empty(kernels.Bool, benchSize)
	for i := range benchSize {
		Elements[int64](index)[i] = r.Int64N(benchSize)
		Elements[uint8](mask)[i] = uint8(r.IntN(2))
	}
	rows, err := Take(index, index, 0, Wrap, nil)
	if err != nil {
		b.Fatal(err)
	}
	rows = rows.part(0, 0, benchSize/64)
	for i, v := range Elements[int64](rows) {
		Elements[int64](rows)[i] = v % (benchSize / 64)
	}
	values := New(kernels.Float64, benchSize)
	for _, c := range []struct {
		name  string
		array *Dense
		item  Item
		run   func(s *Selection) error
	}{
		{"copy", a, Item{}, func(s *Selection) error { z, err := s.Get(); z.Copy(); return err }}, // what memory costs
		{"take", a, Item{Array: index}, func(s *Selection) error { _, err := s.Get(); return err }},
		{"mask", a, Item{Array: mask}, func(s *Selection) error { _, err := s.Get(); return err }},
		{"rows", matrix, Item{Array: rows}, func(s *Selection) error { _, err := s.Get(); return err }},
		{"set", a, Item{Array: index}, func(s *Selection) error { return s.Set(values) }},
		{"set mask", a, Item{Array: mask}, func(s *Selection) error { return s.Set(Scalar(kernels.Float64, 1)) }},
		{"add", a, Item{Array: index}, func(s *Selection) error { return s.Add(values) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				s, err := c.array.Select(c.item)
				if err == nil {
					err = c.run(s)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchSize, "ns/element")
		})
	}
}

// BenchmarkOrder measures sorting and searching of random float64; the time is of one element.
func BenchmarkOrder(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	a := Empty(kernels.Float64, benchSize)
	for i := range Elements[float64](a) {
		Elements[float64](a)[i] = r.NormFloat64()
	}
	sorted, err := Sort(a, 0)
	if err != nil {
		b.Fatal(err)
	}
	matrix, err := a.Reshape(-1, 16)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"sort", func() error { _, err := Sort(a, 0); return err }},
		{"sort rows of 16", func() error { _, err := Sort(matrix, 1); return err }},
		{"argsort", func() error { _, err := ArgSort(a, 0); return err }},
		{"unique", func() error { _, err := Unique(a, nil); return err }},
		{"searchsorted", func() error { _, err := SearchSorted(sorted, a, false, nil, nil); return err }},
		{"cumsum", func() error { _, err := Scan("sum", a, 0, kernels.Float64, nil); return err }},
		{"cumsum of columns", func() error { _, err := Scan("sum", matrix, 0, kernels.Float64, nil); return err }},
		{"nonzero", func() error { _, err := NonZero(matrix); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if err := c.run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchSize, "ns/element")
		})
	}
}
