package ticks

import (
	"math"
	"strconv"
)

// Log are the powers of ten of a logarithmic axis from lo to hi, one more on each side, as many as
// have room, and the multiples between them.
func Log(lo, hi float64, most int) (major, minor []float64) {
	if lo > hi {
		lo, hi = hi, lo
	}
	if lo <= 0 || !finite(hi) {
		return nil, nil
	}
	first, last := int(math.Floor(math.Log10(lo)+1e-10)), int(math.Ceil(math.Log10(hi)-1e-10))
	decades := last - first
	within := int(math.Floor(math.Log10(hi)+1e-10)) - int(math.Ceil(math.Log10(lo)-1e-10))
	stride := (within+1)/max(most, 2) + 1
	if stride >= within {
		stride = max(1, within-1)
	}
	for k := first - stride; k <= last+stride; k += stride {
		major = append(major, pow10(k))
	}
	switch {
	case stride > 1: // every power gets a short one
		for k := first - 1; k <= last+1 && decades < 200; k++ {
			minor = append(minor, pow10(k))
		}
	case decades <= 10:
		for k := first - 1; k <= last; k++ {
			for m := 2.0; m < 10; m++ {
				minor = append(minor, m*pow10(k))
			}
		}
	}
	return major, minor
}

func pow10(k int) float64 { return math.Pow10(min(max(k, -323), 308)) }

// LogLabel is the text of a tick, in the notation of package draw's texts: "$10^{3}$".
func LogLabel(x float64) string {
	k := math.Floor(math.Log10(x) + 1e-10)
	digit := math.Round(x / pow10(int(k)))
	power := "10^{" + Minus(strconv.Itoa(int(k))) + "}"
	if digit == 1 {
		return "$" + power + "$"
	}
	return "$" + strconv.Itoa(int(digit)) + `\times` + power + "$"
}

// LogMinorLabel is LogLabel for a short tick, which has one only on an axis of less than a decade:
// there 2, 3, 4 and 6, and of less than two fifths of one all.
func LogMinorLabel(x, lo, hi float64) string {
	decades := math.Abs(math.Log10(hi / lo))
	k := math.Floor(math.Log10(x) + 1e-10)
	digit := math.Round(x / pow10(int(k)))
	few := digit == 2 || digit == 3 || digit == 4 || digit == 6
	if decades > 1 || decades > 0.4 && !few {
		return ""
	}
	return LogLabel(x)
}
