package profiler

import (
	"cmp"
	"slices"

	"github.com/arignote/arignote/profiler/units"
)

// A Branch is a Row and the rows that it is the sum of: a class and its ops, an op and its Apply
// nodes.
type Branch struct {
	Row
	Impls    map[string]float64 // the time by implementation
	Branches []Branch           // none of an Apply node
}

// Tree nests the Apply rows by the given keys, the outermost first. Fractions are of the time of
// all nodes; Cumulative begins at 0 in each branch. It must not be called while recorders run; take
// a Clone.
func (s *Stats) Tree(by ...By) []Branch { return s.branches(s.Rows(ByApply), by) }

func (s *Stats) branches(leaves []Row, by []By) []Branch {
	var all []Branch
	if len(by) == 0 {
		for _, r := range leaves {
			all = append(all, Branch{Row: r, Impls: map[string]float64{r.Node.Impl: r.Time}})
		}
	} else {
		at := make(map[string]int)
		var members [][]Row
		for _, r := range leaves {
			key, name := r.Node.key(by[0])
			i, ok := at[key]
			if !ok {
				i = len(all)
				at[key] = i
				all = append(all, Branch{Row: Row{Name: name, Known: true, key: key}, Impls: make(map[string]float64)})
				members = append(members, nil)
			}
			members[i] = append(members[i], r)
			all[i].include(r.Node)
			all[i].bound(s, r.Node)
			all[i].Fraction += r.Fraction
			all[i].Impls[r.Node.Impl] += r.Time
		}
		for i := range all {
			all[i].PerCall = units.Ratio(all[i].Time, float64(all[i].Calls))
			all[i].Branches = s.branches(members[i], by[1:])
		}
		slices.SortStableFunc(all, func(a, b Branch) int { return cmp.Compare(b.Time, a.Time) })
	}
	var sum float64
	for i := range all {
		sum += all[i].Fraction
		all[i].Cumulative = sum
	}
	return all
}
