package config

import "strings"

// Nearest returns the flag whose name is most like name, or "" if none is close.
func Nearest(name string) string {
	name = Canonical(name)
	if n := Closest(name, Names()); n != "" {
		return n
	}
	// A flag written without its section: n_aply for profiling.n_apply.
	best, bestCost := "", 3
	for _, f := range table {
		last := f.Name[strings.LastIndex(f.Name, ".")+1:]
		if cost := distance(strings.ToLower(name), strings.ToLower(last)); cost < bestCost && cost <= len(name)/3 {
			best, bestCost = f.Name, cost
		}
	}
	return best
}

// Closest returns the candidate most like name, or "" if none is close: at most a
// third of the letters, but one at least and four at most, may have to change. Letter case and
// underscores do not count. Of equals the first wins, so callers pass sorted names.
func Closest(name string, candidates []string) string {
	fold := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	key := fold(name)
	limit := min(4, max(1, len(key)/3))
	best, bestCost := "", limit+1
	for _, c := range candidates {
		if c == name {
			continue
		}
		f := fold(c)
		if d := len(f) - len(key); d > limit || -d > limit {
			continue
		}
		if cost := distance(key, f); cost < bestCost && cost < len(f) {
			best, bestCost = c, cost
		}
	}
	return best
}

// distance is the number of insertions, deletions, substitutions and swaps of
// neighbours that turn a into b (optimal string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, prev, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(y)]
}
