package assist

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/visible"
	"go.starlark.net/starlark"
)

// A Match is one completion.
type Match = struct{ Text, Type, Signature string }

var keywords = []string{
	"and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "load",
	"not", "or", "pass", "return", "while", "True", "False", "None",
}

// Complete returns what may stand in place of code points start to end of code. It
// looks at live values and at the text before the cursor, and executes nothing: it
// follows names and attributes only, never calls or subscripts. While a cell runs, it is
// asked between two instructions of that; inside of one that takes long, the names from before
// it are known, and what modules have.
func (s *Session) Complete(code string, cursor int) (start, end int, matches []Match) {
	runes := []rune(code)
	cursor = min(max(cursor, 0), len(runes))
	before := runes[:cursor]
	start = cursor
	for start > 0 && parse.IsNameRune(before[start-1]) {
		start--
	}
	prefix := string(before[start:])

	if s.Visit(func() { start, end, matches = s.complete(before, start, prefix, code) }) {
		return start, end, matches
	}
	m := matcher{prefix: prefix}
	known, names := s.meanwhile()
	switch {
	case openString(before) >= 0:
	case start > 0 && before[start-1] == '.':
		if chain := chainBefore(before[:start-1]); chain == nil || session.IsStill(known.lookupChain(chain)) {
			known.completeAttr(&m, before[:start-1])
		}
	default:
		for _, name := range append(parse.NamesAssigned(code), names...) {
			if v, ok := known.Globals().Lookup(name); ok {
				m.addValue(name, v)
			} else {
				m.add(name, "instance", "")
			}
		}
		for _, k := range keywords {
			m.add(k, "keyword", "")
		}
	}
	return start, cursor, m.list
}

// complete completes a prefix that begins at start, where before is the code up to the cursor.
func (s *Session) complete(before []rune, start int, prefix, code string) (from, end int, matches []Match) {
	cursor := len(before)
	line := string(before[lineStart(before):])
	m := matcher{prefix: prefix}
	if rest, ok := magic.MagicText(strings.TrimLeft(line, " \t")); ok || strings.TrimLeft(line, "# ") == "%%" {
		s.completeMagic(&m, strings.TrimLeft(rest, "%"))
		return start, cursor, m.list
	}
	if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "%"); ok && enclosingBracket(before) < 0 {
		name, rest, inRest := strings.Cut(rest, " ")
		if start, list, ok := s.completeLineMagic(name, rest, inRest, start, cursor, prefix); ok {
			return start, cursor, list
		}
	}
	if quote := openString(before); quote >= 0 {
		return s.completeString(before, quote)
	}
	if s.completeImport(&m, string(before[:start])) {
		return start, cursor, m.list
	}
	if start > 0 && before[start-1] == '.' {
		s.completeAttr(&m, before[:start-1])
		return start, cursor, m.list
	}
	s.completeName(&m, before[:start], code)
	return start, cursor, m.list
}

// matcher collects the candidates that begin with prefix, each once, in order.
type matcher struct {
	prefix string
	list   []Match
	seen   map[string]bool
}

func (m *matcher) add(text, typ, signature string) {
	if !strings.HasPrefix(text, m.prefix) || strings.HasPrefix(text, "_") && m.prefix == "" {
		return
	}
	if m.seen[text] {
		return
	}
	if m.seen == nil {
		m.seen = map[string]bool{}
	}
	m.seen[text] = true
	m.list = append(m.list, Match{text, typ, signature})
}

func (m *matcher) addValue(name string, v starlark.Value) {
	typ, signature := kindOf(v)
	m.add(name, typ, signature)
}

// kindOf returns a value's kind in the words front ends have icons for.
func kindOf(v starlark.Value) (typ, signature string) {
	if b := value.AsBuiltin(v); b != nil {
		return "function", b.Signature()
	}
	switch v := v.(type) {
	case value.Def:
		return "function", value.FunctionSignature(v)
	case value.Signed:
		return "function", v.Signature()
	case starlark.Callable:
		return "function", ""
	case *value.Module, *session.FileModule:
		return "module", ""
	}
	return "instance", v.Type()
}

// completeName offers, in this order: parameters of the call that the cursor is in,
// names assigned in the cell, the user's, the predeclared, keywords.
func (s *Session) completeName(m *matcher, before []rune, code string) {
	if open := enclosingCall(before); open >= 0 {
		s.completeKeyword(m, before[:open])
	}
	for _, name := range parse.NamesAssigned(code) {
		if v, ok := s.Globals().Lookup(name); ok {
			m.addValue(name, v)
		} else {
			m.add(name, "instance", "")
		}
	}
	var user, other []string
	for name := range s.Globals().All() {
		switch {
		case strings.HasPrefix(name, "$"):
		case s.IsUser(name):
			user = append(user, name)
		default:
			other = append(other, name)
		}
	}
	slices.Sort(user)
	slices.Sort(other)
	for _, name := range append(user, other...) {
		m.addValue(name, s.Globals().Get(name))
	}
	for _, k := range keywords {
		m.add(k, "keyword", "")
	}
}

// completeKeyword offers name= for the parameters of the function named at the end of text.
func (s *Session) completeKeyword(m *matcher, text []rune) {
	v := s.calledBefore(text)
	if b := value.AsBuiltin(v); b != nil {
		for _, p := range b.Params {
			if p.Name[0] != '*' {
				m.add(p.Name+"=", "param", p.Default)
			}
		}
		return
	}
	switch f := v.(type) {
	case value.Def:
		names, defaults := value.NamedParams(f, 0)
		for i, name := range names {
			standard := ""
			if defaults[i] != nil {
				standard = value.Repr(defaults[i])
			}
			m.add(name+"=", "param", standard)
		}
	case value.Signed:
		for _, name := range f.ParamNames() {
			m.add(name+"=", "param", "")
		}
	}
}

// calledBefore returns the function whose name text ends in; nil if it is not known.
func (s *Session) calledBefore(text []rune) starlark.Value {
	c := s.chainAt(text)
	if c.first == nil {
		return s.lookupChain(c.names)
	}
	v, err := value.Look(c.first, c.names[0])
	if err != nil {
		return nil
	}
	return v
}

// literalBefore returns a value of the type of the literal that text ends in: "a", [1, 2] or {};
// nil if there is none.
func literalBefore(text []rune) starlark.Value {
	if len(text) == 0 {
		return nil
	}
	last := len(text) - 1
	switch text[last] {
	case '"', '\'':
		return starlark.String("")
	case ']':
		open := enclosingBracket(text[:last])
		if open < 0 || open > 0 && (parse.IsNameRune(text[open-1]) || strings.ContainsRune(")]}\"'", text[open-1])) {
			return nil // a subscript
		}
		return slot.NewList(nil)
	case '}':
		return new(slot.Dict)
	}
	return nil
}

func (s *Session) completeAttr(m *matcher, before []rune) {
	v := s.lookupChain(chainBefore(before))
	if v == nil {
		v = literalBefore(before)
	}
	if v == nil {
		v = s.chainAbove(chainBefore(before), string(before))
	}
	if v == nil {
		return
	}
	table := tableOf(v)
	for _, name := range value.AttrNames(v) {
		if table != nil && table.Field(name) != nil { // computing it may be work
			m.add(name, "property", table.Field(name).Doc)
		} else if x := lookedAt(v, name); x != nil {
			m.addValue(name, x)
		} else {
			m.add(name, "", "")
		}
	}
}

// lookedAt is an attribute of a value as completion sees it: nil if there is none, and for a part
// of a module, since looking it up would run the file of the part.
func lookedAt(v starlark.Value, name string) starlark.Value {
	if m, ok := v.(*value.Module); ok && m.IsPart(name) {
		return nil
	}
	x, err := value.Look(v, name)
	if err != nil {
		return nil
	}
	return x
}

// completeMagic offers magics, and the flags and values of one. text is the line after %%.
func (s *Session) completeMagic(m *matcher, text string) {
	name, rest, inFlags := strings.Cut(text, " ")
	if !inFlags {
		for _, r := range s.Magics().Rows {
			if r.IsCell() {
				m.add(r.Name, "magic", r.Doc)
			}
		}
		return
	}
	row := s.Magics().Named("%%" + name)
	words := strings.Split(rest, " ")
	last := words[len(words)-1]
	if flag, _, ok := strings.Cut(last, "="); ok {
		completeValue(m, row, flag)
		return
	}
	if i := strings.LastIndex(last, "."); i >= 0 {
		for _, f := range config.Members(last[:i]) {
			m.add(f+"=", "param", "")
		}
		return
	}
	if row != nil {
		for _, f := range row.Own {
			m.add(f.Name+"=", "param", f.Doc)
		}
	}
	for _, f := range config.Table() {
		m.add(f.Name+"=", "param", f.Doc)
	}
}

// completeValue offers the values of a flag of a magic.
func completeValue(m *matcher, row *magic.Row, flag string) {
	f, ok := config.Lookup(flag)
	if row != nil && row.Flag(flag) != nil {
		f, ok = row.Flag(flag).Flag()
	}
	switch {
	case ok && f.Kind == config.Bool:
		m.add("True", "keyword", "")
		m.add("False", "keyword", "")
	case ok:
		for _, c := range f.Choices {
			m.add(c, "keyword", "")
		}
	}
}

// completeString completes inside a string that begins at quote: keys in a subscript of a dict,
// values of flags and of dtype, file names in other arguments.
func (s *Session) completeString(before []rune, quote int) (start, end int, matches []Match) {
	m := matcher{prefix: string(before[quote+1:])}
	open := strings.TrimRight(string(before[:quote]), " ")
	switch {
	case strings.HasSuffix(open, "load(") && !strings.HasSuffix(open, ".load("):
		s.completePath(&m, ".star")
	case strings.HasSuffix(open, "["):
		d, ok := s.lookupChain(chainBefore([]rune(strings.TrimSuffix(open, "[")))).(*slot.Dict)
		if !ok {
			break
		}
		for _, k := range d.Keys() {
			if k, ok := starlark.AsString(k); ok {
				m.add(k, "instance", "")
			}
		}
	case strings.HasSuffix(open, "="):
		s.completeArgument(&m, []rune(strings.TrimRight(strings.TrimSuffix(open, "="), " ")))
	case strings.HasSuffix(open, "("), strings.HasSuffix(open, ","):
		s.completePath(&m, anyFile)
	}
	return quote + 1, len(before), m.list
}

// completeArgument offers the texts that a flag, or an argument dtype, may be. before ends with its
// name.
func (s *Session) completeArgument(m *matcher, before []rune) {
	names := chainBefore(before)
	last := len(names) - 1
	switch {
	case last == 0 && names[0] == "dtype":
		for _, d := range kernels.DTypes() {
			m.add(d.String(), "instance", "")
		}
	case last > 0:
		if owner, ok := s.lookupChain(names[:last]).(*session.ConfigValue); ok {
			f, _, _ := owner.Flag(names[last])
			for _, c := range f.Choices {
				m.add(c, "instance", "")
			}
		}
	}
}

// anyFile stands for all extensions.
const anyFile = "*"

// completePath offers the directories and the files of an extension that the prefix may become.
func (s *Session) completePath(m *matcher, ext string) {
	dir, _ := filepath.Split(m.prefix)
	entries, _ := s.Files().List(s.Absolute(dir))
	for _, e := range entries {
		switch {
		case visible.Text(e.Name()) != e.Name(): // front ends show names as they are
		case e.IsDir() && !strings.HasPrefix(e.Name(), "."):
			m.add(dir+e.Name()+"/", "path", "")
		case ext == anyFile && !strings.HasPrefix(e.Name(), "."), ext != "" && strings.HasSuffix(e.Name(), ext):
			m.add(dir+e.Name(), "path", "")
		}
	}
}

// completeLineMagic completes a line %name rest; ok is false where rest is code, in which the
// cursor is.
func (s *Session) completeLineMagic(name, rest string, inRest bool, at, cursor int, prefix string) (start int, list []Match, ok bool) {
	m := matcher{prefix: prefix}
	if !inRest {
		for _, r := range s.Magics().Rows {
			if r.Line != nil {
				m.add(r.Name, "magic", r.Doc)
			}
		}
		return at, m.list, true
	}
	row, err := s.Magics().Find(name, false)
	if err != nil {
		return at, nil, true
	}
	words := strings.Split(rest, " ")
	last := words[len(words)-1]
	if strings.HasPrefix(last, "-") {
		m.prefix = last
		for _, p := range row.Params {
			if p.Name[0] == '-' {
				option, _, _ := strings.Cut(p.Name, " ")
				m.add(option, "param", p.Doc)
			}
		}
		return cursor - len([]rune(last)), m.list, true
	}
	if row.Code || row.Name == "help" || strings.HasPrefix(row.Name, "pinfo") || row.Name == "store" {
		return at, nil, false
	}
	if row.Complete != nil {
		for _, word := range row.Complete(s.Session, words) {
			m.add(word, "param", "")
		}
		return at, m.list, true
	}
	if row.Name == "config" {
		s.completeMagic(&m, "flags "+rest)
		return at, m.list, true
	}
	ext, takesPath := map[string]string{"cd": "", "ls": "", "run": ".star", "load": anyFile}[row.Name]
	if !takesPath {
		return at, nil, true
	}
	m.prefix = last
	s.completePath(&m, ext)
	return cursor - len([]rune(last)), m.list, true
}

// lookupChain follows a.b.c through values; nil if a part is missing.
func (s *Session) lookupChain(parts []string) starlark.Value {
	if len(parts) == 0 {
		return nil
	}
	v := s.Globals().Get(parts[0])
	for _, name := range parts[1:] {
		if v == nil || s.seen != nil && !session.IsStill(v) {
			return nil
		}
		x, err := value.Look(v, name)
		if err != nil {
			return nil
		}
		v = x
	}
	return v
}

func lineStart(text []rune) int {
	for i := len(text); i > 0; i-- {
		if text[i-1] == '\n' {
			return i
		}
	}
	return 0
}

// chainBefore returns the parts of the dotted name that text ends in; nil if it ends in
// anything else, such as f().x, whose value is not known without running it.
func chainBefore(text []rune) []string {
	i := len(text)
	for i > 0 && (parse.IsNameRune(text[i-1]) || text[i-1] == '.') {
		i--
	}
	if i > 0 && strings.ContainsRune(")]}\"'", text[i-1]) && i < len(text) && text[i] == '.' {
		return nil
	}
	chain := string(text[i:])
	if chain == "" || chain[0] == '.' || unicode.IsDigit(rune(chain[0])) {
		return nil
	}
	return strings.Split(chain, ".")
}

// scan walks text outside comments and calls bracket for each bracket outside strings.
// It returns where the string that text ends inside of begins, or -1.
func scan(text []rune, bracket func(i int, r rune)) (open int) {
	for i := 0; i < len(text); i++ {
		switch r := text[i]; r {
		case '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case '"', '\'':
			triple := i+2 < len(text) && text[i+1] == r && text[i+2] == r
			end := parse.Closing(text, i, r, triple)
			if end < 0 {
				return i
			}
			i = end
		case '(', '[', '{', ')', ']', '}':
			bracket(i, r)
		}
	}
	return -1
}

func openString(text []rune) int { return scan(text, func(int, rune) {}) }

// enclosingCall returns the index of the parenthesis of the innermost call that text
// ends inside of, or -1.
func enclosingCall(text []rune) int {
	stack := openBrackets(text)
	for i := len(stack) - 1; i >= 0; i-- {
		if open := stack[i]; text[open] == '(' && open > 0 && parse.IsNameRune(text[open-1]) {
			return open
		}
	}
	return -1
}

// enclosingBracket returns the index of the innermost bracket that text ends inside of, or -1.
func enclosingBracket(text []rune) int {
	if stack := openBrackets(text); len(stack) > 0 {
		return stack[len(stack)-1]
	}
	return -1
}

// openBrackets returns the indexes of the brackets that text ends inside of, outermost first.
func openBrackets(text []rune) []int {
	var stack []int
	scan(text, func(i int, r rune) {
		if strings.ContainsRune("([{", r) {
			stack = append(stack, i)
		} else if len(stack) > 0 {
			stack = stack[:len(stack)-1]
		}
	})
	return stack
}
