package dates

import (
	"errors"
	"strings"

	"github.com/arignote/arignote/starlib/pylib/sre"
)

var errISO = errors.New("no text of ISO 8601")

// digits reads n digits.
func digits(s string, n int) (value int, rest string, err error) {
	if len(s) < n {
		return 0, s, errISO
	}
	for _, c := range []byte(s[:n]) {
		if c < '0' || c > '9' {
			return 0, s, errISO
		}
		value = value*10 + int(c-'0')
	}
	return value, s[n:], nil
}

// isoDate reads a date: 2024-03-10, 20240310, 2024-W10-7 or 2024W107.
func isoDate(text string) (d date, rest string, err error) {
	year, rest, err := digits(text, 4)
	if err != nil {
		return d, rest, err
	}
	rest, dashed := strings.CutPrefix(rest, "-")
	dash := func() bool {
		if dashed {
			var ok bool
			rest, ok = strings.CutPrefix(rest, "-")
			return ok
		}
		return true
	}
	if week, ok := strings.CutPrefix(rest, "W"); ok {
		n, after, err := digits(week, 2)
		if err != nil {
			return d, after, err
		}
		day := 1
		if rest = after; rest != "" && (rest[0] == '-') == dashed && (dashed || rest[0] >= '0' && rest[0] <= '9') {
			dash()
			if day, rest, err = digits(rest, 1); err != nil {
				return d, rest, err
			}
		}
		d, err = ofWeek(&weekArgs{year, n, day})
		return d, rest, err
	}
	month, rest, err := digits(rest, 2)
	if err != nil || !dash() {
		return d, rest, errISO
	}
	n, rest, err := digits(rest, 2)
	if err == nil {
		d, err = newDate(year, month, n)
	}
	return d, rest, err
}

// isoTime is a time by ISO 8601: hours, or more, and a zone.
var isoTime, _ = sre.Compile(`T?(\d\d)(?:(:?)(\d\d)(?:\2(\d\d)(?:[.,](\d+))?)?)?(Z|[+-](\d\d)(?:(:?)(\d\d)(?:\8(\d\d)(?:[.,](\d+))?)?)?)?`, sre.ASCII, false)

// isoClock reads a time by ISO 8601.
func isoClock(text string) (clock, error) {
	m, err := sre.NewMatcher(isoTime, text, len(text)).At(0, true)
	if m == nil || err != nil {
		return clock{}, errISO
	}
	part := func(i int) string {
		if m.Places[2*i] < 0 {
			return ""
		}
		return text[m.Places[2*i]:m.Places[2*i+1]]
	}
	number := func(i int) int {
		n, _, _ := digits(part(i), len(part(i)))
		return n
	}
	micros := func(i int) int {
		n, _, _ := digits((part(i) + "000000")[:6], 6)
		return n
	}
	var z *zone
	switch sign := part(6); {
	case sign == "Z":
		z = utc
	case sign != "":
		n := number(7)*hour + number(9)*minute + number(10)*second + micros(11)
		if sign[0] == '-' {
			n = -n
		}
		if z, err = newZone(ofMicros(n), ""); err != nil {
			return clock{}, err
		}
		if n == 0 {
			z = utc
		}
	}
	return newClock(number(1), number(3), number(4), micros(5), 0, zoned(z))
}
