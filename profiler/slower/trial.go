package slower

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/arignote/arignote/profiler/median"
)

// A Trial finds whether a program takes longer than another one by a part of its time. It runs both
// in rounds of four, A B B A or B A A B as it draws by lot, and looks at the quotients of the
// quicker run of each.
//
// If the programs are equally fast, each of the two is as likely to be the slower one of a round,
// whatever the machine does meanwhile: drift, bursts and rare long runs decide how far a quotient
// lies from 1, the lot decides on which side. So the interval of the median, which counts sides
// alone, is wrong as seldom as it says, and a false alarm is rarer than the sum of what is allowed
// at each look, 1 %. That each stands first and last in its round keeps small what is the same in
// all rounds.
type Trial struct {
	Slower float64 // the part of the time that is to be found: 0.05
	Most   int     // rounds; 0: DefaultRounds
	Rand   *rand.Rand
	// Progress, if not nil, is told of each look.
	Progress func(v Verdict)
}

// DefaultRounds is how many rounds there are at most.
const DefaultRounds = 60

// LeastRounds is of how many rounds an interval is known.
const LeastRounds = 12

// falseAlarms is how often equal programs may be called unequal.
const falseAlarms = 0.01

// A State is what was found.
type State string

// The states.
const (
	Slower State = "slower"
	Equal  State = "not slower" // by as much as was asked for
	Unsure State = "not known"  // the machine was too restless for that number of rounds
)

// A Verdict is what was found: B takes Ratio times as long as A, and by all that the rounds
// tell between Lo and Hi.
type Verdict struct {
	State         State
	Ratio, Lo, Hi float64
	Rounds        int
	A, B          time.Duration // the medians
	Runs          int           // of B, where there were no rounds
}

// looks are the numbers of rounds at which the trial may end, each half as many again as the one
// before.
func looks(most int) (list []int) {
	for n := LeastRounds; n < most; n += (n + 1) / 2 {
		list = append(list, n)
	}
	return append(list, max(most, LeastRounds))
}

// Run runs the programs, which return how long they took.
func (t Trial) Run(ctx context.Context, a, b func(context.Context) (time.Duration, error)) (Verdict, error) {
	most := t.Most
	if most <= 0 {
		most = DefaultRounds
	}
	at := looks(most)
	confidence := 1 - falseAlarms/float64(len(at))
	var quotients, first, second []float64
	var v Verdict
	programs := [2]func(context.Context) (time.Duration, error){a, b}
	for _, n := range at {
		for len(quotients) < n {
			var took [2]time.Duration
			order := [4]int{0, 1, 1, 0}
			if t.lot() {
				order = [4]int{1, 0, 0, 1}
			}
			for k, i := range order {
				d, err := programs[i](ctx)
				if err != nil {
					return v, err
				}
				if d = max(d, 1); k < 2 || d < took[i] {
					took[i] = d
				}
			}
			quotients = append(quotients, float64(took[1])/float64(took[0]))
			first, second = append(first, float64(took[0])), append(second, float64(took[1]))
		}
		s := median.Of(quotients, confidence)
		v = Verdict{Ratio: s.Center, Lo: s.Lo, Hi: s.Hi, Rounds: n, A: middle(first), B: middle(second)}
		v.State = t.judge(v)
		if t.Progress != nil {
			t.Progress(v)
		}
		if v.State != Unsure {
			break
		}
	}
	return v, nil
}

// lot reports whether B comes first.
func (t Trial) lot() bool {
	if t.Rand != nil {
		return t.Rand.IntN(2) == 1
	}
	return rand.IntN(2) == 1
}

// judge calls B slower if it certainly is, and more likely by what is to be found than not at all:
// what is slower by less than half of that is let through.
func (t Trial) judge(v Verdict) State {
	switch {
	case v.Lo > 1 && v.Ratio > 1+t.Slower/2:
		return Slower
	case v.Hi < 1+t.Slower:
		return Equal
	}
	return Unsure
}

func middle(ns []float64) time.Duration { return time.Duration(median.Of(ns, 0.5).Center) }

// StoredRuns is how many runs are worth storing.
const StoredRuns = 20

// Stored compares runs with those that were stored at another time, when the machine may have been
// in another mood. The program's times do not tell, so they are only called slower if the
// whole intervals of both medians lie apart by what was asked for, and false alarms have no bound.
func Stored(before, after []time.Duration, slower float64) Verdict {
	of := func(runs []time.Duration) (s median.Interval) {
		var ns []float64
		for _, d := range runs {
			ns = append(ns, float64(d))
		}
		return median.Of(ns, 1-falseAlarms)
	}
	a, b := of(before), of(after)
	v := Verdict{State: Equal, Ratio: b.Center / a.Center, Lo: b.Lo / a.Hi, Hi: b.Hi / a.Lo, Runs: len(after),
		A: time.Duration(a.Center), B: time.Duration(b.Center)}
	switch known := !math.IsInf(a.Lo, 0) && !math.IsInf(a.Hi, 0) && !math.IsInf(b.Lo, 0) && !math.IsInf(b.Hi, 0); {
	case !known:
		v.State = Unsure
	case v.Lo > 1+slower:
		v.State = Slower
	}
	return v
}

// String says what was found in a line.
func (v Verdict) String() string {
	text := fmt.Sprintf("%s: %s, was %s, %+.1f %%", v.State, round(v.B), round(v.A), 100*(v.Ratio-1))
	if !math.IsInf(v.Lo, 0) && !math.IsInf(v.Hi, 0) {
		text += fmt.Sprintf(" (%+.1f to %+.1f %%)", 100*(v.Lo-1), 100*(v.Hi-1))
	}
	if v.Runs > 0 {
		return text + fmt.Sprintf(" in %d runs, against those of another time", v.Runs)
	}
	return text + fmt.Sprintf(" in %d rounds of four runs", v.Rounds)
}

// round leaves four digits of a time.
func round(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 10000 {
		unit *= 10
	}
	return d.Round(unit)
}
