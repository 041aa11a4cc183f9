package slower

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A machine runs programs as a busy one does: it drifts, is busy for a while now and then, and
// holds up a run for long.
type machine struct {
	r            *rand.Rand
	jitter       float64 // of a run
	drift        float64 // a run
	held         float64 // how often a run is held up
	begins, ends float64 // of bursts, a run
	mood         float64
	burst        float64 // how much longer runs take now
	periodic     float64 // of every second run
	runs         int
}

func (m *machine) run(of float64) func(context.Context) (time.Duration, error) {
	return func(context.Context) (time.Duration, error) {
		m.runs++
		m.mood += m.drift * m.r.NormFloat64()
		if m.burst == 0 && m.r.Float64() < m.begins {
			m.burst = 0.1 + m.r.ExpFloat64()/2
		} else if m.burst > 0 && m.r.Float64() < m.ends {
			m.burst = 0
		}
		log := m.mood + m.jitter*m.r.NormFloat64() + m.periodic*float64(m.runs%2)
		if m.burst > 0 {
			log += m.burst * m.r.Float64()
		}
		if m.r.Float64() < m.held { // Pareto, without a mean
			log += math.Log1p(0.05 / m.r.Float64())
		}
		return time.Duration(1e9 * of * math.Exp(log)), nil
	}
}

// machines are moods of machines.
var machines = map[string]machine{
	"quiet":        {jitter: 0.01},
	"busy":         {jitter: 0.03, drift: 0.01, held: 0.1, begins: 0.02, ends: 0.1},
	"restless":     {jitter: 0.05, drift: 0.02, held: 0.2, begins: 0.05, ends: 0.1},
	"in a storm":   {jitter: 0.5, drift: 0.1, held: 0.3, begins: 0.2, ends: 0.2},
	"every second": {jitter: 0.02, periodic: 0.1, held: 0.05},
}

// found counts the trials that end in each state, of a program that takes ratio times as long, and
// their rounds, on average.
func found(of machine, trials int, ratio float64) (states map[State]int, rounds float64) {
	states = make(map[State]int)
	for seed := range trials {
		m := of
		m.r = rand.New(rand.NewPCG(uint64(seed), uint64(1000*ratio)))
		v, err := Trial{Slower: 0.05, Rand: m.r}.Run(context.Background(), m.run(1), m.run(ratio))
		if err != nil {
			panic(err)
		}
		states[v.State]++
		rounds += float64(v.Rounds) / float64(trials)
	}
	return states, rounds
}

// TestTrial: of equal programs fewer than 1 % are called slower on any machine, and of those that
// are 5 % slower 95 % are found: where the machine is so restless that rounds do not suffice, that
// is said.
func TestTrial(t *testing.T) {
	const trials = 1000
	for name, m := range machines {
		same, n := found(m, trials, 1)
		t.Logf("%s: equal: %v, %.0f rounds", name, same, n)
		if same[Slower] >= trials/100 {
			t.Errorf("%s: %d false alarms of %d", name, same[Slower], trials)
		}
		slow, n := found(m, trials, 1.05)
		t.Logf("%s: 5 %% slower: %v, %.0f rounds", name, slow, n)
		if slow[Equal] > trials*5/100 || name != "restless" && name != "in a storm" && slow[Slower] < trials*95/100 {
			t.Errorf("%s: a slowdown of 5 %% was found in %d of %d, and missed in %d", name, slow[Slower], trials, slow[Equal])
		}
		quick, _ := found(m, trials/10, 0.9)
		if quick[Slower] > trials/1000 {
			t.Errorf("%s: %d of those that are quicker are called slower", name, quick[Slower])
		}
	}
}

// TestTrialEnds: programs that fail end it, and so do as many rounds as were asked for.
func TestTrialEnds(t *testing.T) {
	failed := errors.New("it failed")
	ok := func(context.Context) (time.Duration, error) { return time.Second, nil }
	_, err := Trial{Slower: 0.05}.Run(context.Background(), ok, func(context.Context) (time.Duration, error) { return 0, failed })
	if err != failed {
		t.Errorf("got %v, want the program's error", err)
	}
	m := machine{r: rand.New(rand.NewPCG(1, 2)), jitter: 2}
	v, err := Trial{Slower: 0.05, Most: 20, Rand: m.r}.Run(context.Background(), m.run(1), m.run(1))
	if err != nil || v.Rounds != 20 || v.State != Unsure {
		t.Errorf("got %v, %v, want 20 rounds that do not suffice", v, err)
	}
	v, err = Trial{Slower: 0.05}.Run(context.Background(), ok, func(context.Context) (time.Duration, error) { return 1100 * time.Millisecond, nil })
	if want := "slower: 1.1s, was 1s, +10.0 % (+10.0 to +10.0 %) in 12 rounds of four runs"; err != nil || v.String() != want {
		t.Errorf("got %v, %v, want %s", v, err, want)
	}
}

// TestStored: runs of another time are compared with more caution, and few are no measure.
func TestStored(t *testing.T) {
	runs := func(of float64, n int) (list []time.Duration) {
		m := machine{r: rand.New(rand.NewPCG(3, uint64(1000*of))), jitter: 0.01}
		for range n {
			d, _ := m.run(of)(context.Background())
			list = append(list, d)
		}
		return list
	}
	for _, c := range []struct {
		ratio float64
		n     int
		want  State
	}{{1, 20, Equal}, {1.02, 20, Equal}, {1.2, 20, Slower}, {0.8, 20, Equal}, {1.2, 3, Unsure}} {
		if v := Stored(runs(1, c.n), runs(c.ratio, c.n), 0.05); v.State != c.want {
			t.Errorf("%v times as long, %d runs: got %v, want %s", c.ratio, c.n, v, c.want)
		}
	}
}
