package library

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/arignote/arignote/starlib/value"
	starlarktime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// began is the origin of time.perf_counter.
var began = time.Now()

// Time is Starlark's library, with what Python users expect of time added.
var Time = value.NewModule("time", "The clock.", append(value.Builtins(timeTable),
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
	value.Member{Name: "clock", // CPython had it until 3.7, and programs that measure have it
		Value: clock("clock", "Seconds since some moment, as a float: perf_counter, under the name that it had in Python 2.", func() starlark.Value {
			return starlark.Float(time.Since(began).Seconds())
		})},
	value.Member{Name: "monotonic",
		Value: clock("monotonic", "Seconds since some moment, as a float; never goes back.", func() starlark.Value {
			return starlark.Float(time.Since(began).Seconds())
		})},
	value.Member{Name: "monotonic_ns",
		Value: clock("monotonic_ns", "Nanoseconds since some moment; never goes back.", func() starlark.Value {
			return starlark.MakeInt64(time.Since(began).Nanoseconds())
		})},
	value.Member{Name: "time_ns", Value: clock("time_ns", "Nanoseconds since 1970.", func() starlark.Value {
		return starlark.MakeInt64(time.Now().UnixNano())
	})},
	value.Member{Name: "process_time", Value: clock("process_time", "Seconds that processors have worked for this process, as a float.", func() starlark.Value {
		return starlark.Float(worked().Seconds())
	})},
	value.Member{Name: "process_time_ns", Value: clock("process_time_ns", "Nanoseconds that processors have worked for this process.", func() starlark.Value {
		return starlark.MakeInt64(worked().Nanoseconds())
	})},
	value.Member{Name: "sleep", Value: sleepBuiltin.Value()},
	value.Member{Name: "nanosecond", Value: starlarktime.Duration(time.Nanosecond), Doc: "One nanosecond, as a duration."},
	value.Member{Name: "microsecond", Value: starlarktime.Duration(time.Microsecond), Doc: "One microsecond, as a duration."},
	value.Member{Name: "millisecond", Value: starlarktime.Duration(time.Millisecond), Doc: "One millisecond, as a duration."},
	value.Member{Name: "second", Value: starlarktime.Duration(time.Second), Doc: "One second, as a duration."},
	value.Member{Name: "minute", Value: starlarktime.Duration(time.Minute), Doc: "One minute, as a duration."},
	value.Member{Name: "hour", Value: starlarktime.Duration(time.Hour), Doc: "One hour, as a duration."},
)...)

// worked is the processors' time of the process; where the system does not tell it, its age.
func worked() time.Duration {
	if user, sys, ok := ProcessorTime(); ok {
		return user + sys
	}
	return time.Since(began)
}

var sleepBuiltin = &value.Builtin{Name: "sleep", Params: []value.Param{{Name: "seconds", Doc: "a number, or a duration"}},
	Doc: "Waits. An interrupt ends it.", Example: "time.sleep(0.001)",
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var v starlark.Value
		if err := b.Unpack(args, kwargs, &v); err != nil {
			return nil, err
		}
		var d time.Duration
		if x, ok := v.(starlarktime.Duration); ok {
			d = time.Duration(x)
		} else {
			sec, ok := starlark.AsFloat(value.Plain(v))
			if !ok {
				return nil, fmt.Errorf("sleep: for parameter seconds: got %s, want a number or duration", v.Type())
			}
			d = time.Duration(min(max(sec, 0), math.MaxInt64/1e9-1) * 1e9)
		}
		ctx := value.HostOf(thread).Context()
		timer := time.NewTimer(d)
		defer timer.Stop()
		visitors := time.NewTicker(5 * time.Millisecond)
		defer visitors.Stop()
		for {
			select {
			case <-timer.C:
				return starlark.None, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-visitors.C:
				value.Heed(thread)
			}
		}
	}}

func clock(name, doc string, now func() starlark.Value) starlark.Value {
	return (&value.Builtin{Name: name, Doc: doc, Example: "time." + name + "() > 0 # True",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			return now(), nil
		}}).Value()
}

// library is the row of a function of a library of Starlark's, which may have another name there.
// Each parameter is written "name=default: documentation".
func library(lib *starlarkstruct.Module, fn string, name, doc, example string, params ...string) value.Builtin {
	f := lib.Members[fn].(*starlark.Builtin)
	return value.Row(name, doc, example,
		func(thread *starlark.Thread, _ *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			n := 0
			if len(args) > 0 {
				n = value.TextBytes(args[0])
			}
			v, err := value.Beside(thread, n, func() (starlark.Value, error) { return f.CallInternal(thread, args, kwargs) })
			if err != nil && fn != name {
				err = errors.New(strings.Replace(err.Error(), fn+":", name+":", 1))
			}
			return v, err
		}, params...)
}

// DurationFields and TimeFields document what values of Starlark's library have.
var (
	DurationFields = value.NewMethods("time.duration", nil).With(theirFields("time.parse_duration(\"90s\").",
		"hours: The duration in hours.: 0.025", "minutes: The duration in minutes.: 1.5", "seconds: The duration in seconds.: 90.0",
		"milliseconds: The duration in whole milliseconds.: 90000", "microseconds: The duration in whole microseconds.: 90000000",
		"nanoseconds: The duration in nanoseconds.: 90000000000")...)
	TimeFields = value.NewMethods("time.time", []value.Builtin{
		value.Row("format", "The time as text.", `time.from_timestamp(0).in_location("UTC").format("2006-01-02") # "1970-01-01"`, nil,
			"layout: how it writes the time 2006-01-02 15:04:05"),
		value.Row("in_location", "The time in another zone.", `time.from_timestamp(0).in_location("UTC").hour # 0`, nil, "loc: name of a zone"),
	}).With(theirFields("time.parse_time(\"2024-05-06T07:08:09Z\").",
		"year: The year.: 2024", "month: The month.: 5", "day: The day of the month.: 6", "hour: The hour.: 7", "minute: The minute.: 8",
		"second: The second.: 9", "nanosecond: The nanosecond in the second.: 0", "unix: Seconds since 1970.: 1714979289",
		"unix_nano: Nanoseconds since 1970.: 1714979289000000000")...)
)

// theirFields are rows, written "name: documentation: result", of attributes that a type has of
// itself.
func theirFields(of string, rows ...string) []value.Field {
	var fields []value.Field
	for _, r := range rows {
		part := strings.Split(r, ": ")
		fields = append(fields, value.Field{Name: part[0], Doc: part[1], Example: of + part[0] + " # " + part[2]})
	}
	return fields
}
