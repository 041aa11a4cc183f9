package profile

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler/whatif"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// whatIfBuiltin is f.what_if(...).
var whatIfBuiltin = value.Builtin{Name: "what_if", Params: []value.Param{
	{Name: "inputs", Default: "None", Doc: "values for the arguments of a call: a list, or a dict by their names; None takes those of one of the last calls"},
	{Name: "seconds", Default: "1.0", Doc: "about how long it measures; no fewer than 8 pairs of calls"},
	{Name: "**change", Doc: "what changes: floatX=\"float32\", fusion=False, inplace=False, including=\"...\" or excluding=\"...\" (names of rewrites), mode=..., linker=..., optimizer=..., contiguous=True (inputs in C order), " +
		"replace={old: new} (expressions), or any flag of the config, as threads=1 or section__flag=..."},
}, Doc: "What a change would bring: compiles the function once more with it, compares the results, and measures both by turns on the same inputs. The session stays as it is, " +
	"shared variables too. A gain that may be chance is told as none.",
	Example: `x = T.vector("x")` + "\n" + `f = function([x], T.exp(x) * 2)` + "\nf([1.0])\n" + `f.what_if(fusion=False, seconds=0.01).ok # True`, Fn: whatIf}

// Functions of package symbolic have it, which know how to compile and not how to tell.
var _ = symbolic.FunctionMethods.Adding(whatIfBuiltin)

func whatIf(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var inputs, seconds starlark.Value
	var change *slot.Dict
	limit := 1.0
	if err := b.Unpack(args, kwargs, &inputs, &seconds, &change); err != nil {
		return nil, err
	}
	if seconds != nil {
		var ok bool
		if limit, ok = starlark.AsFloat(value.Plain(seconds)); !ok {
			return nil, object.NewError(object.TypeError, fmt.Sprintf("what_if: seconds: got %s, want a number", seconds.Type()))
		}
	}
	if !(limit > 0 && limit <= 86400) {
		return nil, object.NewError(object.ValueError, fmt.Sprintf("what_if: seconds: got %v, want a number above 0 and up to a day", limit))
	}
	var keywords []starlark.Tuple
	if change != nil {
		keywords = change.Items()
	}
	if len(keywords) == 0 {
		return nil, object.NewError(object.TypeError, "what_if: got nothing that changes, want one of "+strings.Join(symbolic.Changes(), ", ")+", or a flag of the config: f.what_if(floatX=\"float32\")")
	}
	s, f := SessionOf(thread), b.Receiver().(*symbolic.Function)
	c, err := f.ReadChange(keywords, session.FlagValue)
	if err != nil {
		return nil, s.whatIfError(err)
	}
	r, err := s.tryChange(f, c, inputs, time.Duration(limit*float64(time.Second)))
	if err != nil {
		return nil, s.whatIfError(err)
	}
	return &profileRow{whatIfRows, r}, nil
}

// whatIfError says of which call an error is, unless it has the place of an operation or was raised
// by the program.
func (s *Session) whatIfError(err error) error {
	var located *graph.Error
	if s.Interrupted() != nil || errors.As(err, &located) || object.RaisedBy(err) != nil {
		return err
	}
	return fmt.Errorf("what_if: %w", err)
}

// tryChange measures a change of a function.
func (s *Session) tryChange(f *symbolic.Function, c *symbolic.Change, inputs starlark.Value, budget time.Duration) (*whatif.Result, error) {
	r := &whatif.Result{Function: f.Name(), Change: c.String(), Expected: math.NaN()}
	var before, after *symbolic.Variant
	free := func() {
		before.Free()
		after.Free()
	}
	defer func() { free() }()
	sides := func() (a, b whatif.Run, err error) {
		free()
		if before, after, r.Inputs, err = f.Variants(c, inputs); err != nil {
			return nil, nil, err
		}
		r.Same = before.Same(after)
		r.Error, err = before.Apart(after)
		return before.Run, after.Run, err
	}
	t, err := whatif.Measure(sides, budget)
	if err != nil {
		return nil, err
	}
	r.Gain, r.Pairs, r.Before, r.After = t.Gain(), len(t.Before), whatif.Median(t.Before), whatif.Median(t.After)
	return r, nil
}

const whatIfExample = `function([], T.constant(2.0) + shared(1.0)).what_if(fusion=False, seconds=0.01)`

// whatIfRows are results of what_if.
var whatIfRows = newSayingKind(func(x any) string { return x.(*whatif.Result).String() }, "WhatIf", whatIfExample, append([]rowColumn{
	column("change", "What changes, as it is written.", ` # "fusion=False"`, func(r *whatif.Result) starlark.Value { return starlark.String(r.Change) }, asText),
	column("function", "The name of the function.", ` != "" # True`, func(r *whatif.Result) starlark.Value { return starlark.String(r.Function) }, asText)},
	append(alignRight(
		column("gain", "The part of the time of a call that it saves: 0.25 of one that takes three quarters; less than 0 if it takes longer.", " < 1 # True",
			func(r *whatif.Result) starlark.Value { return starlark.Float(r.Gain.Part) }, asPart),
		column("low", "The least that gain is in 19 of 20 measurements.", " < 1 # True", func(r *whatif.Result) starlark.Value { return starlark.Float(r.Gain.Low) }, asPart),
		column("high", "The most.", " <= 1 # True", func(r *whatif.Result) starlark.Value { return starlark.Float(r.Gain.High) }, asPart),
		column("before", "Seconds that a call takes: the median.", " > 0 # True", func(r *whatif.Result) starlark.Value { return seconds(r.Before) }, asTime),
		column("after", "Seconds with the change.", " > 0 # True", func(r *whatif.Result) starlark.Value { return seconds(r.After) }, asTime),
		column("error", "How far the results are from what they were, as a part of the largest element of an output or an updated shared variable.", " # 0.0",
			func(r *whatif.Result) starlark.Value { return starlark.Float(r.Error.Relative) }, asError),
		column("absolute_error", "The most that an element is from what it was.", " # 0.0", func(r *whatif.Result) starlark.Value { return starlark.Float(r.Error.Absolute) }, asError)),
		column("verdict", `"faster", "slower", "noise" where chance explains the difference, "other results" where rounding does not explain the error.`, ` in ["noise", "faster", "slower"] # True`,
			func(r *whatif.Result) starlark.Value { return starlark.String(r.Verdict()) }, asText),
		column("ok", "Whether rounding explains the error.", " # True", func(r *whatif.Result) starlark.Value { return starlark.Bool(r.Failed == "" && r.Error.Agrees()) }, asText),
		alone(column("pairs", "How often both were measured, one after the other.", " >= 8 # True", func(r *whatif.Result) starlark.Value { return starlark.MakeInt(r.Pairs) }, asCount)),
		alone(column("inputs", "Where the inputs are from; None if there are none.", " == None # True", func(r *whatif.Result) starlark.Value { return textOrNone(r.Inputs) }, asText)),
		alone(column("text", "What came out, in sentences.", ` != "" # True`, func(r *whatif.Result) starlark.Value { return starlark.String(r.String()) }, asText)))...)...)

// How columns of what_if show their values.
var (
	asPart = func(v starlark.Value) string {
		part, _ := starlark.AsFloat(v)
		return fmt.Sprintf("%.1f %%", 100*part)
	}
	asError = func(v starlark.Value) string {
		e, _ := starlark.AsFloat(v)
		return fmt.Sprintf("%.2g", e)
	}
)
