package dates

import (
	"strings"
	"time"

	"github.com/arignote/arignote/starlib/pylib/sre"
)

// fields are the letters of strptime, with the patterns that each takes.
var fields = map[byte]string{
	'd': `3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9]`, 'f': `[0-9]{1,6}`, 'H': `2[0-3]|[0-1]\d|\d`, 'I': `1[0-2]|0[1-9]|[1-9]`, 'G': `\d\d\d\d`,
	'j': `36[0-6]|3[0-5]\d|[1-2]\d\d|0[1-9]\d|00[1-9]|[1-9]\d|0[1-9]|[1-9]`, 'm': `1[0-2]|0[1-9]|[1-9]`, 'M': `[0-5]\d|\d`, 'S': `6[0-1]|[0-5]\d|\d`,
	'u': `[1-7]`, 'w': `[0-6]`, 'U': `5[0-3]|[0-4]\d|\d`, 'W': `5[0-3]|[0-4]\d|\d`, 'V': `5[0-3]|0[1-9]|[1-4]\d|\d`, 'y': `\d\d`, 'Y': `\d\d\d\d`,
	'z': `[+-]\d\d:?[0-5]\d(?::?[0-5]\d(?:\.\d{1,6})?)?|(?-i:Z)`, 'Z': `utc|gmt`, 'p': `am|pm`,
	'a': names(func(i int) string { return weekdays[i][:3] }, 7), 'A': names(func(i int) string { return weekdays[i] }, 7),
	'b': names(func(i int) string { return time.Month(i + 1).String()[:3] }, 12), 'B': names(func(i int) string { return time.Month(i + 1).String() }, 12),
}

func names(name func(i int) string, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = name(i)
	}
	return strings.Join(list, "|")
}

// isSpace reports whether strptime takes any space for a character.
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// patternOf is the pattern of a format, and the letters of its groups.
func patternOf(format string) (pattern, letters string, err error) {
	for i := 0; i < len(format); i++ {
		c := format[i]
		switch {
		case isSpace(c):
			for i+1 < len(format) && isSpace(format[i+1]) {
				i++
			}
			pattern += `\s+`
			continue
		case c != '%':
			pattern += sre.Escape(string([]byte{c}))
			continue
		case i+1 == len(format):
			return "", "", wrong("stray %% in format '%s'", format)
		}
		i++
		switch c := format[i]; {
		case c == '%':
			pattern += "%"
		case shorthands[c] != "" && strings.IndexByte("cxX", c) >= 0:
			inner, more, err := patternOf(strings.Replace(shorthands[c], "%e", "%d", 1))
			if err != nil {
				return "", "", err
			}
			pattern, letters = pattern+inner, letters+more
		case fields[c] == "":
			return "", "", wrong("'%c' is a bad directive in format '%s'", c, format)
		case strings.IndexByte(letters, c) >= 0:
			return "", "", wrong("%%%c stands twice in the format '%s'", c, format)
		default:
			pattern += "(" + fields[c] + ")"
			letters += string([]byte{c})
		}
	}
	return pattern, letters, nil
}

// strptime reads a moment in a format.
func strptime(text, format string) (moment, error) {
	pattern, letters, err := patternOf(format)
	if err != nil {
		return moment{}, err
	}
	p, err := sre.Compile(pattern, sre.IgnoreCase, false)
	if err != nil {
		return moment{}, err
	}
	m, err := sre.NewMatcher(p, text, len(text)).At(0, false)
	if err != nil {
		return moment{}, err
	}
	if m == nil {
		return moment{}, wrong("time data %s does not match format %s", quoted(text), quoted(format))
	}
	if m.Places[1] < len(text) {
		return moment{}, wrong("unconverted data remains: %s", text[m.Places[1]:])
	}
	r := reading{moment: moment{date: date{1900, 1, 1}}, weekday: -1, week: -1, yearDay: -1}
	for i := range len(letters) {
		if err := r.field(letters[i], text[m.Places[2*i+2]:m.Places[2*i+3]]); err != nil {
			return moment{}, err
		}
	}
	return r.done(letters)
}

// A reading is a moment that is read field by field.
type reading struct {
	moment
	weekday, week, yearDay int // -1: not said
	iso                    int // the year of %G
	monday                 bool
	pm, am                 bool
}

// place is the place of a name among those of a pattern.
func place(names, name string) int {
	for i, n := range strings.Split(names, "|") {
		if strings.EqualFold(n, name) {
			return i
		}
	}
	return -1
}

func (r *reading) field(letter byte, text string) error {
	n, _, _ := digits(strings.TrimSpace(text), len(strings.TrimSpace(text)))
	switch letter {
	case 'Y':
		r.year = n
	case 'y':
		if r.year = 1900 + n; n < 69 {
			r.year = 2000 + n
		}
	case 'm':
		r.month = n
	case 'b', 'B':
		r.month = place(fields[letter], text) + 1
	case 'd':
		r.day = n
	case 'H', 'I':
		r.hour = n
	case 'M':
		r.minute = n
	case 'S':
		r.second = n
	case 'f':
		r.micro, _, _ = digits((text + "000000")[:6], 6)
	case 'p':
		r.pm, r.am = strings.EqualFold(text, "pm"), strings.EqualFold(text, "am")
	case 'a', 'A':
		r.weekday = place(fields[letter], text)
	case 'w':
		r.weekday = (n + 6) % 7
	case 'u':
		r.weekday = n - 1
	case 'U', 'W', 'V':
		r.week, r.monday = n, letter == 'W'
	case 'G':
		r.iso = n
	case 'j':
		r.yearDay = n
	case 'Z':
		r.zone = nil
	case 'z':
		c, err := isoClock("00:00" + text)
		if err != nil {
			return wrong("Inconsistent use of : in %s", text)
		}
		r.zone = c.zone
	}
	return nil
}

// done is the moment, of which the date may follow from a day of the year or of a week.
func (r *reading) done(letters string) (moment, error) {
	has := func(l string) bool { return strings.ContainsAny(letters, l) }
	if has("I") {
		switch {
		case r.pm && r.hour < 12:
			r.hour += 12
		case r.am && r.hour == 12, !r.pm && r.hour == 12 && !r.am:
			r.hour = 0
		}
	}
	if has("G") || has("V") {
		if !has("G") || !has("V") || r.weekday < 0 {
			return moment{}, wrong("ISO year directive '%%G' must be used with the ISO week directive '%%V' and a weekday directive ('%%A', '%%a', '%%w', or '%%u').")
		}
		d, err := ofWeek(&weekArgs{r.iso, r.week, r.weekday + 1})
		r.date = d
		return r.moment, err
	}
	switch first := (date{r.year, 1, 1}); {
	case r.yearDay > 0 && !has("mbBd"):
		d, err := ofOrdinal(first.ordinal() + r.yearDay - 1)
		r.date = d
		return r.moment, err
	case r.week >= 0 && r.weekday >= 0 && has("Yy") && !has("mbBd"):
		start, day := (first.weekday()+1)%7, (r.weekday+1)%7
		if r.monday {
			start, day = first.weekday(), r.weekday
		}
		offset := day - start
		if start > 0 {
			offset += 7
		}
		offset += 7 * (r.week - 1)
		d, err := ofOrdinal(first.ordinal() + offset)
		r.date = d
		return r.moment, err
	}
	d, err := newDate(r.year, r.month, r.day)
	if err != nil {
		return moment{}, err
	}
	c, err := newClock(r.hour, r.minute, min(r.second, 59), r.micro, 0, zoned(r.zone))
	return moment{d, c}, err
}
