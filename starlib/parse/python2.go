package parse

import (
	"cmp"
	"slices"
	"strings"
)

// Modern returns a statement of Python 2 as it is written in Python 3, on one line; "" if it is
// written alike in both. words are the names that had to change.
func Modern(statement string) (text string, words []string) {
	statement = strings.TrimSpace(statement)
	s := newScanner(new(string), statement, 1, 1)
	s.all, s.mistakes = true, map[int]*Error{}
	s.run()
	l := &oldLine{text: statement, toks: s.toks}
	for i := range l.toks {
		for _, form := range python2 {
			form.mend(l, i)
		}
	}
	if len(l.edits) == 0 {
		return "", nil
	}
	slices.SortStableFunc(l.edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out strings.Builder
	at := 0
	for _, e := range l.edits {
		if e.from < at { // in what another form has written anew
			continue
		}
		out.WriteString(statement[at:e.from])
		out.WriteString(e.to)
		at = e.end
	}
	out.WriteString(statement[at:])
	if text = out.String(); strings.Contains(text, "\n") {
		text = strings.Join(strings.Fields(text), " ")
	}
	return text, l.words
}

// An oldLine is a statement that is being written anew.
type oldLine struct {
	text  string
	toks  []Token
	edits []edit
	words []string
}

// An edit puts a text in place of another.
type edit struct {
	from, end int
	to        string
}

// python2 are the forms of Python 2, each with an example, and what it becomes. mend looks whether
// the form stands at token i, and mends it.
var python2 = []struct {
	old, new string
	mend     func(l *oldLine, i int)
}{
	{`print "x", y`, `print("x", y)`, (*oldLine).print},
	{`exec "x"`, `exec("x")`, func(l *oldLine, i int) {
		if l.begins(i) && l.is(i, "exec") && l.opensArgument(i+1) {
			l.enclose(i)
		}
	}},
	{`except E, e:`, `except E as e:`, func(l *oldLine, i int) {
		if !l.begins(i) || !l.is(i, "except") {
			return
		}
		if comma := l.find(i+1, Comma); comma > 0 && l.kind(comma+1) == Ident && l.kind(comma+2) == Colon {
			l.edit(comma, comma, " as")
		}
	}},
	{`raise E, "x"`, `raise E("x")`, func(l *oldLine, i int) {
		if !l.begins(i) || !l.is(i, "raise") {
			return
		}
		comma := l.find(i+1, Comma)
		if comma < 0 {
			return
		}
		l.put(l.start(comma), l.after(comma), "(")
		end := l.end(i)
		if second := l.find(comma+1, Comma); second > 0 { // a traceback
			l.put(l.start(second), l.after(second), ").with_traceback(")
		}
		l.put(end, end, ")")
	}},
	{"`x`", "repr(x)", func(l *oldLine, i int) {
		if l.is(i, "`") {
			n := 0
			for _, t := range l.toks[:i] {
				if t.Kind == Mistake && l.of(t) == "`" {
					n++
				}
			}
			l.edit(i, i, []string{"repr(", ")"}[n%2])
		}
	}},
	{`a <> b`, `a != b`, func(l *oldLine, i int) {
		if l.kind(i) == Lt && l.kind(i+1) == Gt && l.touches(i) {
			l.edit(i, i+1, "!=")
		}
	}},
	{`0777`, `0o777`, func(l *oldLine, i int) {
		if text := l.of(l.toks[i]); l.kind(i) == Mistake && len(text) > 1 && text[0] == '0' && strings.Trim(text, "01234567") == "" {
			l.edit(i, i, "0o"+strings.TrimLeft(text, "0"))
		}
	}},
	{`10L`, `10`, func(l *oldLine, i int) {
		if (l.kind(i) == Int || l.kind(i) == Mistake) && (l.is(i+1, "L") || l.is(i+1, "l")) && l.touches(i) {
			l.edit(i+1, i+1, "")
		}
	}},
	{`ur"x"`, `r"x"`, func(l *oldLine, i int) {
		if !strings.EqualFold(l.word(i), "ur") || !l.touches(i) {
			return
		}
		if next := l.text[l.start(i+1):]; strings.HasPrefix(next, `"`) || strings.HasPrefix(next, "'") { // it may be the text's end
			l.edit(i, i, "r")
		}
	}},
	{`d.has_key(k)`, `k in d`, (*oldLine).hasKey},
	{`d.iteritems()`, `d.items()`, func(l *oldLine, i int) {
		if new, old := methods2[l.word(i)]; old && l.kind(i-1) == Dot {
			l.rename(i, new)
		}
	}},
	{`xrange(3)`, `range(3)`, func(l *oldLine, i int) {
		if new, old := names2[l.word(i)]; old && l.kind(i-1) != Dot && l.kind(i+1) != Eq {
			l.rename(i, new)
		}
	}},
}

// methods2 and names2 are names of Python 2 that are called otherwise in Python 3.
var (
	methods2 = map[string]string{"iteritems": "items", "iterkeys": "keys", "itervalues": "values", "izip": "zip", "imap": "map"}
	names2   = map[string]string{"xrange": "range", "unicode": "str", "basestring": "str", "raw_input": "input", "long": "int", "unichr": "chr", "izip": "zip",
		"imap": "map"}
)

// IsPython2 says whether a name, or the attribute of a value, is one that Python 3 has no more.
func IsPython2(name string, attribute bool) bool {
	if attribute {
		return methods2[name] != "" || name == "has_key"
	}
	return names2[name] != ""
}

func (l *oldLine) kind(i int) Kind {
	if i < 0 || i >= len(l.toks) {
		return EOF
	}
	return l.toks[i].Kind
}

func (l *oldLine) of(t Token) string { return l.text[t.Start.Offset:t.End.Offset] }

func (l *oldLine) is(i int, text string) bool { return i < len(l.toks) && l.of(l.toks[i]) == text }

// word is the text of an identifier, "" of another token.
func (l *oldLine) word(i int) string {
	if l.kind(i) != Ident {
		return ""
	}
	return l.of(l.toks[i])
}

func (l *oldLine) start(i int) int { return int(l.toks[i].Start.Offset) }

// after is where the token after one begins.
func (l *oldLine) after(i int) int { return int(l.toks[i+1].Start.Offset) }

// touches says whether there is nothing between a token and the next one.
func (l *oldLine) touches(i int) bool { return l.toks[i].End == l.toks[i+1].Start }

func (l *oldLine) edit(first, last int, to string) {
	l.put(l.start(first), int(l.toks[last].End.Offset), to)
}

func (l *oldLine) put(from, end int, to string) { l.edits = append(l.edits, edit{from, end, to}) }

func (l *oldLine) rename(i int, to string) {
	l.words = append(l.words, l.word(i))
	l.edit(i, i, to)
}

// begins says whether a statement begins with a token.
func (l *oldLine) begins(i int) bool {
	switch l.kind(i - 1) {
	case Newline, Indent, Outdent, Semi:
		return true
	case Colon:
		return l.depth(i) == 0 && !slices.ContainsFunc(l.toks[:i], func(t Token) bool { return t.Kind == Lambda })
	}
	return i == 0
}

// depth is how many brackets are open before a token.
func (l *oldLine) depth(i int) (depth int) {
	for _, t := range l.toks[:i] {
		switch t.Kind {
		case Lparen, Lbrack, Lbrace:
			depth++
		case Rparen, Rbrack, Rbrace:
			depth--
		}
	}
	return depth
}

// find returns the first token of a kind outside of brackets, from one on up to the end of the
// statement; -1 if there is none.
func (l *oldLine) find(from int, kind Kind) int {
	depth := 0
	for i := from; i < len(l.toks); i++ {
		switch k := l.kind(i); {
		case depth == 0 && k == kind:
			return i
		case k == Newline || k == EOF || depth == 0 && k == Semi:
			return -1
		case k == Lparen || k == Lbrack || k == Lbrace:
			depth++
		case k == Rparen || k == Rbrack || k == Rbrace:
			depth--
		}
	}
	return -1
}

// end is where the statement ends that token i is in.
func (l *oldLine) end(i int) int {
	semi := l.find(i, Semi)
	if semi < 0 {
		semi = i
		for k := l.kind(semi); k != Newline && k != EOF; k = l.kind(semi) {
			semi++
		}
	}
	return int(l.toks[semi-1].End.Offset)
}

// opensArgument says whether a token begins what a call without parentheses takes.
func (l *oldLine) opensArgument(i int) bool {
	switch l.kind(i) {
	case Ident, Int, Float, String, Bytes, FString, Not, Lambda, Lbrace, Tilde, GtGt:
		return true
	case Mistake:
		return l.is(i, "`") || isDigit(l.text[l.start(i)])
	}
	return false
}

// enclose puts what follows a word in parentheses.
func (l *oldLine) enclose(i int) {
	end := l.end(i)
	l.put(int(l.toks[i].End.Offset), l.after(i), "(")
	l.put(end, end, ")")
}

// print is the form of print x, y, of print x, with a comma, and of print >>f, x.
func (l *oldLine) print(i int) {
	if !l.begins(i) || !l.is(i, "print") || !l.opensArgument(i+1) {
		return
	}
	end := l.end(i)
	from, more := l.after(i), ""
	if l.kind(i+1) == GtGt {
		comma := l.find(i+2, Comma)
		file := end
		from = end
		if comma > 0 {
			file, from = l.start(comma), l.after(comma)
		}
		more = "file=" + l.text[l.after(i+1):file]
	}
	last := i
	for int(l.toks[last+1].End.Offset) <= end && last+1 < len(l.toks) && l.kind(last+1) != EOF && l.kind(last+1) != Newline {
		last++
	}
	to := end
	if l.kind(last) == Comma && last > i+1 {
		to = l.start(last)
		more = strings.Trim(more+`, end=" "`, ", ")
	}
	if more != "" && from < to {
		more = ", " + more
	}
	l.put(int(l.toks[i].End.Offset), from, "(")
	l.put(max(to, from), end, more+")")
}

// hasKey is the form of d.has_key(k), where d is a name with attributes and subscripts.
func (l *oldLine) hasKey(i int) {
	if l.word(i) != "has_key" || l.kind(i-1) != Dot || l.kind(i+1) != Lparen {
		return
	}
	close := i + 2
	for depth := 1; l.kind(close) != EOF; close++ {
		switch l.kind(close) {
		case Lparen, Lbrack, Lbrace:
			depth++
		case Rparen, Rbrack, Rbrace:
			depth--
		}
		if depth == 0 {
			break
		}
	}
	if l.kind(close) != Rparen {
		return
	}
	first := i - 2
	for first > 0 && l.kind(first) == Ident && l.kind(first-1) == Dot {
		first -= 2
	}
	if l.kind(first) != Ident {
		return
	}
	l.words = append(l.words, "has_key")
	from, key := l.start(first), l.text[l.after(i+1):l.start(close)]
	word := " in "
	if l.kind(first-1) == Not {
		from, word = l.start(first-1), " not in "
	}
	l.put(from, int(l.toks[close].End.Offset), key+word+l.text[l.start(first):l.start(i-1)])
}
