package profiler

import (
	"encoding/json"
	"fmt"
	"math"
)

// A Histogram counts times by size, in buckets that are an eighth of an octave wide, so that a median is right to 6 %.
// It ends with its last count that is not 0.
type Histogram []uint32

const (
	// The first bucket begins at 2^-4 ns, less than MinNodeTime; the last one ends at 2^44 ns, about five hours.
	firstOctave = -4
	lastBucket  = (44-firstOctave)*8 - 1
)

// bucket of a time: the exponent and the three leading bits of the fraction. It is at least MinNodeTime.
func bucket(ns float64) uint {
	b := uint(math.Float64bits(ns)>>49) - (1023+firstOctave)<<3
	return min(b, lastBucket)
}

// bucketStart is the smallest time in a bucket.
func bucketStart(b int) float64 {
	return math.Float64frombits(uint64(b+(1023+firstOctave)<<3) << 49)
}

// with counts ns too. It may write into h.
func (h Histogram) with(ns float64) Histogram {
	b := int(bucket(ns))
	if b >= len(h) {
		h = append(h, make(Histogram, b+1-len(h))...)
	}
	if h[b] < math.MaxUint32 {
		h[b]++
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

// median returns the middle of the bucket that holds the median; 0 if nothing was counted.
func (h Histogram) median() float64 {
	var total uint64
	for _, c := range h {
		total += uint64(c)
	}
	if total == 0 {
		return 0
	}
	var seen uint64
	for b, c := range h {
		if seen += uint64(c); 2*seen >= total {
			return (bucketStart(b) + bucketStart(b+1)) / 2
		}
	}
	panic("BUG: histogram without a middle")
}

// Median time of a call, good to 6 %.
func (n *Node) Median() float64 { return min(max(n.Hist.median(), n.Min), n.Max) }

// CallMedian is the median time of a call, good to 6 %; 0 if no call was counted.
func (f *Function) CallMedian() float64 {
	if len(f.CallHist) == 0 {
		return 0
	}
	return min(max(f.CallHist.median(), f.CallMin), f.CallMax)
}

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
