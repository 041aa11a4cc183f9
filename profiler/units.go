package profiler

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ratio is a/b, and 0 if b is: a profile without calls has no shares.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// percent of a fraction.
func percent(fraction float64) float64 { return 100 * fraction }

// seconds of nanoseconds.
func seconds(ns float64) float64 { return ns * 1e-9 }

// mega and giga are decimal, unlike in Theano's profile, whose Mflops were 2^20 flops.
const (
	mega = 1e6
	giga = 1e9
)

// kilobytes writes bytes as the classic memory profile does: a kilobyte is 1024 bytes, and what is less than half of one is 0KB.
func kilobytes(bytes int64) string { return fmt.Sprintf("%.0fKB", math.Round(float64(bytes)/1024)) }

// A unit is a name and its size in the base unit.
type unit struct {
	name string
	size float64
}

var (
	timeUnits  = []unit{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}}
	flopUnits  = []unit{{"Gflop", giga}, {"Mflop", mega}, {"kflop", 1e3}, {"flop", 1}}
	bytesUnits = []unit{{"GB", giga}, {"MB", mega}, {"kB", 1e3}, {"B", 1}}
)

// unitFor is the largest unit that v has at least one of, so that a column headed with it has few digits.
func unitFor(units []unit, v float64) unit {
	for _, u := range units {
		if v >= u.size {
			return u
		}
	}
	return units[len(units)-1]
}

// human writes v with three digits and its unit: "7.17 s", "840 ns".
func human(units []unit, v float64) string {
	u := unitFor(units, v)
	return digits(v/u.size) + nbsp + u.name
}

const nbsp = "\u00a0"

// digits writes v with three significant digits and without an exponent. What is less than a thousandth shows as 0.
func digits(v float64) string {
	switch size := math.Abs(v); {
	case size == 0:
		return "0"
	case size >= 99.95:
		return grouped(int64(math.Round(min(v, 1e18))))
	case size >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case size >= 0.9995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// grouped writes 10001 as "10 001".
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	var parts []string
	for len(s) > 3 {
		parts = append([]string{s[len(s)-3:]}, parts...)
		s = s[:len(s)-3]
	}
	return sign + strings.Join(append([]string{s}, parts...), nbsp)
}

// share writes a fraction as "90.8 %".
func share(fraction float64) string {
	s := strconv.FormatFloat(percent(fraction), 'f', 1, 64)
	if s == "100.0" {
		s = "100"
	}
	return s + nbsp + "%"
}

// plural writes "1 call" and "10 001 calls".
func plural(n int64, word string) string {
	if n != 1 {
		word += "s"
	}
	return grouped(n) + nbsp + word
}
