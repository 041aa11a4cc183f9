package dates

import (
	"fmt"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A zone is a time zone with a fixed offset.
type zone struct {
	offset delta
	name   string
}

var utc = &zone{}

var (
	_ value.Comparer = (*zone)(nil)
	_ value.Strer    = (*zone)(nil)
	_ value.Classed  = (*zone)(nil)
)

func (z *zone) Type() string                             { return "datetime.timezone" }
func (z *zone) Freeze()                                  {}
func (z *zone) Truth() starlark.Bool                     { return true }
func (z *zone) Hash() (uint32, error)                    { return z.offset.Hash() }
func (z *zone) Table() *value.Methods                    { return zoneMethods() }
func (z *zone) Attr(name string) (starlark.Value, error) { return zoneMethods().Attr(z, name) }
func (z *zone) AttrNames() []string                      { return zoneMethods().Names() }
func (z *zone) Class() starlark.Value                    { return zoneType() }

// micros is the offset.
func (z *zone) micros() int { return (z.offset.days*86400+z.offset.secs)*second + z.offset.micros }

// Str is the name.
func (z *zone) Str() string {
	switch {
	case z.name != "":
		return z.name
	case z.micros() == 0:
		return "UTC"
	}
	return "UTC" + z.text(":")
}

// text is the offset as +hh:mm.
func (z *zone) text(colon string) string {
	n, sign := z.micros(), "+"
	if n < 0 {
		n, sign = -n, "-"
	}
	text := fmt.Sprintf("%s%02d%s%02d", sign, n/hour, colon, n/minute%60)
	if n%minute != 0 {
		text += fmt.Sprintf("%s%02d", colon, n/second%60)
	}
	if n%second != 0 {
		text += fmt.Sprintf(".%06d", n%second)
	}
	return text
}

func (z *zone) String() string {
	switch {
	case z.name != "":
		return fmt.Sprintf("datetime.timezone(%s, %s)", z.offset, value.Repr(starlark.String(z.name)))
	case z.micros() == 0:
		return "datetime.timezone.utc"
	}
	return fmt.Sprintf("datetime.timezone(%s)", z.offset)
}

// CompareBy says whether two zones have the same offset.
func (z *zone) CompareBy(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	other, ok := y.(*zone)
	if !ok || op != syntax.EQL && op != syntax.NEQ {
		return incomparable(op, z, y)
	}
	return starlark.Bool((z.offset == other.offset) == (op == syntax.EQL)), nil
}

// CompareSameType is CompareBy in what holds them.
func (z *zone) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	v, err := z.CompareBy(op, y, starlark.Left)
	return v == starlark.True, err
}

func zoneType() *rows.Type { return zoneClass }

// readZone is the zone of an argument, nil for None.
func readZone(v starlark.Value) (*zone, error) {
	switch z := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil
	case *zone:
		return z, nil
	}
	return nil, typeError("tzinfo argument must be None or of a tzinfo subclass, not type '%s': datetime.timezone is the one that there is", value.TypeName(v))
}

// zoned is a zone as a value.
func zoned(z *zone) starlark.Value {
	if z == nil {
		return starlark.None
	}
	return z
}

var zoneClass = rows.NewType("datetime.timezone", value.Function("timezone", "A time zone with a fixed offset.", `print(datetime.timezone(datetime.timedelta(hours=2))) # UTC+02:00`,
	func(_ *starlark.Thread, a *struct {
		Offset starlark.Value `arg:"offset: a timedelta"`
		Name   string         `arg:"name=\"\": its name"`
	}) (starlark.Value, error) {
		d, ok := a.Offset.(delta)
		if !ok {
			return nil, typeError("timezone() argument 1 must be datetime.timedelta, not %s", value.TypeName(a.Offset))
		}
		return newZone(d, a.Name)
	}), func() *value.Methods { return zoneMethods() }, zoneOwn)

var zoneOwn = []value.Member{{Name: "utc", Value: utc, Doc: "That of Greenwich, without summer time."}}

var tzinfoClass = rows.NewType("datetime.tzinfo", value.Function("tzinfo", "The class of time zones, of which timezone is the only one.", `isinstance(datetime.timezone.utc, datetime.tzinfo) # True`,
	func(*starlark.Thread, *rows.None) (starlark.Value, error) {
		return nil, value.Failure("NotImplementedError", "a tzinfo subclass must implement utcoffset(): use datetime.timezone(datetime.timedelta(hours=1))")
	}), func() *value.Methods { return zoneMethods() }, nil, "datetime.timezone")

func newZone(d delta, name string) (*zone, error) {
	z := &zone{d, name}
	if d.days < -1 || d.days > 0 || d == (delta{days: -1}) {
		return nil, wrong("offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), not %s", d)
	}
	return z, nil
}

type momentArg struct {
	Moment starlark.Value `arg:"dt=None: a datetime, without effect"`
}

// zoneRows are the methods that ask for a zone.
func zoneRows[T interface {
	starlark.Value
	of() *zone
}](x string) []value.Builtin {
	return []value.Builtin{
		of("dst", "None: no zone here knows summer time.", "print("+x+".dst()) # None", func(t T, _ *momentArg) (starlark.Value, error) { return starlark.None, nil }),
		of("tzname", "The name of its time zone, None if it has none.", "print("+x+".tzname()) # None", func(t T, _ *momentArg) (starlark.Value, error) {
			if z := t.of(); z != nil {
				return starlark.String(z.Str()), nil
			}
			return starlark.None, nil
		}),
		of("utcoffset", "The offset of its time zone as a timedelta, None if it has none.", "print("+x+".utcoffset()) # None", func(t T, _ *momentArg) (starlark.Value, error) {
			if z := t.of(); z != nil {
				return z.offset, nil
			}
			return starlark.None, nil
		}),
	}
}

var zoneMethods = rows.Lazily("datetime.timezone", func() []value.Builtin {
	return []value.Builtin{
		of("dst", "None: no zone here knows summer time.", "print(datetime.timezone.utc.dst(None)) # None", func(_ *zone, _ *momentArg) (starlark.Value, error) { return starlark.None, nil }),
		of("tzname", "Its name.", `datetime.timezone.utc.tzname(None) # "UTC"`, func(z *zone, _ *momentArg) (starlark.Value, error) { return starlark.String(z.Str()), nil }),
		of("utcoffset", "Its offset.", "datetime.timezone.utc.utcoffset(None) # datetime.timedelta(0)", func(z *zone, _ *momentArg) (starlark.Value, error) { return z.offset, nil }),
	}
}, rows.Fields("datetime.timezone", zoneOwn)...)
