// Package units writes numbers and names as reports show them: times, bytes and operations with
// their units, shares, counts.
//
// It knows nothing of profiles and imports nothing of the project.
//
//	Unit     a name and its size; For finds the one that suits a column
//	Human    "7.17 s", "840 ns", "3.1 MB"
//	Digits   three significant digits, without an exponent
//	Share    "90.8 %"
//	Bar      a share as blocks
//	OneLine  with Cut, Middle and Tail keeps names from breaking a layout
//
// Start at Human.
package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Ratio is a/b, and 0 if b is: a profile without calls has no shares.
func Ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// Percent of a fraction.
func Percent(fraction float64) float64 { return 100 * fraction }

// Seconds of nanoseconds.
func Seconds(ns float64) float64 { return ns * 1e-9 }

// Mega and Giga are decimal, unlike in Theano's profile, whose Mflops were 2^20 flops.
const (
	Mega = 1e6
	Giga = 1e9
)

// What rates are counted in: 10^9 operations and 10^9 bytes a second.
const (
	FlopRate = "Gflop/s"
	ByteRate = "GB/s"
)

// Kilobytes writes bytes as the classic memory profile does: a kilobyte is 1024 bytes, and what is
// less than half of one is 0KB.
func Kilobytes(bytes int64) string { return fmt.Sprintf("%.0fKB", math.Round(float64(bytes)/1024)) }

// A Unit is a name and its size in the base unit.
type Unit struct {
	Name string
	Size float64
}

// Units of what reports show, the largest first. The base units are the nanosecond, the operation
// and the byte.
var (
	Times = []Unit{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}}
	Flops = []Unit{{"Gflop", Giga}, {"Mflop", Mega}, {"kflop", 1e3}, {"flop", 1}}
	Bytes = []Unit{{"GB", Giga}, {"MB", Mega}, {"kB", 1e3}, {"B", 1}}
)

// For is the largest unit that v has at least one of, so that a column headed with it has few
// digits.
func For(units []Unit, v float64) Unit {
	for _, u := range units {
		if v >= u.Size {
			return u
		}
	}
	return units[len(units)-1]
}

// Human writes v with three digits and its unit: "7.17 s", "840 ns".
func Human(units []Unit, v float64) string {
	u := For(units, v)
	return Digits(v/u.Size) + NBSP + u.Name
}

// NBSP keeps a number and its unit on one line.
const NBSP = "\u00a0"

// Digits writes v with three significant digits and without an exponent. What is less than a
// thousandth shows as 0.
func Digits(v float64) string {
	switch size := math.Abs(v); {
	case size == 0:
		return "0"
	case size >= 99.95:
		return Grouped(int64(math.Round(min(v, 1e18))))
	case size >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case size >= 0.9995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// Grouped writes 10001 as "10 001".
func Grouped(n int64) string {
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
	return sign + strings.Join(append([]string{s}, parts...), NBSP)
}

// Share writes a fraction as "90.8 %".
func Share(fraction float64) string {
	s := strconv.FormatFloat(Percent(fraction), 'f', 1, 64)
	if s == "100.0" {
		s = "100"
	}
	return s + NBSP + "%"
}

// Plural writes "1 call", "10 001 calls" and "2 classes".
func Plural(n int64, word string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(word, "s"):
		word += "es"
	default:
		word += "s"
	}
	return Grouped(n) + NBSP + word
}

// Cut keeps the first n characters.
func Cut(s string, n int) string {
	i := 0
	for at := range s {
		if i == n {
			return s[:at]
		}
		i++
	}
	return s
}

// Short keeps n characters of s, of which the last stands for what is left out.
func Short(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	return Cut(s, max(n-1, 0)) + "…"
}

// Width is the number of characters.
func Width(s string) int { return utf8.RuneCountInString(s) }

// Middle keeps n characters of s, of which one stands for what is left out of its middle.
func Middle(s string, n int) string {
	if n <= 0 {
		return ""
	}
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := n / 2
	return string(r[:head]) + "…" + string(r[len(r)-(n-head-1):])
}

// Tail keeps the last n characters of s, of which the first stands for what is left out: of a path,
// the file.
func Tail(s string, n int) string {
	if n <= 0 {
		return ""
	}
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return "…" + string(r[len(r)-n+1:])
}

// Bar draws a fraction as blocks, half blocks included, in at most width characters.
func Bar(fraction float64, width int) string {
	if !(fraction > 0) {
		return ""
	}
	halves := int(math.Round(min(fraction, 1) * float64(2*width)))
	return strings.Repeat("█", halves/2) + strings.Repeat("▌", halves%2)
}

// Plain replaces the blanks that do not break by ordinary ones, which tools for text split at.
func Plain(s string) string { return strings.ReplaceAll(s, NBSP, " ") }

// OneLine keeps a name from breaking the layout: control characters, which end lines, move the
// cursor or colour what follows, become blanks; those that turn the direction of writing go; and
// what is not UTF-8 is replaced.
func OneLine(s string) string {
	if !strings.ContainsFunc(s, breaks) && utf8.ValidString(s) {
		return s
	}
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return breaks(r) && !turns(r) }), " ")
	return strings.Map(func(r rune) rune {
		if turns(r) {
			return -1
		}
		return r // utf8.RuneError for what is not UTF-8
	}, s)
}

func breaks(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || turns(r) }

// turns reports whether r is a control of bidirectional text.
func turns(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }
