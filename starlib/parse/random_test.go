package parse

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A writer writes random programs of standard Starlark, token by token.
type writer struct {
	*rand.Rand
	toks []string
}

func (w *writer) put(toks ...string) { w.toks = append(w.toks, toks...) }

func (w *writer) one(of ...string) { w.put(of[w.IntN(len(of))]) }

// some writes up to n elements with commas between.
func (w *writer) some(n int, element func()) {
	for i := range w.IntN(n + 1) {
		if i > 0 {
			w.put(",")
		}
		element()
	}
}

func (w *writer) name() { w.one("a", "b", "xs", "é", "assert", "print", "f", "u", "_x1") }

func (w *writer) params() {
	w.some(3, func() {
		w.one("", "", "*", "**")
		w.name()
		if w.IntN(3) == 0 {
			w.put("=")
			w.expr(1)
		}
	})
}

func (w *writer) clauses(depth int) {
	w.put("for")
	w.vars(depth)
	w.put("in")
	w.expr(depth)
	for w.IntN(3) == 0 {
		w.put("if")
		w.expr(depth)
	}
}

func (w *writer) vars(depth int) {
	w.name()
	for w.IntN(3) == 0 {
		w.put(",")
		w.name()
		w.one("", "[0]", ".x")
	}
}

func (w *writer) expr(depth int) {
	if depth <= 0 {
		switch w.IntN(3) {
		case 0:
			w.name()
		case 1:
			w.one("0", "1", "0x1F", "0o17", "0b101", "1.5", ".5", "1e3", "9223372036854775808", "00", "1.")
		default:
			w.one(`"a"`, `'b\n'`, `r"\d"`, `b"\xff"`, `"""x`+"\n"+`y"""`, `rb'\x'`, `""`)
		}
		return
	}
	sub := func() { w.expr(depth - 1 - w.IntN(2)) }
	switch w.IntN(16) {
	case 0, 1, 2, 3:
		sub()
		w.one("+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>", "and", "or", "==", "!=", "<", ">", "<=", ">=", "in", "not in")
		sub()
	case 4:
		w.one("-", "+", "~", "not")
		sub()
	case 5:
		w.put("(")
		w.some(3, sub)
		w.put(")")
	case 6:
		w.put("[")
		w.some(3, sub)
		w.one("", "", ",")
		w.put("]")
	case 7:
		w.put("{")
		w.some(2, func() { sub(); w.put(":"); sub() })
		w.one("", "", ",")
		w.put("}")
	case 8:
		w.put("[")
		sub()
		w.clauses(depth - 1)
		w.put("]")
	case 9:
		w.put("{")
		sub()
		w.put(":")
		sub()
		w.clauses(depth - 1)
		w.put("}")
	case 10:
		sub()
		w.put("(")
		w.some(3, func() {
			w.one("", "", "", "*", "**", "k =")
			sub()
		})
		w.one("", "", ",")
		w.put(")")
	case 11:
		sub()
		w.put("[")
		w.one("", ":", "::")
		sub()
		w.one("", ":", "::", ",")
		w.put("]")
	case 12:
		sub()
		w.put(".")
		w.name()
	case 13:
		w.put("lambda")
		w.params()
		w.put(":")
		sub()
	case 14:
		sub()
		w.put("if")
		sub()
		w.put("else")
		sub()
	default:
		sub()
	}
}

func (w *writer) block(indent string, depth int) {
	w.put(":")
	if w.IntN(4) == 0 || depth <= 0 {
		w.small(1)
		w.put("\n")
		return
	}
	w.put("\n")
	indent += []string{" ", "  ", "\t"}[w.IntN(3)]
	for range 1 + w.IntN(2) {
		w.stmt(indent, depth-1)
	}
}

func (w *writer) small(depth int) {
	switch w.IntN(8) {
	case 0:
		w.one("pass", "break", "continue", "return")
	case 1:
		w.put("return")
		w.expr(depth)
	case 2:
		w.expr(depth)
	case 3:
		w.put("load", "(", `"m"`, ",", `"n"`)
		w.one("", ",", `, k = "o"`)
		w.put(")")
	default:
		w.vars(1)
		w.one("=", "=", "+=", "-=", "//=", "<<=", "|=", "%=")
		w.expr(depth)
	}
}

func (w *writer) stmt(indent string, depth int) {
	w.put(indent)
	switch w.IntN(9) {
	case 0:
		w.put("def")
		w.name()
		w.put("(")
		w.params()
		w.put(")")
		w.block(indent, depth)
	case 1:
		w.put("if")
		w.expr(2)
		w.block(indent, depth)
		for w.IntN(3) == 0 {
			w.put(indent, "elif")
			w.expr(1)
			w.block(indent, depth)
		}
		if w.IntN(2) == 0 {
			w.put(indent, "else")
			w.block(indent, depth)
		}
	case 2:
		w.put("for")
		w.vars(1)
		w.put("in")
		w.expr(1)
		w.block(indent, depth)
	case 3:
		w.put("while")
		w.expr(2)
		w.block(indent, depth)
	default:
		w.small(3)
		for w.IntN(5) == 0 {
			w.put(";")
			w.small(1)
		}
		w.one("\n", "\n", "\n", "# c\n", "\r\n", "\n\n  # c\n")
	}
}

// noise is what mutations put between tokens.
var noise = []string{"(", ")", "[", "]", "{", "}", ",", ":", ";", "=", "==", "<", "in", "not", "is", "if", "else", "for",
	"lambda", "def", "import", "class",
	"*", "**", "**=", "@", "@=", "...", ".", "-", "~", "/", "!", "?", "$", "\\", "\n", "\n ", "\t", "'", `"""`, "x", "1", "0777",
	"1_0", "1e", "f'{x}'", "f'{'",
	"u'x'", "'\\q'", "load", "assert", "as", "from", "\u00a0", "“", "x: int", "return", "\r", "#", "->", ":="}

// text joins the tokens, and spoils some of them.
func (w *writer) text(spoil int) string {
	toks := append([]string{}, w.toks...)
	for range spoil {
		i := w.IntN(len(toks))
		switch w.IntN(4) {
		case 0:
			toks[i] = ""
		case 1:
			toks[i] = noise[w.IntN(len(noise))]
		case 2:
			toks[i] += " " + noise[w.IntN(len(noise))]
		default:
			j := w.IntN(len(toks))
			toks[i], toks[j] = toks[j], toks[i]
		}
	}
	var b strings.Builder
	lineStart := true
	for _, t := range toks {
		if t == "" {
			continue
		}
		blank := strings.Trim(t, " \t") == ""
		if !lineStart && !blank && (spoil == 0 || w.IntN(8) > 0) {
			b.WriteByte(' ')
		}
		b.WriteString(t)
		lineStart = strings.HasSuffix(t, "\n") || blank
	}
	return b.String()
}

// TestRandom: random programs, and such with mistakes, mean the same to both parsers.
func TestRandom(t *testing.T) {
	accepted := 0
	const n = 10000
	for i := range uint64(n) {
		w := &writer{Rand: rand.New(rand.NewPCG(1, i))}
		for range 1 + w.IntN(3) {
			w.stmt("", 2)
		}
		text := w.text(max(0, int(i%4)-1))
		ok, wrong := agrees(text)
		if wrong != "" {
			t.Fatalf("%s\nin program %d:\n%s", wrong, i, fmt.Sprintf("%q\n%s", text, text))
		}
		if ok {
			accepted++
		}
	}
	if accepted < n/10 || accepted > n*9/10 {
		t.Errorf("upstream accepts %d of %d programs, want some and not all", accepted, n)
	}
}
