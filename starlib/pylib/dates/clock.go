package dates

import (
	"fmt"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A clock is a time of a day, with a zone or without one.
type clock struct {
	hour, minute, second, micro int
	zone                        *zone
	fold                        int
}

var (
	_ value.Comparer  = clock{}
	_ value.Strer     = clock{}
	_ value.Formatter = clock{}
	_ value.Classed   = clock{}
)

func newClock(h, m, s, us, fold int, tz starlark.Value) (clock, error) {
	for _, p := range []struct {
		name    string
		n, most int
	}{{"hour", h, 23}, {"minute", m, 59}, {"second", s, 59}, {"microsecond", us, 999999}} {
		if p.n < 0 || p.n > p.most {
			return clock{}, wrong("%s must be in 0..%d", p.name, p.most)
		}
	}
	if fold != 0 && fold != 1 {
		return clock{}, wrong("fold must be either 0 or 1")
	}
	z, err := readZone(tz)
	return clock{h, m, s, us, z, fold}, err
}

// micros is the time since midnight.
func (c clock) micros() int { return c.hour*hour + c.minute*minute + c.second*second + c.micro }

// clockOf is a time since midnight.
func clockOf(micros int, z *zone) clock {
	return clock{micros / hour, micros / minute % 60, micros / second % 60, micros % second, z, 0}
}

func (c clock) of() *zone { return c.zone }

func (c clock) Type() string                             { return "datetime.time" }
func (c clock) Freeze()                                  {}
func (c clock) Truth() starlark.Bool                     { return true }
func (c clock) Hash() (uint32, error)                    { return uint32(c.absolute()) ^ uint32(c.absolute()>>32), nil }
func (c clock) Table() *value.Methods                    { return clockMethods() }
func (c clock) Attr(name string) (starlark.Value, error) { return clockMethods().Attr(c, name) }
func (c clock) AttrNames() []string                      { return clockMethods().Names() }
func (c clock) Class() starlark.Value                    { return clockType() }

// numbers are the numbers of repr: seconds and microseconds where they are not 0.
func (c clock) numbers() string {
	text := fmt.Sprintf("%d, %d", c.hour, c.minute)
	if c.second != 0 || c.micro != 0 {
		text += fmt.Sprintf(", %d", c.second)
	}
	if c.micro != 0 {
		text += fmt.Sprintf(", %d", c.micro)
	}
	if c.fold != 0 {
		text += ", fold=1"
	}
	if c.zone != nil {
		text += ", tzinfo=" + c.zone.String()
	}
	return text
}

func (c clock) String() string { return "datetime.time(" + c.numbers() + ")" }

// Str is the time by ISO 8601.
func (c clock) Str() string {
	text, _ := c.iso("auto")
	return text
}

// precisions are how times by ISO 8601 end.
var precisions = map[string]string{"hours": "%[1]02d", "minutes": "%02d:%02d", "seconds": "%02d:%02d:%02d", "milliseconds": "%02d:%02d:%02d.%03d", "microseconds": "%02d:%02d:%02d.%06d"}

// iso is the time by ISO 8601, as far as a precision says.
func (c clock) iso(precision string) (string, error) {
	if precision == "auto" {
		if precision = "seconds"; c.micro != 0 {
			precision = "microseconds"
		}
	}
	layout, ok := precisions[precision]
	if !ok {
		return "", wrong("Unknown timespec value: got %s, want auto, hours, minutes, seconds, milliseconds or microseconds", quoted(precision))
	}
	var text string
	switch precision {
	case "hours":
		text = fmt.Sprintf("%02d", c.hour)
	case "minutes":
		text = fmt.Sprintf(layout, c.hour, c.minute)
	case "seconds":
		text = fmt.Sprintf(layout, c.hour, c.minute, c.second)
	case "milliseconds":
		text = fmt.Sprintf(layout, c.hour, c.minute, c.second, c.micro/1000)
	default:
		text = fmt.Sprintf(layout, c.hour, c.minute, c.second, c.micro)
	}
	if c.zone != nil {
		text += c.zone.text(":")
	}
	return text, nil
}

// FormatSpec is strftime, if the specification is not empty.
func (c clock) FormatSpec(spec string) (string, error) {
	return formatted(c, moment{date{1900, 1, 1}, c}, spec)
}

// absolute is the time in Greenwich, of one without zone its own.
func (c clock) absolute() int {
	n := c.micros()
	if c.zone != nil {
		n -= c.zone.micros()
	}
	return n
}

// order compares two clocks or moments, whose absolute times are given.
func order(op syntax.Token, a, b *zone, cmp int, what string) (starlark.Value, error) {
	if (a == nil) != (b == nil) {
		if op == syntax.EQL || op == syntax.NEQ {
			return starlark.Bool(op == syntax.NEQ), nil
		}
		return nil, typeError("can't compare offset-naive and offset-aware %s", what)
	}
	return compared(op, cmp), nil
}

// CompareBy compares two times.
func (c clock) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	d, ok := y.(clock)
	switch {
	case !ok:
		return incomparable(op, c, y)
	case side == starlark.Right:
		c, d = d, c
	}
	return order(op, c.zone, d.zone, c.absolute()-d.absolute(), "times")
}

// CompareSameType is CompareBy in what holds them.
func (c clock) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	v, err := c.CompareBy(op, y, starlark.Left)
	return v == starlark.True, err
}

func clockType() *rows.Type { return clockClass }

type clockArgs struct {
	Hour   int            `arg:"hour=0: the hour"`
	Minute int            `arg:"minute=0: the minute"`
	Second int            `arg:"second=0: the second"`
	Micro  int            `arg:"microsecond=0: the microsecond"`
	Zone   starlark.Value `arg:"tzinfo=None: a time zone"`
	_      struct{}       `arg:"*:"`
	Fold   int            `arg:"fold=0: 1 for the second of two times with the same name"`
}

var clockClass = rows.NewType("datetime.time", value.Function("time", "A time of a day.", "datetime.time(9, 30).isoformat() # \"09:30:00\"",
	func(_ *starlark.Thread, a *clockArgs) (starlark.Value, error) {
		return newClock(a.Hour, a.Minute, a.Second, a.Micro, a.Fold, a.Zone)
	}), func() *value.Methods { return clockMethods() }, clockOwn)

var (
	lastClock = clock{hour: 23, minute: 59, second: 59, micro: 999999}
	clockOwn  = extremes(clock{}, lastClock, delta{micros: 1})
)

// timed is a value with a time of the day.
type timed interface {
	starlark.Value
	time() clock
}

func (c clock) time() clock { return c }

// clockFields are the attributes that times and datetimes have; x is one in examples.
func clockFields[T timed](x string) []value.Field {
	return []value.Field{
		number("fold", "1 for the second of two times with the same name.", x+".fold # 0", func(c T) int { return c.time().fold }),
		number("hour", "The hour.", x+".hour # 9", func(c T) int { return c.time().hour }),
		number("microsecond", "The microsecond.", x+".microsecond # 0", func(c T) int { return c.time().micro }),
		number("minute", "The minute.", x+".minute # 30", func(c T) int { return c.time().minute }),
		number("second", "The second.", x+".second # 0", func(c T) int { return c.time().second }),
		value.FieldOf("tzinfo", "The time zone, None if there is none.", "import datetime; print("+x+".tzinfo) # None", func(c T) starlark.Value { return zoned(c.time().zone) }),
	}
}

type precisionArg struct {
	Precision string `arg:"timespec=\"auto\": hours, minutes, seconds, milliseconds or microseconds; auto has microseconds if they are not 0"`
}

// clockChange are the arguments of replace.
type clockChange struct {
	Hour   *int           `arg:"hour=None: the hour"`
	Minute *int           `arg:"minute=None: the minute"`
	Second *int           `arg:"second=None: the second"`
	Micro  *int           `arg:"microsecond=None: the microsecond"`
	Zone   starlark.Value `arg:"tzinfo=True: a time zone, None for none"`
	_      struct{}       `arg:"*:"`
	Fold   *int           `arg:"fold=None: 0 or 1"`
}

// changed is a time with some of it replaced.
func (c clock) changed(a *clockChange) (clock, error) {
	z := a.Zone
	if z == nil {
		z = zoned(c.zone)
	}
	return newClock(or(a.Hour, c.hour), or(a.Minute, c.minute), or(a.Second, c.second), or(a.Micro, c.micro), or(a.Fold, c.fold), z)
}

var clockMethods = rows.Lazily("datetime.time", func() []value.Builtin {
	const x = "datetime.time(9, 30)"
	return append(zoneRows[clock](x),
		ofClass("fromisoformat", "The time that text by ISO 8601 says.", `datetime.time.fromisoformat("09:30") # `+x, func(a *isoArg) (starlark.Value, error) {
			c, err := isoClock(a.Text)
			if err != nil {
				return nil, wrong("Invalid isoformat string: %s", quoted(a.Text))
			}
			return c, nil
		}),
		of("isoformat", "The time by ISO 8601.", x+`.isoformat("minutes") # "09:30"`, func(c clock, a *precisionArg) (starlark.Value, error) {
			text, err := c.iso(a.Precision)
			return starlark.String(text), err
		}),
		of("replace", "The time with some of it replaced.", x+".replace(minute=0) # datetime.time(9, 0)", func(c clock, a *clockChange) (starlark.Value, error) { return c.changed(a) }),
		of("strftime", "The time in a format.", x+`.strftime("%I:%M %p") # "09:30 AM"`, func(c clock, a *formatArg) (starlark.Value, error) {
			text, err := strftime(moment{date{1900, 1, 1}, c}, a.Format)
			return starlark.String(text), err
		}),
	)
}, append(clockFields[clock]("datetime.time(9, 30)"), rows.Fields("datetime.time", clockOwn)...)...)
