package dates

import (
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A moment is a time of a day: Python's datetime.
type moment struct {
	date
	clock
}

var (
	_ value.Comparer     = moment{}
	_ value.Strer        = moment{}
	_ value.Formatter    = moment{}
	_ value.Classed      = moment{}
	_ starlark.HasBinary = moment{}
)

// micros is the time since the day before the first one, by its own clock.
func (m moment) micros() int { return m.ordinal()*day + m.clock.micros() }

// absolute is micros in Greenwich, of a moment without zone its own.
func (m moment) absolute() int {
	n := m.micros()
	if m.zone != nil {
		n -= m.zone.micros()
	}
	return n
}

// momentOf is a moment by its micros.
func momentOf(micros int, z *zone) (moment, error) {
	if micros < 0 {
		return moment{}, overflow()
	}
	d, err := ofOrdinal(micros / day)
	return moment{d, clockOf(micros%day, z)}, err
}

// local is a moment of Go's, by the clock that it has.
func local(t time.Time) moment {
	y, mo, d := t.Date()
	h, mi, s := t.Clock()
	return moment{date{y, int(mo), d}, clock{hour: h, minute: mi, second: s, micro: t.Nanosecond() / 1000}}
}

// localZone stands for the clock of the machine, whose offset changes.
var localZone = &zone{name: "local"}

// in is a moment of Go's in a zone; without one by the clock of the machine.
func in(t time.Time, z *zone) moment {
	switch z {
	case nil, localZone:
		return local(t.Local())
	}
	m, _ := momentOf(local(t.UTC()).micros()+z.micros(), z)
	return m
}

// goTime is the moment as Go has it; without zone by the clock of the machine.
func (m moment) goTime() time.Time {
	where, shift := time.Local, 0
	if m.zone != nil {
		where, shift = time.UTC, m.zone.micros()
	}
	return time.Date(m.year, time.Month(m.month), m.day, m.hour, m.minute, m.second, m.micro*1000, where).Add(time.Duration(-shift) * time.Microsecond)
}

// ofStamp is a moment by the seconds since 1970.
func ofStamp(v starlark.Value, z *zone) (moment, error) {
	r, err := ratio("timestamp", v)
	if err != nil {
		return moment{}, err
	}
	micros := rounded(r.Mul(r, big.NewRat(second, 1)))
	if !micros.IsInt64() || micros.Int64() < -epochOrdinal*day || micros.Int64() > (maxOrdinal-epochOrdinal+1)*day-1 {
		f, _ := r.Float64()
		return moment{}, wrong("year %.0f is out of range", math.Floor(1970+f/1e6/31556952))
	}
	return in(time.UnixMicro(micros.Int64()), z), nil
}

func (m moment) at() moment  { return m }
func (m moment) time() clock { return m.clock }
func (m moment) of() *zone   { return m.zone }

func (m moment) Type() string                             { return "datetime.datetime" }
func (m moment) Freeze()                                  {}
func (m moment) Truth() starlark.Bool                     { return true }
func (m moment) Hash() (uint32, error)                    { return uint32(m.absolute()) ^ uint32(m.absolute()>>32), nil }
func (m moment) Table() *value.Methods                    { return momentMethods() }
func (m moment) Attr(name string) (starlark.Value, error) { return momentMethods().Attr(m, name) }
func (m moment) AttrNames() []string                      { return momentMethods().Names() }
func (m moment) Class() starlark.Value                    { return momentType() }
func (m moment) String() string {
	return fmt.Sprintf("datetime.datetime(%d, %d, %d, %s)", m.year, m.month, m.day, m.numbers())
}

// Str is the moment by ISO 8601, with a space.
func (m moment) Str() string { return m.date.Str() + " " + m.clock.Str() }

// FormatSpec is strftime, if the specification is not empty.
func (m moment) FormatSpec(spec string) (string, error) { return formatted(m, m, spec) }

// CompareBy compares two of them.
func (m moment) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	n, ok := y.(moment)
	switch {
	case !ok:
		return incomparable(op, m, y)
	case side == starlark.Right:
		m, n = n, m
	}
	return order(op, m.zone, n.zone, m.absolute()-n.absolute(), "datetimes")
}

// CompareSameType is CompareBy in what holds them.
func (m moment) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	v, err := m.CompareBy(op, y, starlark.Left)
	return v == starlark.True, err
}

// Binary adds times, or takes moments from each other.
func (m moment) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	switch y := y.(type) {
	case delta:
		switch {
		case op == syntax.PLUS:
			return m.plus(y, 1)
		case op == syntax.MINUS && side == starlark.Left:
			return m.plus(y, -1)
		}
	case moment:
		if op != syntax.MINUS {
			return nil, nil
		}
		if side == starlark.Right {
			m, y = y, m
		}
		if (m.zone == nil) != (y.zone == nil) {
			return nil, typeError("can't subtract offset-naive and offset-aware datetimes")
		}
		return ofMicros(m.absolute() - y.absolute()), nil
	}
	return nil, nil
}

// plus is the moment some time later, or earlier.
func (m moment) plus(d delta, sign int) (starlark.Value, error) {
	if d.days > maxOrdinal || d.days < -maxOrdinal {
		return nil, overflow()
	}
	return momentOf(m.micros()+sign*(d.days*day+d.secs*second+d.micros), m.zone)
}

func momentType() *rows.Type { return momentClass }

type momentArgs struct {
	Year   int            `arg:"year: the year"`
	Month  int            `arg:"month: the month, from 1 on"`
	Day    int            `arg:"day: the day of the month"`
	Hour   int            `arg:"hour=0: the hour"`
	Minute int            `arg:"minute=0: the minute"`
	Second int            `arg:"second=0: the second"`
	Micro  int            `arg:"microsecond=0: the microsecond"`
	Zone   starlark.Value `arg:"tzinfo=None: a time zone"`
	_      struct{}       `arg:"*:"`
	Fold   int            `arg:"fold=0: 1 for the second of two times with the same name"`
}

var momentClass = rows.NewType("datetime.datetime", value.Function("datetime", "A time of a day.", "datetime.datetime(2024, 3, 10, 9, 30).isoformat() # \"2024-03-10T09:30:00\"",
	func(_ *starlark.Thread, a *momentArgs) (starlark.Value, error) {
		d, err := newDate(a.Year, a.Month, a.Day)
		if err != nil {
			return nil, err
		}
		c, err := newClock(a.Hour, a.Minute, a.Second, a.Micro, a.Fold, a.Zone)
		return moment{d, c}, err
	}), func() *value.Methods { return momentMethods() }, momentOwn)

var momentOwn = extremes(moment{date: date{1, 1, 1}}, moment{date{9999, 12, 31}, lastClock}, delta{micros: 1})
