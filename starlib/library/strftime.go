package library

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/value"
	starlarktime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
)

const momentParam = "t=None: seconds since 1970, or a time of now(); now if None"

var timeTable = []value.Builtin{
	value.Bound("ctime", "The local time as text.", `len(time.ctime(0)) # 24`, func(v []starlark.Value) (starlark.Value, error) {
		t, err := moment("ctime", v[0])
		return starlark.String(t.Format(time.ANSIC)), err
	}, momentParam),
	library(starlarktime.Module, "from_timestamp", "from_timestamp", "Time from seconds since 1970.",
		"time.from_timestamp(0).unix # 0",
		"sec: seconds", "nsec=0: nanoseconds to add"),
	library(starlarktime.Module, "is_valid_timezone", "is_valid_timezone", "True if the zone is known.",
		`time.is_valid_timezone("UTC") # True`,
		"loc: its name"),
	library(starlarktime.Module, "now", "now", "The time, as a value with year, month, ..., format(layout).", "time.now()"),
	library(starlarktime.Module, "parse_duration", "parse_duration", "Duration from text.",
		`time.parse_duration("1h30m").minutes # 90.0`,
		"d: text such as 1h30m"),
	library(starlarktime.Module, "parse_time", "parse_time", "Time from text.", `time.parse_time("2024-05-06T07:08:09Z").day # 6`,
		"x: text",
		`format="2006-01-02T15:04:05Z07:00": how the text writes the time 2006-01-02 15:04:05`, `location="UTC": a zone`),
	value.Bound("strftime", "A time as text, by the directives of C: %Y-%m-%d %H:%M:%S.",
		`time.strftime("%Y/%m/%d", time.parse_time("2024-05-06T07:08:09Z")) # "2024/05/06"`, func(v []starlark.Value) (starlark.Value,
			error) {
			layout, ok := starlark.AsString(v[0])
			if !ok {
				return nil, fmt.Errorf("strftime: for parameter format: got %s, want string", v[0].Type())
			}
			t, err := moment("strftime", v[1])
			if err != nil {
				return nil, err
			}
			text, err := Strftime(layout, t)
			return starlark.String(text), err
		}, "format: text with directives", momentParam),
}

// moment reads a time: seconds since 1970 are a local one.
func moment(fn string, v starlark.Value) (time.Time, error) {
	switch x := v.(type) {
	case nil, starlark.NoneType:
		return time.Now(), nil
	case starlarktime.Time:
		return time.Time(x), nil
	case starlark.Sequence:
		return partsOf(fn, x)
	}
	sec, ok := starlark.AsFloat(value.Plain(v))
	if !ok || math.IsNaN(sec) || math.Abs(sec) > 1e11 {
		return time.Time{}, fmt.Errorf("%s: for parameter t: got %s, want seconds since 1970, or a time", fn, value.Repr(v))
	}
	whole := math.Floor(sec)
	return time.Unix(int64(whole), int64((sec-whole)*1e9)), nil
}

// partsOf is the local time of the parts that time.localtime returns.
func partsOf(fn string, x starlark.Sequence) (time.Time, error) {
	var parts []int
	for v := range starlark.Elements(x) {
		n, err := starlark.AsInt32(value.Plain(v))
		if err != nil {
			return time.Time{}, fmt.Errorf("%s: for parameter t: got %s among the parts, want ints", fn, value.Repr(v))
		}
		parts = append(parts, n)
	}
	if len(parts) != 9 {
		return time.Time{}, object.NewError(object.TypeError, fmt.Sprintf("%s: for parameter t: got %d parts, want the 9 of time.localtime", fn, len(parts)))
	}
	return time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], 0, time.Local), nil
}

// directives are those that Go has a layout for.
var directives = map[byte]string{
	'a': "Mon", 'A': "Monday", 'b': "Jan", 'B': "January", 'h': "Jan", 'c': "Mon Jan _2 15:04:05 2006", 'd': "02", 'D': "01/02/06",
	'e': "_2",
	'f': ".000000", 'F': "2006-01-02", 'H': "15", 'I': "03", 'j': "002", 'm': "01", 'M': "04", 'p': "PM", 'r': "03:04:05 PM",
	'R': "15:04",
	'S': "05", 'T': "15:04:05", 'x': "01/02/06", 'X': "15:04:05", 'y': "06", 'Y': "2006", 'z': "-0700", 'Z': "MST",
}

// computed are the other directives.
var computed = map[byte]func(t time.Time) string{
	'%': func(time.Time) string { return "%" },
	'n': func(time.Time) string { return "\n" },
	't': func(time.Time) string { return "\t" },
	'C': func(t time.Time) string { return fmt.Sprintf("%02d", t.Year()/100) },
	'G': func(t time.Time) string { y, _ := t.ISOWeek(); return fmt.Sprintf("%04d", y) },
	's': func(t time.Time) string { return fmt.Sprint(t.Unix()) },
	'u': func(t time.Time) string { return fmt.Sprint((int(t.Weekday())+6)%7 + 1) },
	'U': func(t time.Time) string { return fmt.Sprintf("%02d", (t.YearDay()+6-int(t.Weekday()))/7) },
	'V': func(t time.Time) string { _, w := t.ISOWeek(); return fmt.Sprintf("%02d", w) },
	'w': func(t time.Time) string { return fmt.Sprint(int(t.Weekday())) },
	'W': func(t time.Time) string { return fmt.Sprintf("%02d", (t.YearDay()+6-(int(t.Weekday())+6)%7)/7) },
}

// Strftime formats a time as Python's strftime.
func Strftime(layout string, t time.Time) (string, error) {
	var b strings.Builder
	for i := 0; i < len(layout); i++ {
		if layout[i] != '%' {
			b.WriteByte(layout[i])
			continue
		}
		i++
		if i == len(layout) {
			return "", fmt.Errorf("strftime: got %% at the end, want a directive such as %%Y (%%%% is a percent sign)")
		}
		c := layout[i]
		if fn := computed[c]; fn != nil {
			b.WriteString(fn(t))
		} else if form := directives[c]; form != "" {
			b.WriteString(strings.TrimPrefix(t.Format(form), "."))
		} else {
			return "",
				fmt.Errorf("strftime: got directive %%%c, want one of a A b B c d D e f F G H I j m M p R S T u U V w W x X y Y z Z", c)
		}
	}
	return b.String(), nil
}
