// Package dates is Python's module datetime: dates, times and what lies between them, in the
// proleptic Gregorian calendar. It has no time zones but those with a fixed offset, and no leap
// seconds.
//
//	delta     timedelta            delta.go
//	zone      timezone             zone.go
//	date      date                 date.go
//	clock     time                 clock.go
//	moment    datetime             moment.go, moments.go
//
// strftime writes all of them (format.go), strptime and fromisoformat read them (parse.go, iso.go).
package dates

import (
	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Modules are the modules by name.
var Modules = []*value.Module{value.NewLazyModule("datetime", "Dates and times.", func() []value.Member {
	return []value.Member{
		deltaClass.Member(), zoneClass.Member(), dateClass.Member(), clockClass.Member(), momentClass.Member(),
		rows.Constant("datetime", "MINYEAR", starlark.MakeInt(minYear), "The first year."),
		rows.Constant("datetime", "MAXYEAR", starlark.MakeInt(maxYear), "The last year."),
		rows.Constant("datetime", "UTC", utc, "The time zone of Greenwich, without summer time."),
		tzinfoClass.Member(),
	}
})}

// Types are the tables of the values that the module makes.
func Types() []*value.Methods {
	return []*value.Methods{deltaMethods(), zoneMethods(), dateMethods(), clockMethods(), momentMethods()}
}

// of is the row of a method of a T.
func of[T starlark.Value, A any](name, doc, example string, fn func(x T, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, "import datetime; "+example, func(_ *starlark.Thread, x T, a *A) (starlark.Value, error) { return fn(x, a) })
}

// ofClass is the row of a function of a class.
func ofClass[A any](name, doc, example string, fn func(a *A) (starlark.Value, error)) value.Builtin {
	b := value.Function(name, doc, "import datetime; "+example, func(_ *starlark.Thread, a *A) (starlark.Value, error) { return fn(a) })
	b.OfType = true
	return b
}

// number is the row of an attribute that is an int.
func number[T starlark.Value](name, doc, example string, get func(x T) int) value.Field {
	return value.FieldOf(name, doc, "import datetime; "+example, func(x T) starlark.Value { return starlark.MakeInt(get(x)) })
}

func wrong(format string, args ...any) error { return value.Failure("ValueError", format, args...) }

func typeError(format string, args ...any) error { return value.Failure("TypeError", format, args...) }

func overflow() error { return value.Failure("OverflowError", "date value out of range") }
