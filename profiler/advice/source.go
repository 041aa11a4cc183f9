package advice

import (
	"regexp"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
)

// What a rule has to know of the program that no profile measures, such as whether a line is in a
// loop, its text says. Programs are Python-shaped: blocks are what is indented.

// code is a line without its comment.
func (f *finder) code(file string, line int) string {
	lines, ok := f.texts[file]
	if !ok {
		lines = strings.Split(f.Sources[file], "\n")
		f.texts[file] = lines
	}
	if line < 1 || line > len(lines) {
		return ""
	}
	text := lines[line-1]
	quote := rune(0)
	for i, c := range text {
		switch {
		case quote == 0 && c == '#':
			return strings.TrimRight(text[:i], " \t")
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return strings.TrimRight(text, " \t\r")
}

// statement is the line with those that follow it as long as parentheses are open.
func (f *finder) statement(file string, line int) string {
	const most = 8
	text := f.code(file, line)
	for range most {
		if open := strings.Count(text, "(") + strings.Count(text, "["); open <= strings.Count(text, ")")+strings.Count(text, "]") {
			break
		}
		line++
		text += " " + strings.TrimSpace(f.code(file, line))
	}
	return text
}

func indent(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }

var (
	loopHeader = regexp.MustCompile(`^\s*(for|while)\b`)
	defHeader  = regexp.MustCompile(`^\s*def\s+(\w+)`)
)

// around are the headers of the loops around a line, innermost first, in the function that the line
// is in, and the header of that function; 0 outside of any.
func (f *finder) around(file string, line int) (loops []int, def int) {
	depth := indent(f.code(file, line))
	if loopHeader.MatchString(f.code(file, line)) {
		// what its header calls it calls again and again, or once: for x in f()
		loops = append(loops, line)
	}
	for line--; line > 0 && depth > 0; line-- {
		text := f.code(file, line)
		if strings.TrimSpace(text) == "" || indent(text) >= depth {
			continue
		}
		depth = indent(text)
		if defHeader.MatchString(text) {
			return loops, line
		}
		if loopHeader.MatchString(text) {
			loops = append(loops, line)
		}
	}
	return loops, 0
}

// block are the lines of the block that a header begins, with the header.
func (f *finder) block(file string, header int) []string {
	const most = 200
	list := []string{f.code(file, header)}
	depth, empty := indent(list[0]), 0
	for line := header + 1; len(list) < most && empty < most; line++ {
		text := f.code(file, line)
		if strings.TrimSpace(text) == "" {
			empty++ // also past the end
			continue
		}
		if indent(text) <= depth {
			break
		}
		list = append(list, text)
	}
	return list
}

// comprehension matches what runs an expression again and again.
var comprehension = regexp.MustCompile(`\bfor\b.*\bin\b`)

// callers are the lines by which a line was reached, innermost first, each with its loops.
func (f *finder) callers(at profiler.CellLine) (list []profiler.CellLine) {
	for _, s := range f.Cell.Spots {
		if s.File != at.File || s.Line != at.Line {
			continue
		}
		for _, o := range slices.Backward(s.Outer) {
			if !slices.ContainsFunc(list, func(l profiler.CellLine) bool { return l.File == o.File && l.Line == o.Line }) {
				list = append(list, profiler.CellLine{File: o.File, Line: o.Line})
			}
		}
	}
	return list
}

// repeats reports whether a line runs again and again by its own text.
func (f *finder) repeats(file string, line int) bool {
	loops, _ := f.around(file, line)
	return len(loops) > 0 || comprehension.MatchString(f.code(file, line))
}

// closing is the place in text of the parenthesis that closes the one at open, -1 if there is none.
func closing(text string, open int) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// arguments are those of the call whose parenthesis is at open, one each.
func arguments(text string, open int) (list []string) {
	end := closing(text, open)
	if end < 0 {
		return nil
	}
	begin, depth := open+1, 0
	for i := begin; i <= end; i++ {
		switch c := text[i]; {
		case i == end || c == ',' && depth == 0:
			if a := strings.TrimSpace(text[begin:i]); a != "" {
				list = append(list, a)
			}
			begin = i + 1
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
	}
	return list
}

// assigns matches an assignment to a name, an attribute or an element of either.
var assigns = regexp.MustCompile(`^\s*([\w.]+(?:\[[\w"']+\])?)\s*(?:[-+*/]|//|\*\*|@)?=\s*([^=].*)$`)

// followsItself reports whether a line calls a function with what an earlier call of it gave:
// v = f(v), or v = u / norm(u) between.
func (f *finder) followsItself(file string, line int) bool {
	text := f.statement(file, line)
	m := assigns.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	from := map[string]bool{m[1]: true} // what follows from the result
	loops, _ := f.around(file, line)
	if len(loops) > 0 {
		body := f.block(file, loops[len(loops)-1])
		for range body { // until nothing is added
			before := len(from)
			for _, other := range body {
				if a := assigns.FindStringSubmatch(other); a != nil && other != f.code(file, line) && mentions(a[2], from) {
					from[a[1]] = true
				}
			}
			if len(from) == before {
				break
			}
		}
	}
	_, given, _ := strings.Cut(m[2], "(")
	return mentions(given, from)
}

var word = regexp.MustCompile(`[A-Za-z_][\w.]*`)

// mentions reports whether one of the names is in an expression.
func mentions(text string, names map[string]bool) bool {
	return slices.ContainsFunc(word.FindAllString(text, -1), func(w string) bool {
		first, _, _ := strings.Cut(w, ".")
		return names[w] || names[first] // v in v.T
	})
}
