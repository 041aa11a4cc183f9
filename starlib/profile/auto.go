package profile

import (
	"context"
	"fmt"
	"html"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/advice"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/profiler/whatif"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/symbolic"
	"go.starlark.net/starlark"
)

// maxTries is how many changes what_if=auto tries.
const maxTries = 5

// tries are the changes that stand for what rules of the advice propose. The others have to be
// written into the program.
var tries = map[string]starlark.Tuple{
	"float64-in-float32": {starlark.String("floatX"), starlark.String("float32")},
	"not-optimized":      {starlark.String("optimizer"), starlark.String("fast_run")},
	"one-thread":         {starlark.String("threads"), starlark.MakeInt(0)},
	"go-kernels":         {starlark.String("linker"), starlark.String("c|go")},
	"strided-operand":    {starlark.String("contiguous"), starlark.True},
}

// An attempt is a change to try, with the function that it is of.
type attempt struct {
	f        *symbolic.Function
	change   starlark.Tuple // the keyword and its value
	advice   advice.Advice
	expected float64 // part of the time of the function's calls
	calls    float64 // nanoseconds of one
}

// tryAdvice tries what the advice about the functions of a cell proposes, and shows what came out.
func (s *Session) tryAdvice(ctx context.Context, c *cellProfile, budget time.Duration) {
	attempts, byHand := c.attempts()
	began, id := time.Now(), fmt.Sprintf("what-if-%016x", rand.Uint64())
	var results []*whatif.Result
	for i, a := range attempts {
		text := fmt.Sprintf("what_if: trying %s of %s, %d of %d; an interrupt ends it", changeText(a.change), a.f.Name(), i+1, len(attempts))
		s.Output().Display(map[string]any{"text/plain": units.OneLine(text)}, nil, id, i > 0)
		results = append(results, s.try(ctx, a, budget))
	}
	tries := triesOf(results, byHand, time.Since(began))
	if c.spent != nil {
		c.spent.Tries = tries
	}
	s.Output().Display(triedTable(tries), nil, id, len(attempts) > 0)
}

// attempts are the changes to try, those with the most gain first, and how much of the advice is
// left to the user.
func (c *cellProfile) attempts() (list []attempt, byHand int) {
	all := joined(c.stats, "").Clone()
	steady := all.Steady()
	whole, without := all.Total(), steady.Total()
	longer := 1.0 // as much as the advice counts, which has interruptions in it
	if without.CallTime > 0 {
		longer = whole.CallTime / without.CallTime
	}
	for _, a := range advice.Of(all) {
		change, known := tries[a.Rule.ID]
		f, calls := c.at(steady, a.File, a.Line)
		if !known || f == nil || calls.CallTime <= 0 {
			byHand++
			continue
		}
		part := a.Gain / (longer * calls.CallTime)
		i := slices.IndexFunc(list, func(b attempt) bool { return b.f == f && b.advice.Rule == a.Rule })
		switch {
		case i >= 0: // of another line
			list[i].expected += part
		case len(list) < maxTries:
			list = append(list, attempt{f, change, a, part, calls.CallTime / float64(max(calls.Calls, 1))})
		}
	}
	return list, byHand
}

// at is the function that spent most time on what a line made, with its calls.
func (c *cellProfile) at(stats *profiler.Stats, file string, line int) (found *symbolic.Function, calls *profiler.Function) {
	of := make(map[string]*symbolic.Function)
	for f, r := range c.recorders {
		if r != nil {
			of[f.Compiled.ID] = f
		}
	}
	most := 0.0
	for _, g := range stats.Functions {
		took := 0.0
		for _, n := range g.Nodes {
			for part := range n.Shares() {
				if p := part.Origin.Frame(); p.File == file && p.Line == line {
					took += part.Share * n.Time
				}
			}
		}
		if took > most && of[g.ID] != nil {
			most, found, calls = took, of[g.ID], g
		}
	}
	return found, calls
}

// try measures a change, and says why if it could not.
func (s *Session) try(ctx context.Context, a attempt, budget time.Duration) *whatif.Result {
	r := new(whatif.Result)
	err := s.Protect(ctx, "%%profile", func(*starlark.Thread) error {
		if a.calls*2*whatif.LeastPairs > 10*float64(budget) {
			return fmt.Errorf("a call takes %s: f.what_if(...) takes its time", units.Human(units.Times, a.calls))
		}
		change, err := a.f.ReadChange([]starlark.Tuple{a.change}, session.FlagValue)
		if err != nil {
			return err
		}
		got, err := s.tryChange(a.f, change, nil, budget)
		if err == nil {
			r = got
		}
		return err
	})
	r.Function, r.Change = a.f.Name(), changeText(a.change)
	r.Place, r.Rule, r.Expected = a.advice.Place(), a.advice.Rule.ID, min(a.expected, 1)
	if err != nil {
		r.Failed, _, _ = strings.Cut(err.Error(), "\n")
	}
	return r
}

// changeText is a change as it is written.
func changeText(change starlark.Tuple) string {
	name, _ := starlark.AsString(change[0])
	return name + "=" + change[1].String()
}

// triesOf are results as a profile keeps them.
func triesOf(results []*whatif.Result, byHand int, took time.Duration) *profiler.Tries {
	t := &profiler.Tries{Took: took, ByHand: byHand}
	for _, r := range results {
		x := profiler.Try{Change: r.Change, Function: r.Function, Place: r.Place, Rule: r.Rule, Expected: r.Expected, Verdict: string(r.Verdict())}
		if r.Failed == "" {
			x.Saved, x.Error = r.Saved(), fmt.Sprintf("%.2g", r.Error.Relative)
		} else {
			x.Verdict += ": " + units.Short(units.OneLine(r.Failed), 80)
		}
		t.Changes = append(t.Changes, x)
	}
	return t
}

// triedTable shows tries as text and as a page.
func triedTable(t *profiler.Tries) map[string]any {
	head := fmt.Sprintf("What the advice would bring, by turns in %s; nothing was changed.", units.Human(units.Times, float64(t.Took)))
	if len(t.Changes) == 0 {
		head = "what_if: the advice proposes nothing that can be tried; f.what_if(floatX=\"float32\") tries a change of your own."
	}
	foot := ""
	if t.ByHand > 0 {
		foot = fmt.Sprintf("%s more to be written by hand: see what to do, or p.advice().", units.Plural(int64(t.ByHand), "change"))
	}
	rows := [][]string{{"change", "of", "line", "expected", "measured", "error", "verdict"}}
	for _, x := range t.Changes {
		rows = append(rows, []string{x.Change, units.Short(units.OneLine(x.Function), 40), x.Place, fmt.Sprintf("%.1f %% less time", units.Percent(x.Expected)), x.Saved, x.Error, x.Verdict})
	}
	b := map[string]any{"text/plain": "", "text/html": ""}
	if len(t.Changes) > 0 {
		b = bundleTable(rows, []bool{false, false, false, true, true, true, false})
	}
	page := func(text string) string {
		if text == "" {
			return ""
		}
		return "<p>" + html.EscapeString(text) + "</p>\n"
	}
	b["text/html"] = page(head) + b["text/html"].(string) + page(foot)
	parts := []string{head, b["text/plain"].(string), foot}
	b["text/plain"] = units.Plain(strings.Join(slices.DeleteFunc(parts, func(t string) bool { return t == "" }), "\n"))
	return b
}
