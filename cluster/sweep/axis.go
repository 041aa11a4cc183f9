package sweep

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/notebook"
)

// An Axis is a parameter with the values that it is to have, or the range that they are drawn from.
type Axis struct {
	Name   string
	Values []notebook.Parameter
	Low    float64 // of a range, which has no Values
	High   float64
	Whole  bool // whole numbers, with both ends
	Log    bool // drawn so that the logarithm is uniform
}

// IsRange reports whether values are drawn.
func (a *Axis) IsRange() bool { return len(a.Values) == 0 }

// MostRuns bounds a sweep.
const MostRuns = 1_000_000

// ParseAxis reads name=value,value,... or a range name=low..high, or name=low..high:log. Values are
// typed as those of nb run are.
func ParseAxis(arg string) (Axis, error) {
	name, text, ok := strings.Cut(arg, "=")
	if !ok || text == "" {
		return Axis{}, fmt.Errorf("parameter: got %q, want name=value,value,... or name=low..high", arg)
	}
	a := Axis{Name: name}
	if low, high, isRange := strings.Cut(text, ".."); isRange && !strings.Contains(text, ",") {
		high, a.Log = strings.CutSuffix(high, ":log")
		var err, err2 error
		a.Low, err = strconv.ParseFloat(low, 64)
		a.High, err2 = strconv.ParseFloat(high, 64)
		switch {
		case err != nil || err2 != nil || math.IsInf(a.Low, 0) || math.IsInf(a.High, 0) || math.IsNaN(a.Low) || math.IsNaN(a.High):
			return Axis{}, fmt.Errorf("parameter %s: got the range %q, want low..high, two numbers", name, text)
		case a.Low >= a.High:
			return Axis{}, fmt.Errorf("parameter %s: got the range %q, want the low end first", name, text)
		case a.Log && a.Low <= 0:
			return Axis{}, fmt.Errorf("parameter %s: got the range %q, want numbers above 0 for :log", name, text)
		}
		a.Whole = !strings.ContainsAny(low+high, ".eE")
		_, err = notebook.ParseParameter(name+"=0", false)
		return a, err
	}
	for value := range strings.SplitSeq(text, ",") {
		p, err := notebook.ParseParameter(name+"="+value, false)
		if err != nil {
			return Axis{}, err
		}
		a.Values = append(a.Values, p)
	}
	return a, nil
}

// distinct refuses two axes of one name.
func distinct(axes []Axis) error {
	seen := make(map[string]bool)
	for _, a := range axes {
		if seen[a.Name] {
			return fmt.Errorf("parameter %s: got it twice, want all its values in one", a.Name)
		}
		seen[a.Name] = true
	}
	return nil
}

// Grid is all combinations of values, those of the last axis next to one another.
func Grid(axes []Axis) ([][]notebook.Parameter, error) {
	if err := distinct(axes); err != nil {
		return nil, err
	}
	runs := [][]notebook.Parameter{nil}
	for _, a := range axes {
		if a.IsRange() {
			return nil, fmt.Errorf("parameter %s: got a range, of which values are drawn: say how many runs, --random N", a.Name)
		}
		if len(runs)*len(a.Values) > MostRuns {
			return nil, fmt.Errorf("got more than %d runs", MostRuns)
		}
		next := make([][]notebook.Parameter, 0, len(runs)*len(a.Values))
		for _, r := range runs {
			for _, v := range a.Values {
				next = append(next, append(slices.Clone(r), v))
			}
		}
		runs = next
	}
	return runs, nil
}

// Random is n combinations that are drawn, the same for a seed. None is there twice: of lists alone
// there may be fewer.
func Random(axes []Axis, n int, seed uint64) ([][]notebook.Parameter, error) {
	if err := distinct(axes); err != nil {
		return nil, err
	}
	if n < 1 || n > MostRuns {
		return nil, fmt.Errorf("random: got %d runs, want 1 to %d", n, MostRuns)
	}
	if !slices.ContainsFunc(axes, func(a Axis) bool { return a.IsRange() }) {
		total := 1.0
		for _, a := range axes {
			total *= float64(len(a.Values))
		}
		if total <= float64(2*n) { // drawing would meet most of them many times
			runs, err := Grid(axes)
			if err != nil {
				return nil, err
			}
			r := rand.New(rand.NewPCG(seed, 0))
			r.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
			return runs[:min(n, len(runs))], nil
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	var runs [][]notebook.Parameter
	seen := make(map[string]bool)
	for tries := 0; len(runs) < n && tries < 100*n; tries++ {
		run := make([]notebook.Parameter, len(axes))
		for i := range axes {
			run[i] = axes[i].draw(r)
		}
		if key := codeOf(run); !seen[key] {
			seen[key] = true
			runs = append(runs, run)
		}
	}
	return runs, nil
}

func (a *Axis) draw(r *rand.Rand) notebook.Parameter {
	if !a.IsRange() {
		return a.Values[r.IntN(len(a.Values))]
	}
	x := a.Low + r.Float64()*(a.High-a.Low)
	switch {
	case a.Whole && a.Log:
		x = math.Min(math.Floor(math.Exp(math.Log(a.Low)+r.Float64()*(math.Log(a.High+1)-math.Log(a.Low)))), a.High)
	case a.Whole:
		x = math.Min(math.Floor(a.Low+r.Float64()*(a.High-a.Low+1)), a.High)
	case a.Log:
		x = math.Exp(math.Log(a.Low) + r.Float64()*(math.Log(a.High)-math.Log(a.Low)))
	}
	text := strconv.FormatFloat(x, 'g', 6, 64) // what a table can show
	if a.Whole {
		text = strconv.FormatFloat(x, 'f', 0, 64)
	} else if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return notebook.Parameter{Name: a.Name, Value: json.RawMessage(text)}
}

// codeOf is the cell that gives a run its parameters.
func codeOf(run []notebook.Parameter) string {
	lines := make([]string, len(run))
	for i, p := range run {
		lines[i] = p.Code()
	}
	return strings.Join(lines, "\n")
}
