//go:build cgo && !purego

package native_test

import (
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
)

// TestProbes: the probes of every set compute what they say, and do it: twice the rounds are not
// free.
func TestProbes(t *testing.T) {
	const n = 1024
	block := make([]float64, 3*n+8)
	z, x, y := block[:n], block[n:2*n], block[2*n:3*n]
	for _, s := range native.Sets() {
		p := s.(native.Prober)
		for i := range x {
			x[i], y[i] = float64(i), float64(3*i+1)
		}
		p.Triad(2, z, x, y)
		for i := range z {
			if z[i] != x[i]+2*y[i] {
				t.Fatalf("%s: triad %d is %v, want %v", s.ISA(), i, z[i], x[i]+2*y[i])
			}
		}
		p.Read(1, x)
		for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
			lanes := p.Peak(d, 1)
			if got := p.Peak(d, 1000); got != 1000*lanes || lanes < 12 {
				t.Errorf("%s: %v operations in a round of %v, and %v in 1000", s.ISA(), lanes, d, got)
			}
		}
		least := func(f func(rounds int), rounds int) time.Duration {
			best := time.Hour
			for range 20 {
				start := time.Now()
				f(rounds)
				best = min(best, time.Since(start))
			}
			return best
		}
		for name, f := range map[string]func(rounds int){
			"peak":  func(rounds int) { p.Peak(kernels.Float64, 100*rounds) },
			"read":  func(rounds int) { p.Read(rounds, x) },
			"triad": func(rounds int) { p.Triad(rounds, z, x, y) },
		} {
			if few, many := least(f, 100), least(f, 1000); many < 3*few {
				t.Errorf("%s: 100 rounds of %s take %v, 1000 take %v", s.ISA(), name, few, many)
			}
		}
	}
}

func BenchmarkProbes(b *testing.B) {
	const n = 1024
	block := make([]float64, 3*n)
	for _, s := range native.Sets() {
		p := s.(native.Prober)
		for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
			b.Run("peak/"+d.String()+"/"+s.ISA(), func(b *testing.B) {
				flops := 0.0
				for b.Loop() {
					flops += p.Peak(d, 10000)
				}
				b.ReportMetric(flops/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
			})
		}
		b.Run("triad/"+s.ISA(), func(b *testing.B) {
			for b.Loop() {
				p.Triad(1000, block[:n], block[n:2*n], block[2*n:])
			}
			b.ReportMetric(3*8*n*1000*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GB/s")
		})
		b.Run("read/"+s.ISA(), func(b *testing.B) {
			for b.Loop() {
				p.Read(1000, block[:n])
			}
			b.ReportMetric(8*n*1000*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GB/s")
		})
	}
}
