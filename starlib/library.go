package starlib

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

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
	Member{"e", starlark.Float(math.E), "Base of the natural logarithm."},
	Member{"pi", starlark.Float(math.Pi), "Circumference of a circle of diameter 1."},
	Member{"inf", starlark.Float(math.Inf(1)), "Infinity."},
	Member{"nan", starlark.Float(math.NaN()), "Not a number."},
)

var jsonModule = library("json", "JSON text.", json.Module, []string{
	"encode(x) JSON text of a value.", "decode(x, default=None) The value of JSON text.",
	`indent(s, prefix="", indent="\t") JSON text laid out in lines.`,
	`encode_indent(x, prefix="", indent="\t") JSON text of a value, laid out in lines.`,
},
	Member{Name: "dumps", Value: renamed(json.Module, "encode", "dumps(x) JSON text of a value.")},
	Member{Name: "loads", Value: renamed(json.Module, "decode", "loads(x) The value of JSON text.")},
)

// began is the origin of time.perf_counter.
var began = time.Now()

var timeModule = library("time", "The clock.", starlarktime.Module, []string{
	"from_timestamp(sec, nsec=0) Time from seconds since 1970.", "is_valid_timezone(loc) True if the zone is known.",
	"now() The time, as a value with year, month, ..., format(layout).", "parse_duration(d) Duration from text such as \"1h30m\".",
	`parse_time(x, format="2006-01-02T15:04:05Z07:00", location="UTC") Time from text.`,
},
	Member{Name: "time", Value: clock("time", "Seconds since 1970, as a float.", func() starlark.Value {
		return starlark.Float(float64(time.Now().UnixNano()) / 1e9)
	})},
	Member{Name: "perf_counter",
		Value: clock("perf_counter", "Seconds since some moment, as a float, for measuring.", func() starlark.Value {
			return starlark.Float(time.Since(began).Seconds())
		})},
	Member{Name: "perf_counter_ns",
		Value: clock("perf_counter_ns", "Nanoseconds since some moment, for measuring.", func() starlark.Value {
			return starlark.MakeInt64(time.Since(began).Nanoseconds())
		})},
	Member{Name: "monotonic",
		Value: clock("monotonic", "Seconds since some moment, as a float; never goes back.", func() starlark.Value {
			return starlark.Float(time.Since(began).Seconds())
		})},
	Member{Name: "sleep", Value: sleepBuiltin.Value()},
	Member{"nanosecond", starlarktime.Duration(time.Nanosecond), "A duration."},
	Member{"microsecond", starlarktime.Duration(time.Microsecond), "A duration."},
	Member{"millisecond", starlarktime.Duration(time.Millisecond), "A duration."},
	Member{"second", starlarktime.Duration(time.Second), "A duration."},
	Member{"minute", starlarktime.Duration(time.Minute), "A duration."},
	Member{"hour", starlarktime.Duration(time.Hour), "A duration."},
)

var sleepBuiltin = &Builtin{Name: "sleep", Params: []Param{{Name: "seconds", Doc: "a number, or a duration"}},
	Doc: "Waits. An interrupt ends it.",
	Fn: func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
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
	return (&Builtin{Name: name, Doc: doc,
		Fn: func(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			return now(), nil
		}}).Value()
}

// library makes a Module of the functions of a Starlark library. Each is documented
// by a line "name(parameters) documentation".
func library(name, doc string, lib *starlarkstruct.Module, docs []string, more ...Member) *Module {
	members := slices.Clone(more)
	for _, d := range docs {
		fn, _, _ := strings.Cut(d, "(")
		members = append(members, Member{Name: fn, Value: renamed(lib, fn, d)})
	}
	return NewModule(name, doc, members...)
}

// renamed wraps a function of a Starlark library as a Builtin, under the name in doc.
func renamed(lib *starlarkstruct.Module, fn, doc string) starlark.Value {
	b := parseDoc(doc)
	f := lib.Members[fn].(*starlark.Builtin)
	b.Fn = func(thread *starlark.Thread, _ *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return f.CallInternal(thread, args, kwargs)
	}
	return b.Value()
}

// parseDoc reads "name(a, b=1) documentation" into a Builtin without function.
func parseDoc(line string) *Builtin {
	name, rest, _ := strings.Cut(line, "(")
	params, doc, _ := strings.Cut(rest, ") ")
	b := &Builtin{Name: name, Doc: doc}
	for p := range strings.SplitSeq(params, ", ") {
		if p != "" {
			b.Params = append(b.Params, parseParam(p))
		}
	}
	return b
}

// parseParam reads "name=default: documentation".
func parseParam(text string) Param {
	decl, doc, _ := strings.Cut(text, ": ")
	name, value, _ := strings.Cut(strings.TrimSuffix(decl, ":"), "=")
	return Param{Name: name, Default: value, Doc: doc}
}
