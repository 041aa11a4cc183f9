package dates

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

const (
	second  = 1_000_000 // microseconds
	minute  = 60 * second
	hour    = 60 * minute
	day     = 24 * hour
	maxDays = 999_999_999
)

// A delta is a time between two moments: days, and seconds and microseconds of the next one.
type delta struct{ days, secs, micros int }

var (
	_ value.Comparer     = delta{}
	_ value.Absolute     = delta{}
	_ value.Strer        = delta{}
	_ value.Classed      = delta{}
	_ starlark.HasBinary = delta{}
	_ starlark.HasUnary  = delta{}
)

// total is the microseconds, which no int64 may hold.
func (d delta) total() *big.Int {
	n := big.NewInt(int64(d.days))
	n.Mul(n, big.NewInt(day))
	return n.Add(n, big.NewInt(int64(d.secs)*second+int64(d.micros)))
}

// newDelta is a delta of microseconds.
func newDelta(total *big.Int) (delta, error) {
	days, rest := new(big.Int).DivMod(total, big.NewInt(day), new(big.Int))
	if !days.IsInt64() || days.Int64() > maxDays || days.Int64() < -maxDays {
		return delta{}, value.Failure("OverflowError", "days=%s; must have magnitude <= %d", days, maxDays)
	}
	r := int(rest.Int64())
	return delta{int(days.Int64()), r / second, r % second}, nil
}

// ofMicros is a delta of fewer microseconds.
func ofMicros(n int) delta {
	d, _ := newDelta(big.NewInt(int64(n)))
	return d
}

// rounded is the nearest integer, of two the even one.
func rounded(r *big.Rat) *big.Int {
	twice := new(big.Int).Mul(r.Num(), big.NewInt(2))
	down := new(big.Int).Div(new(big.Int).Add(twice, r.Denom()), new(big.Int).Mul(r.Denom(), big.NewInt(2)))
	half := new(big.Rat).SetFrac(new(big.Int).Sub(new(big.Int).Mul(down, big.NewInt(2)), big.NewInt(1)), big.NewInt(2))
	if down.Bit(0) == 1 && half.Cmp(r) == 0 {
		down.Sub(down, big.NewInt(1))
	}
	return down
}

// ratio is a number exactly.
func ratio(what string, v starlark.Value) (*big.Rat, error) {
	switch x := value.NumberOf(v).(type) {
	case starlark.Int:
		return new(big.Rat).SetInt(x.BigInt()), nil
	case starlark.Bool:
		if x {
			return big.NewRat(1, 1), nil
		}
		return new(big.Rat), nil
	case starlark.Float:
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, wrong("%s: got %v, want a finite number", what, f)
		}
		return new(big.Rat).SetFloat64(float64(x)), nil
	}
	return nil, typeError("unsupported type for %s: %s", what, value.TypeName(v))
}

func (d delta) Type() string                             { return "datetime.timedelta" }
func (d delta) Freeze()                                  {}
func (d delta) Truth() starlark.Bool                     { return d != delta{} }
func (d delta) Hash() (uint32, error)                    { return uint32(d.days*86400+d.secs)*31 + uint32(d.micros), nil }
func (d delta) Table() *value.Methods                    { return deltaMethods() }
func (d delta) Attr(name string) (starlark.Value, error) { return deltaMethods().Attr(d, name) }
func (d delta) AttrNames() []string                      { return deltaMethods().Names() }
func (d delta) Class() starlark.Value                    { return deltaType() }

// String is repr.
func (d delta) String() string {
	var parts []string
	for _, p := range []struct {
		name string
		n    int
	}{{"days", d.days}, {"seconds", d.secs}, {"microseconds", d.micros}} {
		if p.n != 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", p.name, p.n))
		}
	}
	if parts == nil {
		parts = []string{"0"}
	}
	return "datetime.timedelta(" + strings.Join(parts, ", ") + ")"
}

// Str is how print shows it.
func (d delta) Str() string {
	text := fmt.Sprintf("%d:%02d:%02d", d.secs/3600, d.secs/60%60, d.secs%60)
	if d.micros != 0 {
		text += fmt.Sprintf(".%06d", d.micros)
	}
	switch d.days {
	case 0:
		return text
	case 1, -1:
		return fmt.Sprintf("%d day, %s", d.days, text)
	}
	return fmt.Sprintf("%d days, %s", d.days, text)
}

func (d delta) compare(e delta) int { return d.total().Cmp(e.total()) }

// compared is the answer of a comparison, of the sign of a difference.
func compared(op syntax.Token, order int) starlark.Value {
	switch op {
	case syntax.EQL:
		return starlark.Bool(order == 0)
	case syntax.NEQ:
		return starlark.Bool(order != 0)
	case syntax.LT:
		return starlark.Bool(order < 0)
	case syntax.LE:
		return starlark.Bool(order <= 0)
	case syntax.GT:
		return starlark.Bool(order > 0)
	}
	return starlark.Bool(order >= 0)
}

// incomparable is the answer of a comparison with a value of another kind.
func incomparable(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.EQL, syntax.NEQ:
		return starlark.Bool(op == syntax.NEQ), nil
	}
	return nil, typeError("can't compare %s to %s", x.Type(), value.TypeName(y))
}

// CompareBy compares two of them.
func (d delta) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	e, ok := y.(delta)
	switch {
	case !ok:
		return incomparable(op, d, y)
	case side == starlark.Right:
		d, e = e, d
	}
	return compared(op, d.compare(e)), nil
}

// CompareSameType is CompareBy in what holds them.
func (d delta) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return compared(op, d.compare(y.(delta))) == starlark.True, nil
}

// Unary is -d and +d.
func (d delta) Unary(op syntax.Token) (starlark.Value, error) {
	switch op {
	case syntax.PLUS:
		return d, nil
	case syntax.MINUS:
		return newDelta(new(big.Int).Neg(d.total()))
	}
	return nil, nil
}

// Abs is abs(d).
func (d delta) Abs() (starlark.Value, error) { return newDelta(new(big.Int).Abs(d.total())) }

// Binary adds deltas, takes them from each other, and multiplies and divides them.
func (d delta) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if e, ok := y.(delta); ok {
		if side == starlark.Right {
			d, e = e, d
		}
		return d.with(op, e)
	}
	switch y.(type) {
	case starlark.Int, starlark.Float, starlark.Bool:
	default:
		return nil, nil
	}
	r, err := ratio("timedelta", y)
	if err != nil {
		return nil, err
	}
	x := new(big.Rat).SetInt(d.total())
	switch {
	case op == syntax.STAR:
		return newDelta(rounded(x.Mul(x, r)))
	case side == starlark.Right:
		return nil, nil
	case r.Sign() == 0 && (op == syntax.SLASH || op == syntax.SLASHSLASH):
		return nil, value.Failure("ZeroDivisionError", "division by zero")
	case op == syntax.SLASH:
		return newDelta(rounded(x.Quo(x, r)))
	case op == syntax.SLASHSLASH:
		if _, isInt := y.(starlark.Int); isInt {
			return newDelta(floor(x.Quo(x, r)))
		}
	}
	return nil, nil
}

// floor is the largest integer that is no more than r.
func floor(r *big.Rat) *big.Int {
	q, _ := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	return q
}

// with is d op e.
func (d delta) with(op syntax.Token, e delta) (starlark.Value, error) {
	a, b := d.total(), e.total()
	switch op {
	case syntax.PLUS:
		return newDelta(a.Add(a, b))
	case syntax.MINUS:
		return newDelta(a.Sub(a, b))
	case syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT:
	default:
		return nil, nil
	}
	if b.Sign() == 0 {
		return nil, value.Failure("ZeroDivisionError", "division by zero")
	}
	r := new(big.Rat).SetFrac(a, b)
	if op == syntax.SLASH {
		f, _ := r.Float64()
		return starlark.Float(f), nil
	}
	q := floor(r)
	if op == syntax.SLASHSLASH {
		return starlark.MakeBigInt(q), nil
	}
	return newDelta(a.Sub(a, q.Mul(q, b)))
}

func deltaType() *rows.Type { return deltaClass }

type deltaArgs struct {
	Days    starlark.Value `arg:"days=0: days"`
	Seconds starlark.Value `arg:"seconds=0: seconds"`
	Micros  starlark.Value `arg:"microseconds=0: millionths of seconds"`
	Millis  starlark.Value `arg:"milliseconds=0: thousandths of seconds"`
	Minutes starlark.Value `arg:"minutes=0: minutes"`
	Hours   starlark.Value `arg:"hours=0: hours"`
	Weeks   starlark.Value `arg:"weeks=0: weeks"`
}

var deltaClass = rows.NewType("datetime.timedelta", value.Function("timedelta", "A time between two moments.", `datetime.timedelta(hours=30).days # 1`,
	func(_ *starlark.Thread, a *deltaArgs) (starlark.Value, error) {
		sum := new(big.Rat)
		for _, p := range []struct {
			name   string
			v      starlark.Value
			micros int64
		}{{"days", a.Days, day}, {"seconds", a.Seconds, second}, {"microseconds", a.Micros, 1}, {"milliseconds", a.Millis, 1000}, {"minutes", a.Minutes, minute},
			{"hours", a.Hours, hour}, {"weeks", a.Weeks, 7 * day}} {
			if p.v == nil {
				continue
			}
			r, err := ratio("timedelta "+p.name+" component", p.v)
			if err != nil {
				return nil, err
			}
			sum.Add(sum, r.Mul(r, new(big.Rat).SetInt64(p.micros)))
		}
		return newDelta(rounded(sum))
	}), func() *value.Methods { return deltaMethods() }, deltaOwn)

var deltaOwn = extremes(delta{days: -maxDays}, delta{maxDays, 86399, 999999}, delta{micros: 1})

// extremes are the constants of the classes.
func extremes(least, most, step starlark.Value) []value.Member {
	return []value.Member{{Name: "min", Value: least, Doc: "The least one."}, {Name: "max", Value: most, Doc: "The largest one."},
		{Name: "resolution", Value: step, Doc: "The least difference of two."}}
}

var deltaMethods = rows.Lazily("datetime.timedelta", func() []value.Builtin {
	return []value.Builtin{
		of("total_seconds", "All of it in seconds.", "datetime.timedelta(minutes=1.5).total_seconds() # 90.0", func(d delta, _ *rows.None) (starlark.Value, error) {
			f, _ := new(big.Rat).SetFrac(d.total(), big.NewInt(second)).Float64()
			return starlark.Float(f), nil
		}),
	}
},
	append(rows.Fields("datetime.timedelta", deltaOwn),
		number("days", "The days.", "datetime.timedelta(hours=30).days # 1", func(d delta) int { return d.days }),
		number("microseconds", "The microseconds besides days and seconds.", "datetime.timedelta(seconds=0.5).microseconds # 500000", func(d delta) int { return d.micros }),
		number("seconds", "The seconds besides days, from 0 to 86399.", "datetime.timedelta(hours=30).seconds # 21600", func(d delta) int { return d.secs }))...,
)
