package starlib

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/lib/json"
	starlarkmath "go.starlark.net/lib/math"
	starlarktime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// The modules math, json and time: Starlark's libraries, documented, with what Python
// users expect of time added.

var mathModule = library("math", "Functions of numbers. For arrays use np, for symbols T.", starlarkmath.Module, []string{
	"acos(x) Arc cosine, in radians.", "acosh(x) Inverse hyperbolic cosine.", "asin(x) Arc sine, in radians.",
	"asinh(x) Inverse hyperbolic sine.", "atan(x) Arc tangent, in radians.",
	"atan2(y, x) Angle of the point (x, y), between -pi and pi.",
	"atanh(x) Inverse hyperbolic tangent.", "ceil(x) Smallest integer not below x.", "copysign(x, y) Size of x with the sign of y.",
	"cos(x) Cosine of x radians.", "cosh(x) Hyperbolic cosine.", "degrees(x) Radians to degrees.", "exp(x) e to the power x.",
	"fabs(x) Absolute value, as a float.", "floor(x) Largest integer not above x.", "gamma(x) Gamma function.",
	"hypot(x, y) sqrt(x*x + y*y) without overflow.", "log(x, base=e) Logarithm.", "mod(x, y) Remainder of x/y with the sign of x.",
	"pow(x, y) x to the power y.", "radians(x) Degrees to radians.",
	"remainder(x, y) Remainder of x divided by y to the nearest integer.",
	"round(x) Nearest integer, as a float; ties away from zero.", "sin(x) Sine of x radians.", "sinh(x) Hyperbolic sine.",
	"sqrt(x) Square root.", "tan(x) Tangent of x radians.", "tanh(x) Hyperbolic tangent.",
},
	value.Member{Name: "e", Value: starlark.Float(math.E), Doc: "Base of the natural logarithm."},
	value.Member{Name: "pi", Value: starlark.Float(math.Pi), Doc: "Circumference of a circle of diameter 1."},
	value.Member{Name: "inf", Value: starlark.Float(math.Inf(1)), Doc: "Infinity."},
	value.Member{Name: "nan", Value: starlark.Float(math.NaN()), Doc: "Not a number."},
)

var jsonModule = library("json", "JSON text.", json.Module, []string{
	"encode(x) JSON text of a value.", "decode(x, default=None) The value of JSON text.",
	`indent(s, prefix="", indent="\t") JSON text laid out in lines.`,
	`encode_indent(x, prefix="", indent="\t") JSON text of a value, laid out in lines.`,
},
	value.Member{Name: "dumps", Value: renamed(json.Module, "encode", "dumps(x) JSON text of a value.")},
	value.Member{Name: "loads", Value: renamed(json.Module, "decode", "loads(x) The value of JSON text.")},
)

// began is the origin of time.perf_counter.
var began = time.Now()

var timeModule = library("time", "The clock.", starlarktime.Module, []string{
	"from_timestamp(sec, nsec=0) Time from seconds since 1970.", "is_valid_timezone(loc) True if the zone is known.",
	"now() The time, as a value with year, month, ..., format(layout).", "parse_duration(d) Duration from text such as \"1h30m\".",
	`parse_time(x, format="2006-01-02T15:04:05Z07:00", location="UTC") Time from text.`,
},
	value.Member{Name: "time", Value: clock("time", "Seconds since 1970, as a float.", func() starlark.Value {
		return starlark.Float(float64(time.Now().UnixNano()) / 1e9)
	})},
	value.Member{Name: "perf_counter",
		Value: clock("perf_counter", "Seconds since some moment, as a float, for measuring.", func() starlark.Value {
			return starlark.Float(time.Since(began).Seconds())
		})},
	value.Member{Name: "perf_counter_ns",
		Value: clock("perf_counter_ns", "Nanoseconds since some moment, for measuring.", func() starlark.Value {
			return starlark.MakeInt64(time.Since(began).Nanoseconds())
		})},
	value.Member{Name: "monotonic",
		Value: clock("monotonic", "Seconds since some moment, as a float; never goes back.", func() starlark.Value {
			return starlark.Float(time.Since(began).Seconds())
		})},
	value.Member{Name: "sleep", Value: sleepBuiltin.Value()},
	value.Member{Name: "nanosecond", Value: starlarktime.Duration(time.Nanosecond), Doc: "A duration."},
	value.Member{Name: "microsecond", Value: starlarktime.Duration(time.Microsecond), Doc: "A duration."},
	value.Member{Name: "millisecond", Value: starlarktime.Duration(time.Millisecond), Doc: "A duration."},
	value.Member{Name: "second", Value: starlarktime.Duration(time.Second), Doc: "A duration."},
	value.Member{Name: "minute", Value: starlarktime.Duration(time.Minute), Doc: "A duration."},
	value.Member{Name: "hour", Value: starlarktime.Duration(time.Hour), Doc: "A duration."},
)

var sleepBuiltin = &value.Builtin{Name: "sleep", Params: []value.Param{{Name: "seconds", Doc: "a number, or a duration"}},
	Doc: "Waits. An interrupt ends it.",
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var v starlark.Value
		if err := b.Unpack(args, kwargs, &v); err != nil {
			return nil, err
		}
		var d time.Duration
		if x, ok := v.(starlarktime.Duration); ok {
			d = time.Duration(x)
		} else {
			sec, ok := starlark.AsFloat(v)
			if !ok {
				return nil, fmt.Errorf("sleep: for parameter seconds: got %s, want a number or duration", v.Type())
			}
			d = time.Duration(min(max(sec, 0), math.MaxInt64/1e9-1) * 1e9)
		}
		ctx := ContextOf(thread)
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return starlark.None, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}

func clock(name, doc string, now func() starlark.Value) starlark.Value {
	return (&value.Builtin{Name: name, Doc: doc,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			return now(), nil
		}}).Value()
}

// library makes a Module of the functions of a Starlark library. Each is documented
// by a line "name(parameters) documentation".
func library(name, doc string, lib *starlarkstruct.Module, docs []string, more ...value.Member) *value.Module {
	members := slices.Clone(more)
	for _, d := range docs {
		fn, _, _ := strings.Cut(d, "(")
		members = append(members, value.Member{Name: fn, Value: renamed(lib, fn, d)})
	}
	return value.NewModule(name, doc, members...)
}

// renamed wraps a function of a Starlark library as a Builtin, under the name in doc.
func renamed(lib *starlarkstruct.Module, fn, doc string) starlark.Value {
	b := value.ParseDoc(doc)
	f := lib.Members[fn].(*starlark.Builtin)
	b.Fn = func(thread *starlark.Thread, _ *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return f.CallInternal(thread, args, kwargs)
	}
	return b.Value()
}
