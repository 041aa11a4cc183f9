package profiler

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/arignote/arignote/profiler/units"
)

// A Histogram counts times by size, in buckets that are an eighth of an octave wide, so that a
// median is right to 6 %. It ends with its last count that is not 0.
type Histogram []uint32

const (
	// The first bucket begins at 2^-4 ns, less than MinNodeTime; the last one ends at 2^44 ns,
	// about five hours.
	firstOctave = -4
	lastBucket  = (44-firstOctave)*8 - 1
)

// bucket of a time: the exponent and the three leading bits of the fraction. It is at least
// MinNodeTime.
func bucket(ns float64) uint {
	b := uint(math.Float64bits(ns)>>49) - (1023+firstOctave)<<3
	return min(b, lastBucket)
}

// bucketStart is the smallest time in a bucket.
func bucketStart(b int) float64 {
	return math.Float64frombits(uint64(b+(1023+firstOctave)<<3) << 49)
}

// with counts so many calls of ns too. It may write into h.
func (h Histogram) with(ns float64, calls int64) Histogram {
	b := int(bucket(ns))
	if b >= len(h) {
		h = append(h, make(Histogram, b+1-len(h))...)
	}
	if int64(h[b]) <= math.MaxUint32-calls {
		h[b] += uint32(calls)
	}
	return h
}

// trimmed is a copy that ends with the last count that is not 0.
func (h Histogram) trimmed() Histogram {
	n := len(h)
	for n > 0 && h[n-1] == 0 {
		n--
	}
	return append(Histogram(nil), h[:n]...)
}

// count is how many times there are.
func (h Histogram) count() (total uint64) {
	for _, c := range h {
		total += uint64(c)
	}
	return total
}

// Each tells of the buckets in which times were counted: from where to where they reach, in
// nanoseconds, and how many.
func (h Histogram) Each(tell func(from, to float64, n uint32)) {
	for b, c := range h {
		if c > 0 {
			tell(bucketStart(b), bucketStart(b+1), c)
		}
	}
}

// quantile is a time that the part q of all do not exceed, as if those of a bucket lay evenly in
// it; 0 if nothing was counted.
func (h Histogram) quantile(q float64) float64 {
	rank := q * float64(h.count())
	var seen float64
	for b, c := range h {
		n := float64(c)
		if n > 0 && seen+n >= rank {
			start, end := bucketStart(b), bucketStart(b+1)
			return start + (end-start)*(rank-seen)/n
		}
		seen += n
	}
	return 0
}

// A Spread says how the times of calls differ: one of ten takes at most P10, half of them Median,
// nine of ten P90. They are nanoseconds, good to 6 %, and 0 if no call was counted.
type Spread struct{ P10, Median, P90 float64 }

// Relative is how far P10 and P90 lie apart, as a part of the median.
func (s Spread) Relative() float64 { return units.Ratio(s.P90-s.P10, s.Median) }

// plus is that of a sum to which t adds so much for each: as if what is slow in one were slow in
// the other too.
func (s Spread) plus(t Spread, share float64) Spread {
	return Spread{s.P10 + share*t.P10, s.Median + share*t.Median, s.P90 + share*t.P90}
}

// spread is that of times between least and most.
func (h Histogram) spread(least, most float64) Spread {
	if len(h) == 0 {
		return Spread{}
	}
	at := func(q float64) float64 { return min(max(h.quantile(q), least), most) }
	return Spread{at(0.1), at(0.5), at(0.9)}
}

// Spread is that of the node's calls.
func (n *Node) Spread() Spread { return n.Hist.spread(n.Min, n.Max) }

// Spread is that of the function's calls.
func (f *Function) Spread() Spread { return f.CallHist.spread(f.CallMin, f.CallMax) }

// MarshalJSON writes the buckets that are not empty as [[bucket, count], ...].
func (h Histogram) MarshalJSON() ([]byte, error) {
	pairs := make([][2]uint32, 0, 8)
	for b, c := range h {
		if c > 0 {
			pairs = append(pairs, [2]uint32{uint32(b), c})
		}
	}
	return json.Marshal(pairs)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	var pairs [][2]uint32
	if err := json.Unmarshal(data, &pairs); err != nil {
		return err
	}
	*h = nil
	for _, p := range pairs {
		b, c := p[0], p[1]
		if b > lastBucket || c == 0 {
			return fmt.Errorf("histogram: got bucket %d with count %d, want a bucket up to %d and a count", b, c, lastBucket)
		}
		if int(b) >= len(*h) {
			*h = append(*h, make([]uint32, int(b)+1-len(*h))...)
		}
		(*h)[b] = c
	}
	return nil
}
