package profiler

import (
	"cmp"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/history"
)

// RewriteRules adds up the rules of all passes, the most expensive first.
func RewriteRules(passes []history.Pass) []history.Rule {
	var all []history.Rule
	at := make(map[string]int)
	for _, p := range passes {
		for _, r := range p.Rules {
			i, ok := at[r.Name]
			if !ok {
				i = len(all)
				at[r.Name] = i
				all = append(all, history.Rule{Name: r.Name, Where: r.Where})
			}
			if all[i].Where != r.Where {
				all[i].Where = "" // several have the name
			}
			all[i].Tried += r.Tried
			all[i].Fired += r.Fired
			all[i].Made += r.Made
			all[i].Removed += r.Removed
			all[i].Time += r.Time
		}
	}
	slices.SortFunc(all, func(a, b history.Rule) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Fired, a.Fired), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// SlowestPasses lists those that ran, the most expensive first.
func SlowestPasses(passes []history.Pass) []history.Pass {
	ran := slices.DeleteFunc(slices.Clone(passes), func(p history.Pass) bool { return p.Skipped != "" })
	slices.SortStableFunc(ran, func(a, b history.Pass) int { return cmp.Compare(b.Time, a.Time) })
	return ran
}

// AllDeclined lists what was declined in all passes: what costs memory and passes over it before
// what is a matter of a rule, and of each what was declined most often first.
func AllDeclined(passes []history.Pass) []history.Declined {
	var all []history.Declined
	for _, p := range passes {
		all = append(all, p.Declined...)
	}
	rank := func(d history.Declined) int {
		return slices.IndexFunc(declinedOrder, func(prefix string) bool { return strings.HasPrefix(d.Code, prefix) })
	}
	slices.SortStableFunc(all, func(a, b history.Declined) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Count, a.Count))
	})
	return all
}

// declinedOrder lists what codes begin with.
var declinedOrder = []string{"fusion.", "dot.", "inplace.", "rule.multi_client", "rule.singleuse", ""}

// MostDeclined has for each code the first of AllDeclined, with the number of all.
func MostDeclined(passes []history.Pass) []history.Declined {
	var list []history.Declined
	at := make(map[string]int)
	for _, d := range AllDeclined(passes) {
		if i, ok := at[d.Code]; ok {
			list[i].Count += d.Count
			continue
		}
		at[d.Code] = len(list)
		list = append(list, d)
	}
	return list
}

// ToFirstCall is the time in nanoseconds from the call of grad() to the first result, without what
// the program did between.
func (f *Function) ToFirstCall() float64 {
	return float64(f.Compile.Grad()) + float64(f.Compile.Total) + f.FirstCall
}
