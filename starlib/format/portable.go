package format

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

const portableLine = "# arignote: syntax=portable\n"

// Portable returns a text laid out, with the extended syntax written in standard Starlark. Its errors are of type *Error.
func Portable(name, text string) (string, error) {
	if parse.IsPortable(strings.TrimPrefix(text, "\ufeff")) {
		return Source(name, text)
	}
	out, err := eachSegment(name, text, func(masked string, magics map[int32]string, o parse.Options) (string, error) {
		return portableSegment(name, masked, magics, o)
	})
	if err != nil {
		return "", err
	}
	rest, marked := strings.CutPrefix(out, "\ufeff")
	head := ""
	if marked {
		head = "\ufeff"
	}
	if strings.HasPrefix(rest, "#!") {
		line, after, _ := strings.Cut(rest, "\n")
		head, rest = head+line+"\n", after
	}
	return Source(name, head+portableLine+rest)
}

// A rewrite is a part of a text that is written otherwise.
type rewrite struct {
	start, end int
	make       func() string
}

// A rewriter makes a segment portable. It works on the text laid out, where each assertion and decorator has its line.
type rewriter struct {
	file    string
	text    string
	toks    []parse.Token // with those in the fields of f-strings, between parentheses in the place of the braces
	list    []rewrite     // by where they start, outer ones first
	exts    []parse.Extension
	bound   map[string]bool          // names that the text binds
	values  map[string][]syntax.Expr // that it gives them, nil where that is not known
	names   map[string]bool          // all names
	places  []syntax.Position
	offsets map[[2]int32]int // of tokens, by line and column
	solid   []int            // offsets of the tokens that places are of
}

func portableSegment(name, masked string, magics map[int32]string, o parse.Options) (out string, err error) {
	text, err := layout(name, masked, nil, o, func(stmt []parse.Token) bool { return stmt[0].Text(masked) == "assert" })
	if err != nil {
		return "", err
	}
	r := &rewriter{file: name, text: text, bound: map[string]bool{}, values: map[string][]syntax.Expr{}, names: map[string]bool{}}
	if r.exts, err = parse.Extensions(name, text); err != nil {
		return "", err
	}
	f, err := parse.File(name, text, parse.Options{})
	if err != nil {
		return "", err
	}
	if r.toks, err = parse.Scan(name, text); err != nil {
		return "", err
	}
	r.toks = slices.DeleteFunc(r.toks, func(t parse.Token) bool { return t.Kind == parse.Indent || t.Kind == parse.Outdent })
	r.locate(masked, magics, o.FirstLine)
	r.fields()
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *parse.Error:
			err = e
		default:
			panic(e)
		}
	}()
	r.bindings(f)
	r.powers(f)
	r.sliceTargets(f)
	r.keywords(f)
	for _, x := range r.exts {
		if rw, ok := rewriters[x.Construct](r, x); ok {
			r.list = append(r.list, rw)
		}
	}
	slices.SortStableFunc(r.list, func(a, b rewrite) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	out = r.of(0, len(text))
	r.check(out)
	return out, nil
}

// locate finds the tokens of the text laid out in the source, for errors, and puts the magics back.
func (r *rewriter) locate(masked string, magics map[int32]string, firstLine int) {
	isSolid := func(k parse.Kind) bool {
		return k != parse.Newline && k != parse.Indent && k != parse.Outdent && k != parse.Semi && k != parse.Comment
	}
	for _, t := range r.toks {
		if isSolid(t.Kind) {
			r.solid = append(r.solid, int(t.Start.Offset))
		}
	}
	toks, _ := parse.Scan(r.file, masked)
	for _, t := range toks {
		if !isSolid(t.Kind) {
			continue
		}
		r.places = append(r.places, syntax.MakePosition(&r.file, t.Start.Line+int32(max(firstLine, 1))-1, t.Start.Col))
		if magic, ok := magics[t.Start.Offset]; ok {
			at := r.solid[len(r.places)-1]
			r.list = append(r.list, rewrite{at, at + int(t.End.Offset-t.Start.Offset), func() string { return magic }})
		}
	}
}

// fail reports what cannot be rewritten.
func (r *rewriter) fail(at int, format string, args ...any) {
	i := min(sort.Search(len(r.solid), func(i int) bool { return r.solid[i] > at }), len(r.places)) - 1
	pos := r.places[max(i, 0)]
	panic(&parse.Error{Pos: pos, Start: pos, Msg: "portable: " + fmt.Sprintf(format, args...)})
}

// fields adds the tokens in the fields of f-strings.
func (r *rewriter) fields() {
	for _, x := range r.exts {
		if x.Construct != parse.FormattedString {
			continue
		}
		for _, o := range x.Operands {
			toks, _ := parse.Scan(r.file, "("+r.text[o[0]:o[1]]+")")
			for _, t := range toks {
				if t.Kind == parse.Newline || t.Kind == parse.EOF {
					break
				}
				t.Start.Offset += int32(o[0] - 1)
				t.End.Offset += int32(o[0] - 1)
				r.toks = append(r.toks, t)
			}
		}
	}
	slices.SortStableFunc(r.toks, func(a, b parse.Token) int { return cmp.Compare(a.Start.Offset, b.Start.Offset) })
}

// use returns the name of a predeclared function that the text must not bind.
func (r *rewriter) use(name string, at int) string {
	if r.bound[name] {
		r.fail(at, "this needs the predeclared %s, but the text has a %s of its own: rename that", name, name)
	}
	return name
}

// fresh returns a name that the text has not.
func (r *rewriter) fresh(name string) string {
	out := name
	for i := 2; r.names[out]; i++ {
		out = fmt.Sprint(name, i)
	}
	r.names[out] = true
	return out
}

// of returns the text between two offsets, rewritten.
func (r *rewriter) of(lo, hi int) string { return r.parts(lo, hi, true) }

// parts is of; what stands for the text as a whole counts only if whole is set.
func (r *rewriter) parts(lo, hi int, whole bool) string {
	var b strings.Builder
	at := lo
	i := sort.Search(len(r.list), func(i int) bool { return r.list[i].start >= lo })
	for ; i < len(r.list) && r.list[i].start < hi; i++ {
		if w := r.list[i]; w.start >= at && w.end <= hi && (whole || w.start > lo || w.end < hi) {
			b.WriteString(r.text[at:w.start])
			b.WriteString(w.make())
			at = w.end
		}
	}
	b.WriteString(r.text[at:hi])
	return b.String()
}

func (r *rewriter) operand(o [2]int) string { return r.of(o[0], o[1]) }

// between returns the tokens between two offsets.
func (r *rewriter) between(lo, hi int) []parse.Token {
	i := sort.Search(len(r.toks), func(i int) bool { return int(r.toks[i].Start.Offset) >= lo })
	j := i
	for j < len(r.toks) && int(r.toks[j].End.Offset) <= hi && int(r.toks[j].Start.Offset) < hi {
		j++
	}
	return r.toks[i:j]
}

// next returns the index of the first token from an offset on.
func (r *rewriter) next(at int) int {
	return sort.Search(len(r.toks), func(i int) bool { return int(r.toks[i].Start.Offset) >= at })
}

// outside says whether any of some kinds stands between two offsets, in no bracket.
func (r *rewriter) outside(lo, hi int, kinds ...parse.Kind) bool {
	depth := 0
	for _, t := range r.between(lo, hi) {
		switch {
		case isOpen(t.Kind):
			depth++
		case isClose(t.Kind):
			depth--
		case depth == 0 && slices.Contains(kinds, t.Kind):
			return true
		}
	}
	return false
}

// argument is operand, as an argument: a tuple needs parentheses.
func (r *rewriter) argument(o [2]int) string {
	if text := r.operand(o); !r.outside(o[0], o[1], parse.Comma) || r.outside(o[0], o[1], parse.Lambda) {
		return text
	} else {
		return "(" + text + ")"
	}
}

// enclose puts parentheses around what stands for the text between two offsets, unless only what binds less tightly is around it.
func (r *rewriter) enclose(lo, hi int, text string) string {
	i, after := r.next(lo)-1, r.next(hi)
	for i >= 0 && r.toks[i].Kind == parse.Comment {
		i--
	}
	for r.toks[after].Kind == parse.Comment {
		after++
	}
	before := i < 0 || isOpen(r.toks[i].Kind) || looseBefore[r.toks[i].Kind]
	if before && (isClose(r.toks[after].Kind) || looseAfter[r.toks[after].Kind]) {
		return text
	}
	return "(" + text + ")"
}

// looseBefore and looseAfter are the tokens that bind less tightly than all that enclose is for.
var (
	looseBefore = map[parse.Kind]bool{parse.Comma: true, parse.Eq: true, parse.PlusEq: true, parse.Colon: true, parse.Return: true,
		parse.If: true, parse.Elif: true, parse.While: true, parse.Else: true, parse.And: true, parse.Or: true, parse.Newline: true}
	looseAfter = map[parse.Kind]bool{parse.Comma: true, parse.Colon: true, parse.If: true, parse.Else: true, parse.And: true,
		parse.Or: true, parse.Newline: true, parse.Semi: true, parse.EOF: true, parse.For: true}
)

// gap returns what stands between two operands with another operator in the place of the one that is there.
func (r *rewriter) gap(lo, hi int, operator string) string {
	first, last := -1, -1
	for _, t := range r.between(lo, hi) {
		if t.Kind != parse.Comment {
			if first < 0 {
				first = int(t.Start.Offset)
			}
			last = int(t.End.Offset)
		}
	}
	if first < 0 { // no operator was there
		return " " + operator + cmp.Or(r.text[lo:hi], " ")
	}
	return cmp.Or(r.text[lo:first], " ") + operator + cmp.Or(r.text[last:hi], " ")
}

// check makes sure that the result is portable and has all the comments.
func (r *rewriter) check(out string) {
	kept := map[string]int{}
	masked, _ := mask(r.file, out)
	if _, err := parse.File(r.file, masked, parse.Options{Portable: true}); err != nil {
		r.fail(0, "this becomes %q, which is not standard Starlark: %v", masked, err)
	}
	r.resolve(masked)
	toks, _ := parse.Scan(r.file, masked)
	for _, t := range toks {
		if t.Kind == parse.Comment {
			kept[comment(t.Text(masked))]++
		}
	}
	for _, t := range r.toks {
		if t.Kind != parse.Comment {
			continue
		}
		if kept[comment(t.Text(r.text))]--; kept[comment(t.Text(r.text))] < 0 {
			r.fail(int(t.Start.Offset), "the comment %s stands where it cannot be kept: put it on a line before", t.Text(r.text))
		}
	}
}

// resolve makes sure that the result names, assigns and returns as standard Starlark may.
func (r *rewriter) resolve(masked string) {
	options := syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, LoadBindsGlobally: true}
	f, err := options.Parse(r.file, masked, 0)
	if err != nil {
		return // upstream's parser refuses deep trees
	}
	known := func(string) bool { return true }
	var list resolve.ErrorList
	if !errors.As(resolve.File(f, known, known), &list) {
		return
	}
	r.fail(r.source(list[0].Pos.Line), "this does not resolve: %s", list[0].Msg)
}

// source is where in the text a line of the result comes from.
func (r *rewriter) source(line int32) int {
	at, lines := 0, int32(1)
	for _, w := range r.list {
		if w.start < at {
			continue
		}
		for ; at < w.start; at++ {
			if lines == line {
				return at
			}
			if r.text[at] == '\n' {
				lines++
			}
		}
		lines += int32(strings.Count(w.make(), "\n"))
		if at = w.end; lines >= line {
			return w.start
		}
	}
	for ; at < len(r.text) && lines < line; at++ {
		if r.text[at] == '\n' {
			lines++
		}
	}
	return at
}
