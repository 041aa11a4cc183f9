package slot

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What is here is known without asking: no code of the program's runs for it, it fails with no
// error, and it looks at few elements.

// maxPlain is at how many elements of containers an answer looks.
const maxPlain = 1 << 10

// Compared is x op y, and whether that is known here: of numbers, of texts, and of tuples and lists
// of such.
func Compared(op syntax.Token, x, y Slot) (holds, known bool) {
	if a, ok := x.ref.(starlark.String); ok {
		if b, ok := y.ref.(starlark.String); ok {
			return orderedTexts(op, string(a), string(b)), true
		}
	}
	left := maxPlain
	return compared(op, x, y, &left)
}

func compared(op syntax.Token, x, y Slot, left *int) (holds, known bool) {
	switch a := x.ref.(type) {
	case starlark.Tuple:
		if b, ok := y.ref.(starlark.Tuple); ok {
			return comparedSequences(op, tuple(a), tuple(b), left)
		}
	case *List:
		if b, ok := y.ref.(*List); ok {
			return comparedSequences(op, a, b, left)
		}
	}
	return compareBasic(op, x, y)
}

func comparedSequences[S sequence](op syntax.Token, x, y S, left *int) (holds, known bool) {
	n, m := x.Len(), y.Len()
	if equality := op == syntax.EQL || op == syntax.NEQ; equality && n != m {
		return op == syntax.NEQ, true
	}
	for i := range min(n, m) {
		if *left--; *left < 0 {
			return false, false
		}
		p, q := x.slot(i), y.slot(i)
		same, known := sameElement(p, q, left)
		switch {
		case !known:
			return false, false
		case same:
			continue
		case op == syntax.EQL || op == syntax.NEQ:
			return op == syntax.NEQ, true
		}
		return compared(op, p, q, left)
	}
	return ordered(op, compareInts(int64(n), int64(m))), true
}

// sameElement is whether two elements of containers are equal. A nan may be or not.
func sameElement(p, q Slot, left *int) (same, known bool) {
	if p.IsInt() && q.IsInt() {
		return p.bits == q.bits, true
	}
	if p.IsFloat() && p.Float() != p.Float() || q.IsFloat() && q.Float() != q.Float() {
		return false, false
	}
	return compared(syntax.EQL, p, q, left)
}

// Place is the index of the first element from start on and before end that equals x, or -1, and
// whether that is known here.
func (l *List) Place(x Slot, start, end int) (at int, known bool) {
	return placeIn(l, x, start, end)
}

// PlaceIn is Place for a tuple.
func PlaceIn(t starlark.Tuple, x Slot) (at int, known bool) {
	return placeIn(tuple(t), x, 0, len(t))
}

func placeIn[S sequence](xs S, x Slot, start, end int) (at int, known bool) {
	left := maxPlain
	for i := start; i < end; i++ {
		if left--; left < 0 {
			return -1, false
		}
		if same, known := sameElement(xs.slot(i), x, &left); !known {
			return -1, false
		} else if same {
			return i, true
		}
	}
	return -1, true
}

// IsPlainKey reports whether a key asks nobody for its hash: it is a number of the program's, a
// text, or a tuple of few of these.
func (s *Slot) IsPlainKey() bool {
	switch v := s.ref.(type) {
	case starlark.String, intTag, floatTag:
		return true
	case starlark.Tuple:
		if len(v) > 8 {
			return false
		}
		for _, x := range v {
			switch x.(type) {
			case starlark.String, starlark.Int, starlark.Float, starlark.Bool:
			default:
				return false
			}
		}
		return true
	}
	return false
}
