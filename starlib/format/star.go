package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
)

// A starred is a tuple of targets one of which has a star.
type starred struct {
	targets string // without the star
	before  int    // targets before that one
	after   int
}

// starred reads the targets between two offsets.
func (r *rewriter) starred(lo, hi int) starred {
	toks := r.between(lo, hi)
	for toks[0].Kind == parse.Lparen && closes(toks) == len(toks)-1 {
		toks = toks[1 : len(toks)-1]
	}
	var s starred
	var names []string
	for i, e := range elements(toks) {
		from := int(e[0].Start.Offset)
		if e[0].Kind == parse.Star {
			s.before = i
			from = int(e[0].End.Offset)
		}
		names = append(names, r.of(from, int(e[len(e)-1].End.Offset)))
	}
	s.after = len(names) - s.before - 1
	s.targets = strings.Join(names, ", ")
	if len(names) == 1 {
		s.targets = "(" + s.targets + ",)"
	}
	return s
}

// closes returns the index of the bracket that closes the one that toks begins with.
func closes(toks []parse.Token) int {
	depth := 0
	for i, t := range toks {
		switch {
		case isOpen(t.Kind):
			depth++
		case isClose(t.Kind):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// elements cuts tokens at commas that stand in no bracket, and leaves the comments around them out.
func elements(toks []parse.Token) (list [][]parse.Token) {
	depth, lambdas, from := 0, 0, 0
	for i, t := range toks {
		switch k := t.Kind; {
		case isOpen(k):
			depth++
		case isClose(k):
			depth--
		case depth > 0:
		case k == parse.Lambda:
			lambdas++
		case k == parse.Colon && lambdas > 0:
			lambdas--
		case k == parse.Comma && lambdas == 0:
			list = append(list, toks[from:i])
			from = i + 1
		}
	}
	if from < len(toks) {
		list = append(list, toks[from:])
	}
	for i, e := range list {
		for len(e) > 0 && e[0].Kind == parse.Comment {
			e = e[1:]
		}
		for len(e) > 0 && e[len(e)-1].Kind == parse.Comment {
			e = e[:len(e)-1]
		}
		list[i] = e
	}
	return slices.DeleteFunc(list, func(e []parse.Token) bool { return len(e) == 0 })
}

// of returns what each target gets of the list called v; if that is too short, one of the subscripts is out of range.
func (s starred) of(v string) string {
	var parts []string
	for i := range s.before {
		parts = append(parts, fmt.Sprintf("%s[%d]", v, i))
	}
	rest := v
	if s.before > 0 {
		rest = fmt.Sprintf("%s[%d:]", v, s.before)
	}
	if s.after == 0 {
		parts = append(parts, fmt.Sprintf("%s[%d:]", v, s.before))
	} else {
		parts = append(parts, fmt.Sprintf("%s[%d:-%d]", v, s.before, s.after))
	}
	for i := s.after; i > 0; i-- {
		parts = append(parts, fmt.Sprintf("%s[-%d]", rest, i))
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return strings.Join(parts, ", ")
}

// starTarget rewrites targets of an assignment that is no chain, or of a loop.
func starTarget(r *rewriter, x parse.Extension) (rewrite, bool) {
	for _, y := range r.exts {
		if y.Construct == parse.AssignmentChain && y.Start <= x.Start && x.End <= y.End {
			for _, o := range y.Operands {
				if o == [2]int{x.Start, x.End} {
					return rewrite{}, false
				}
			}
		}
	}
	i := r.next(x.End)
	for r.toks[i].Kind == parse.Comment {
		i++
	}
	of := [2]int{int(r.toks[i+1].Start.Offset), 0}
	of[1] = r.end(i + 1)
	if r.toks[i].Kind == parse.Eq {
		return rewrite{x.Start, of[1], func() string { return r.assign([][2]int{{x.Start, x.End}, of}) }}, true
	}
	return rewrite{x.Start, of[1], func() string {
		s := r.starred(x.Start, x.End)
		v := r.fresh("_v")
		lists := "[" + r.use("list", x.Start) + "(" + v + ") for " + v + " in " + r.operand(of) + "]"
		return s.targets + r.text[x.End:of[0]] + "[(" + s.of(v) + ") for " + v + " in " + lists + "]"
	}}, true
}

// end returns the offset at which what token i begins ends: a value that is assigned, or what a loop runs over.
func (r *rewriter) end(i int) int {
	depth, lambdas := 0, 0
	end := int(r.toks[i].End.Offset)
	conditional := 0
	for ; i < len(r.toks); i++ {
		t := r.toks[i]
		switch k := t.Kind; {
		case isOpen(k):
			depth++
		case isClose(k):
			depth--
		case depth > 0:
		case k == parse.Newline || k == parse.EOF || k == parse.For:
			return end
		case lambdas == 0 && (k == parse.Eq || parse.PlusEq <= k && k <= parse.AtEq):
			return end
		case k == parse.If:
			if !r.conditional(i) {
				return end
			}
			conditional++
		case k == parse.Else && conditional > 0:
			conditional--
		case k == parse.Lambda:
			lambdas++
		case k == parse.Colon && lambdas == 0:
			return end
		case k == parse.Colon:
			lambdas--
		}
		if depth < 0 {
			return end
		}
		if t.Kind != parse.Comment && int(t.End.Offset) > end {
			end = int(t.End.Offset)
		}
	}
	return end
}

// conditional says whether the if that is token i has an else, as that of a comprehension has not.
func (r *rewriter) conditional(i int) bool {
	depth, ifs := 0, 0
	for ; i < len(r.toks); i++ {
		switch k := r.toks[i].Kind; {
		case isOpen(k):
			depth++
		case isClose(k):
			depth--
		case depth > 0:
		case k == parse.If:
			ifs++
		case k == parse.Else:
			if ifs--; ifs == 0 {
				return true
			}
		case k == parse.For || k == parse.Newline:
			return false
		}
		if depth < 0 {
			return false
		}
	}
	return false
}

func assignments(r *rewriter, x parse.Extension) string { return r.assign(x.Operands) }

// assign writes assignments of the last operand to the others, in their order, the value being evaluated once.
func (r *rewriter) assign(operands [][2]int) string {
	targets, of := operands[:len(operands)-1], operands[len(operands)-1]
	at := of[0]
	var out []string
	stars := make([]bool, len(targets))
	for i, o := range targets {
		for _, x := range r.exts {
			stars[i] = stars[i] || x.Construct == parse.StarTarget && [2]int{x.Start, x.End} == o
		}
	}
	v := r.operand(of)
	first := r.text[targets[0][0]:targets[0][1]]
	switch toks := r.between(of[0], of[1]); {
	case len(targets) == 1:
	case len(toks) == 1 && (toks[0].Kind == parse.Int || toks[0].Kind == parse.Float || toks[0].Kind == parse.String):
	case !stars[0] && !slices.ContainsFunc(r.between(targets[1][0], targets[len(targets)-1][1]), func(t parse.Token) bool {
		return t.Text(r.text) == first
	}) && len(r.between(targets[0][0], targets[0][1])) == 1:
		out = append(out, first+" = "+v)
		v, targets, stars = first, targets[1:], stars[1:]
	default:
		name := r.fresh("_value")
		out = append(out, name+" = "+v)
		v = name
	}
	for i, o := range targets {
		if !stars[i] {
			out = append(out, r.operand(o)+" = "+v)
			continue
		}
		from := v
		if len(out) == 0 {
			from = r.argument(of)
		}
		if r.toks[r.next(at)].Kind == parse.String && len(r.between(of[0], of[1])) == 1 {
			from = r.operand(of) + ".codepoints()"
		}
		s := r.starred(o[0], o[1])
		items := r.fresh("_items")
		out = append(out, items+" = "+r.use("list", at)+"("+from+")", s.targets+" = "+s.of(items))
	}
	return strings.Join(out, "; ")
}

// starElement rewrites the list, tuple or set that an element with a star is of.
func starElement(r *rewriter, x parse.Extension) (rewrite, bool) {
	star := r.next(x.Start)
	first, depth := star, 0
	for ; first > 0; first-- {
		k := r.toks[first-1].Kind
		if isClose(k) {
			depth++
		} else if isOpen(k) {
			depth--
		}
		if depth < 0 || depth == 0 && beginsTuple[k] {
			break
		}
	}
	bare := depth == 0
	start, end := int(r.toks[first].Start.Offset), r.end(first)
	if !bare {
		open := r.toks[first-1]
		start = int(open.Start.Offset)
		end = int(r.toks[first-1+closes(r.toks[first-1:])].End.Offset)
		if open.Kind == parse.Lparen && r.text[start] != '(' {
			r.fail(x.Start, "a tuple with a star in a field of an f-string: assign it to a variable before")
		}
	}
	for _, w := range r.list {
		if w.start == start && w.end == end {
			return rewrite{}, false // that of another star, or of the set
		}
	}
	return rewrite{start, end, func() string { return r.display(start, end, bare) }}, true
}

// beginsTuple are the tokens behind which a tuple without parentheses begins.
var beginsTuple = map[parse.Kind]bool{parse.Newline: true, parse.Comment: true, parse.Colon: true,
	parse.Eq: true, parse.PlusEq: true, parse.Return: true, parse.In: true, parse.PipeEq: true, parse.MinusEq: true}

// display writes a list, tuple or set with stars as a sum of lists.
func (r *rewriter) display(start, end int, bare bool) string {
	toks := r.between(start, end)
	kind := parse.Lparen
	if !bare {
		kind = toks[0].Kind
		toks = toks[1 : len(toks)-1]
	}
	var parts, run []string
	flush := func() {
		if run != nil {
			parts = append(parts, "["+strings.Join(run, ", ")+"]")
		}
		run = nil
	}
	for _, e := range elements(toks) {
		from, to := int(e[0].Start.Offset), int(e[len(e)-1].End.Offset)
		if e[0].Kind == parse.Star {
			flush()
			parts = append(parts, r.use("list", start)+"("+r.of(int(e[1].Start.Offset), to)+")")
			continue
		}
		run = append(run, r.of(from, to))
	}
	flush()
	sum := strings.Join(parts, " + ")
	switch {
	case kind == parse.Lparen:
		return r.use("tuple", start) + "(" + sum + ")"
	case kind == parse.Lbrace:
		return r.use("set", start) + "(" + sum + ")"
	case len(parts) == 1:
		return sum
	}
	return r.enclose(start, end, sum)
}
