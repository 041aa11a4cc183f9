package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// least is the part of the words that two texts of an edited line have in common.
const least = 0.6

// An edited finds, among lines that are new, that which a line became.
type edited struct {
	lines  []*item
	words  [][]string       // of each, sorted
	having map[string][]int // the lines that have a word, each once
	asked  []*item          // for which each was last looked at
	taken  map[*item]bool
}

// edits are the lines among items.
func edits(items []*item) *edited {
	e := &edited{having: make(map[string][]int), taken: make(map[*item]bool)}
	for _, y := range items {
		if y.key.kind != lineKey {
			continue
		}
		of := words(y.name)
		for _, w := range slices.Compact(slices.Clone(of)) {
			e.having[w] = append(e.having[w], len(e.lines))
		}
		e.lines, e.words = append(e.lines, y), append(e.words, of)
	}
	e.asked = make([]*item, len(e.lines))
	return e
}

// take returns the line that resembles x most, the first of equals, which no other becomes then;
// nil if none does, or x is no line.
//
// Of n words at least k = n*least/(2-least) are in any line that resembles x, so that it has one of
// those n-k+1 that fewest lines have: no others are looked at, and of most words there are few.
func (e *edited) take(x *item) *item {
	if x.key.kind != lineKey {
		return nil
	}
	of := words(x.name)
	rare := slices.Clone(of)
	slices.SortStableFunc(rare, func(a, b string) int { return cmp.Compare(len(e.having[a]), len(e.having[b])) })
	common := int(math.Ceil(float64(len(rare))*least/(2-least) - 1e-9))
	best, most := -1, 0.0
	for _, w := range rare[:min(len(rare), len(rare)-common+1)] {
		for _, i := range e.having[w] {
			if e.asked[i] == x || e.taken[e.lines[i]] {
				continue
			}
			e.asked[i] = x
			if r := resemblance(of, e.words[i]); r >= least && (r > most || r == most && i < best) {
				best, most = i, r
			}
		}
	}
	if best < 0 {
		return nil
	}
	e.taken[e.lines[best]] = true
	return e.lines[best]
}

// resemblance is the part of sorted words of two texts that both have.
func resemblance(x, y []string) float64 {
	common, all := 0, float64(len(x)+len(y))
	for len(x) > 0 && len(y) > 0 {
		switch c := strings.Compare(x[0], y[0]); {
		case c < 0:
			x = x[1:]
		case c > 0:
			y = y[1:]
		default:
			common++
			x, y = x[1:], y[1:]
		}
	}
	return 2 * float64(common) / all
}

// words are the names and numbers of a line, sorted.
func words(text string) []string {
	list := strings.FieldsFunc(text, func(r rune) bool { return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slices.Sort(list)
	return list
}
