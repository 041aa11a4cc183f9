package dates

import (
	"fmt"
	"time"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

const (
	minYear, maxYear = 1, 9999
	maxOrdinal       = 3_652_059
	epochOrdinal     = 719_163 // of 1970-01-01
)

// A date is a day.
type date struct{ year, month, day int }

var (
	_ value.Comparer     = date{}
	_ value.Strer        = date{}
	_ value.Formatter    = date{}
	_ value.Classed      = date{}
	_ starlark.HasBinary = date{}
)

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func newDate(year, month, day int) (date, error) {
	switch {
	case year < minYear || year > maxYear:
		return date{}, wrong("year %d is out of range", year)
	case month < 1 || month > 12:
		return date{}, wrong("month must be in 1..12")
	case day < 1 || day > daysIn(year, month):
		return date{}, wrong("day is out of range for month")
	}
	return date{year, month, day}, nil
}

// ordinal is the number of the day, 1 for the first of the year 1.
func (d date) ordinal() int {
	return int(time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC).Unix()/86400) + epochOrdinal
}

func ofOrdinal(n int) (date, error) {
	if n < 1 || n > maxOrdinal {
		return date{}, overflow()
	}
	y, m, d := time.Unix(int64(n-epochOrdinal)*86400, 0).UTC().Date()
	return date{y, int(m), d}, nil
}

// weekday is 0 for Monday.
func (d date) weekday() int { return (d.ordinal() + 6) % 7 }

// yearDay is 1 for the first of January.
func (d date) yearDay() int { return d.ordinal() - date{d.year, 1, 1}.ordinal() + 1 }

// isoWeek is the year and the week of ISO 8601.
func (d date) isoWeek() (year, week int) {
	return time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC).ISOWeek()
}

func (d date) Type() string                             { return "datetime.date" }
func (d date) Freeze()                                  {}
func (d date) Truth() starlark.Bool                     { return true }
func (d date) Hash() (uint32, error)                    { return uint32(d.ordinal()), nil }
func (d date) Table() *value.Methods                    { return dateMethods() }
func (d date) Attr(name string) (starlark.Value, error) { return dateMethods().Attr(d, name) }
func (d date) AttrNames() []string                      { return dateMethods().Names() }
func (d date) Class() starlark.Value                    { return dateType() }
func (d date) String() string {
	return fmt.Sprintf("datetime.date(%d, %d, %d)", d.year, d.month, d.day)
}

// Str is the date by ISO 8601.
func (d date) Str() string { return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day) }

// FormatSpec is strftime, if the specification is not empty.
func (d date) FormatSpec(spec string) (string, error) { return formatted(d, moment{date: d}, spec) }

func (d date) compare(e date) int { return d.ordinal() - e.ordinal() }

// CompareBy compares two dates; a datetime is none there.
func (d date) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	e, ok := y.(date)
	switch {
	case !ok:
		return incomparable(op, d, y)
	case side == starlark.Right:
		d, e = e, d
	}
	return compared(op, d.compare(e)), nil
}

// CompareSameType is CompareBy in what holds them.
func (d date) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return compared(op, d.compare(y.(date))) == starlark.True, nil
}

// Binary adds days, or takes dates from each other.
func (d date) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	switch y := y.(type) {
	case delta:
		if op == syntax.PLUS {
			return ofOrdinal(d.ordinal() + y.days)
		}
		if op == syntax.MINUS && side == starlark.Left {
			return ofOrdinal(d.ordinal() - y.days)
		}
	case date:
		if op == syntax.MINUS {
			if side == starlark.Right {
				d, y = y, d
			}
			return delta{days: d.ordinal() - y.ordinal()}, nil
		}
	}
	return nil, nil
}

func dateType() *rows.Type { return dateClass }

type dateArgs struct {
	Year  int `arg:"year: the year"`
	Month int `arg:"month: the month, from 1 on"`
	Day   int `arg:"day: the day of the month"`
}

var dateClass = rows.NewType("datetime.date", value.Function("date", "A day.", "datetime.date(2024, 2, 28) + datetime.timedelta(days=2) # datetime.date(2024, 3, 1)",
	func(_ *starlark.Thread, a *dateArgs) (starlark.Value, error) { return newDate(a.Year, a.Month, a.Day) }),
	func() *value.Methods { return dateMethods() }, dateOwn, "datetime.datetime")

var dateOwn = extremes(date{1, 1, 1}, date{9999, 12, 31}, delta{days: 1})

// dated is a value with a date.
type dated interface {
	starlark.Value
	at() moment
}

func (d date) at() moment { return moment{date: d} }

type formatArg struct {
	Format string `arg:"format: text with %Y, %m, %d and their like"`
}

// dateRows are the methods that dates and datetimes have; x is one in examples.
func dateRows[T dated](x string) []value.Builtin {
	return []value.Builtin{
		of("ctime", "The date as C writes it.", x+`.ctime()[:10] # "Sun Mar 10"`, func(d T, _ *rows.None) (starlark.Value, error) {
			text, err := strftime(d.at(), "%a %b %e %H:%M:%S ")
			return starlark.String(text + fmt.Sprintf("%04d", d.at().year)), err
		}),
		of("isocalendar", "The tuple of year, week and weekday by ISO 8601.", x+".isocalendar() # (2024, 10, 7)", func(d T, _ *rows.None) (starlark.Value, error) {
			year, week := d.at().date.isoWeek()
			return starlark.Tuple{starlark.MakeInt(year), starlark.MakeInt(week), starlark.MakeInt(d.at().weekday() + 1)}, nil
		}),
		of("isoweekday", "The day of the week, 1 for Monday.", x+".isoweekday() # 7", func(d T, _ *rows.None) (starlark.Value, error) { return starlark.MakeInt(d.at().weekday() + 1), nil }),
		of("strftime", "The date in a format.", x+`.strftime("%d.%m.%y") # "10.03.24"`, func(d T, a *formatArg) (starlark.Value, error) {
			text, err := strftime(d.at(), a.Format)
			return starlark.String(text), err
		}),
		of("timetuple", "The tuple of year, month, day, hour, minute, second, weekday, day of the year, and -1.", x+".timetuple()[:3] # (2024, 3, 10)",
			func(d T, _ *rows.None) (starlark.Value, error) {
				m := d.at()
				out := starlark.Tuple{}
				for _, n := range []int{m.year, m.month, m.day, m.hour, m.minute, m.second, m.weekday(), m.yearDay(), -1} {
					out = append(out, starlark.MakeInt(n))
				}
				return out, nil
			}),
		of("toordinal", "The number of the day, 1 for the first one of the year 1.", x+".toordinal() # 738955", func(d T, _ *rows.None) (starlark.Value, error) {
			return starlark.MakeInt(d.at().ordinal()), nil
		}),
		of("weekday", "The day of the week, 0 for Monday.", x+".weekday() # 6", func(d T, _ *rows.None) (starlark.Value, error) { return starlark.MakeInt(d.at().weekday()), nil }),
	}
}

// dateFields are the attributes that dates and datetimes have.
func dateFields[T dated](x string) []value.Field {
	return []value.Field{
		number("day", "The day of the month.", x+".day # 10", func(d T) int { return d.at().day }),
		number("month", "The month, from 1 on.", x+".month # 3", func(d T) int { return d.at().month }),
		number("year", "The year.", x+".year # 2024", func(d T) int { return d.at().year }),
	}
}

type ordinalArg struct {
	Ordinal int `arg:"ordinal: the number of the day"`
}

type isoArg struct {
	Text string `arg:"date_string: text by ISO 8601"`
}

type weekArgs struct {
	Year int `arg:"year: the year"`
	Week int `arg:"week: the week, from 1 on"`
	Day  int `arg:"day: the day of the week, 1 for Monday"`
}

// ofWeek is the date of a day of a week.
func ofWeek(a *weekArgs) (date, error) {
	if a.Year < minYear || a.Year > maxYear {
		return date{}, wrong("Year is out of range: %d", a.Year)
	}
	first := date{a.Year, 1, 4}.ordinal()
	first -= date{a.Year, 1, 4}.weekday()
	d, err := ofOrdinal(first + 7*(a.Week-1) + a.Day - 1)
	if year, week := d.isoWeek(); err == nil && (a.Week < 1 || year != a.Year && a.Week > 52 || week != a.Week && a.Day >= 1 && a.Day <= 7) {
		return date{}, wrong("Invalid week: %d", a.Week)
	}
	if a.Day < 1 || a.Day > 7 {
		return date{}, wrong("Invalid day: %d (range is [1, 7])", a.Day)
	}
	return d, err
}

var dateMethods = rows.Lazily("datetime.date", func() []value.Builtin {
	const x = "datetime.date(2024, 3, 10)"
	return append(dateRows[date](x),
		ofClass("fromisocalendar", "The date of a day of a week by ISO 8601.", "datetime.date.fromisocalendar(2024, 10, 7) # "+x, func(a *weekArgs) (starlark.Value, error) { return ofWeek(a) }),
		ofClass("fromisoformat", "The date that text by ISO 8601 says.", `datetime.date.fromisoformat("2024-03-10") # `+x, func(a *isoArg) (starlark.Value, error) {
			d, rest, err := isoDate(a.Text)
			if err != nil || rest != "" {
				return nil, wrong("Invalid isoformat string: %s", quoted(a.Text))
			}
			return d, nil
		}),
		ofClass("fromordinal", "The date of a day's number.", "datetime.date.fromordinal(738955) # "+x, func(a *ordinalArg) (starlark.Value, error) { return fromOrdinal(a.Ordinal) }),
		ofClass("fromtimestamp", "The local date of a moment in seconds since 1970.", "datetime.date.fromtimestamp(10 ** 9).year # 2001", func(a *stampArg) (starlark.Value, error) {
			m, err := ofStamp(a.Stamp, localZone)
			return m.date, err
		}),
		of("isoformat", "The date by ISO 8601.", x+`.isoformat() # "2024-03-10"`, func(d date, _ *rows.None) (starlark.Value, error) { return starlark.String(d.Str()), nil }),
		of("replace", "The date with some of it replaced.", x+".replace(day=1) # datetime.date(2024, 3, 1)", func(d date, a *struct {
			Year  *int `arg:"year=None: the year"`
			Month *int `arg:"month=None: the month"`
			Day   *int `arg:"day=None: the day"`
		}) (starlark.Value, error) {
			return newDate(or(a.Year, d.year), or(a.Month, d.month), or(a.Day, d.day))
		}),
		ofClass("today", "The local date.", "datetime.date.today().year > 2000 # True", func(*rows.None) (starlark.Value, error) { return local(time.Now()).date, nil }),
	)
}, append(dateFields[date]("datetime.date(2024, 3, 10)"), rows.Fields("datetime.date", dateOwn)...)...)

// fromOrdinal is ofOrdinal with the error of the function of the class.
func fromOrdinal(n int) (date, error) {
	switch {
	case n < 1:
		return date{}, wrong("ordinal must be >= 1")
	case n > maxOrdinal:
		return date{}, wrong("year is out of range: got the ordinal %d, want at most %d", n, maxOrdinal)
	}
	return ofOrdinal(n)
}

// or is a number that was given, or another one.
func or(n *int, other int) int {
	if n != nil {
		return *n
	}
	return other
}

func quoted(text string) string { return value.Repr(starlark.String(text)) }
