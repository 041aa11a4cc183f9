package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reeflective/readline"
	"golang.org/x/term"

	"github.com/arignote/arignote/starlib"
)

// editor reads cells at a terminal, with the user's ~/.inputrc.
type editor struct {
	session  *starlib.Session
	stderr   io.Writer
	shell    *readline.Shell
	history  *history
	colors   palette
	keywords map[string]bool

	mute   bool // the terminal does not say where its cursor is
	listed int  // completions in the list below the cell

	mu       sync.Mutex // a question that nobody has answered may outlive its cell
	count    int        // of the prompt
	question *question  // nil: a cell is edited
	indent   string     // of the line that Enter has begun
}

// question is what input() asks.
type question struct {
	prompt   string
	password bool
}

const tabWidth = 4

// newEditor takes over the terminal. A history that cannot be kept is told of on stderr, and is
// this session's only.
func newEditor(s *starlib.Session, stderr io.Writer, colors palette, historyFile string) (*editor, error) {
	h, err := newHistory(historyFile)
	if err != nil {
		fmt.Fprintf(stderr, "%v; nothing is kept\n", err)
		h.path = ""
	}
	e := &editor{session: s, stderr: stderr, shell: readline.NewShell(), history: h, colors: colors, keywords: map[string]bool{}}
	_, _, all := s.Complete("", 0)
	for _, m := range all {
		e.keywords[m.Text] = m.Type == "keyword"
	}
	sh := e.shell
	for name, value := range map[string]any{
		"enable-bracketed-paste":       true,
		"revert-all-at-newline":        true,   // or Up shows what was once edited at the same distance
		"menu-complete-display-prefix": true,   // Tab inserts what is certain; Tab again chooses
		"comment-begin":                "\x00", // the editor would grey every # by itself, those in strings too
		"multiline-column":             false,
		"multiline-column-numbered":    false,
		"multiline-column-custom":      "",
		"history-autosuggest":          false,
		"autocomplete":                 false,
		"cursor-position-probe":        false, // see probe
		"convert-meta":                 false, // the terminal sends UTF-8
		"input-meta":                   true,
		"output-meta":                  true,
	} {
		if err := sh.Config.Set(name, value); err != nil {
			return nil, fmt.Errorf("editor: %w", err)
		}
	}
	sh.History.Add("history", h)
	sh.Prompt.Primary(e.prompt)
	sh.Prompt.Secondary(func() string { return "" })
	sh.SyntaxHighlighter = e.render
	sh.Completer = e.complete
	sh.AcceptMultiline = e.accept
	e.override("accept-line", func(accept func()) {
		e.indent = ""
		accept()
		sh.Cursor().InsertAt([]rune(e.indent)...)
	})
	e.override("complete", func(func()) {
		if n := e.blankBefore(); n >= 0 && e.question == nil {
			sh.Cursor().InsertAt([]rune(strings.Repeat(" ", tabWidth-n%tabWidth))...)
			return
		}
		sh.Keymap.Commands()["menu-complete"]()
	})
	e.override("backward-delete-char", func(back func()) {
		n := 1
		if blank := e.blankBefore(); blank > 0 {
			n = (blank-1)%tabWidth + 1
		}
		for range n {
			back()
		}
	})
	for _, name := range menus {
		e.override(name, func(open func()) {
			if sh.Keymap.Local() == "" {
				e.askCursor()
			}
			e.probe(true)
			open()
		})
	}
	// Without a menu, Ctrl-C gives the cell up. The editor's own command would look at the next key
	// first, and lose it.
	e.override("abort", func(abort func()) {
		if sh.Keymap.Local() != "" || string(sh.Keys.Caller()) != "\x03" {
			abort()
			return
		}
		sh.Display.AcceptLine()
		sh.History.Accept(false, false, errGivenUp)
	})
	// The arrows move in a cell first.
	e.override("previous-history", func(func()) { sh.Keymap.Commands()["up-line-or-history"]() })
	e.override("next-history", func(func()) { sh.Keymap.Commands()["down-line-or-history"]() })
	return e, nil
}

// menus are the commands that show a list below the cell.
var menus = []string{
	"menu-complete", "menu-complete-backward", "possible-completions", "menu-incremental-search",
	"reverse-search-history", "forward-search-history", "incremental-reverse-search-history", "incremental-forward-search-history",
}

// probe says whether the editor asks the terminal where the cursor is, each time it draws. It needs
// to know how much room there is for a list; but whatever is typed while it waits for the answer
// may be lost, so it does not ask without a list.
func (e *editor) probe(on bool) { e.shell.Config.Set("cursor-position-probe", on && !e.mute) }

// askCursor finds out whether the terminal answers, before a list opens: the editor itself would
// wait for ever. Where it does not, render makes room for the list as it does for the cell.
func (e *editor) askCursor() {
	if e.mute { // it would be asked in vain for a second each time
		return
	}
	tells, typed := tellsCursor()
	e.mute = !tells
	e.shell.Keys.Feed(false, []rune(string(typed))...)
}

// override makes a command of the editor do more, whatever keys it is bound to.
func (e *editor) override(name string, f func(original func())) {
	original := e.shell.Keymap.Commands()[name]
	e.shell.Keymap.Register(map[string]func(){name: func() { f(original) }})
}

// blankBefore returns how many spaces stand before the cursor if nothing else does in its line, and
// -1 otherwise.
func (e *editor) blankBefore() int {
	before := string((*e.shell.Line())[:e.shell.Cursor().Pos()])
	line := before[strings.LastIndex(before, "\n")+1:]
	if strings.Trim(line, " ") != "" || e.shell.Keymap.Local() != "" {
		return -1
	}
	return len(line)
}

func (e *editor) prompt() string {
	if e.question != nil {
		return e.question.prompt
	}
	return e.colors.paint(prompt, fmt.Sprintf("In [%d]: ", e.count))
}

// accept decides whether Enter ends the cell. In the middle of a cell it does not: there it splits
// a line.
func (e *editor) accept(line []rune) bool {
	if e.question != nil {
		return true
	}
	at := e.shell.Cursor().Pos()
	before, after := string(line[:at]), string(line[at:])
	_, below, _ := strings.Cut(after, "\n")
	ok, indent := true, ""
	if strings.Contains(string(line), "\n") {
		ok, indent = complete(e.session, before)
	} else {
		ok, indent = complete(e.session, string(line))
	}
	if ok && strings.TrimSpace(below) == "" {
		return true
	}
	e.indent = indent
	return false
}

// render is the text of the editor: coloured, with prompts before the lines after the first, which
// the editor indents by the width of the first prompt and otherwise leaves blank.
func (e *editor) render(line []rune) string {
	listing := e.shell.Keymap.Local() != ""
	e.probe(listing)
	text, indent := string(line), e.shell.Prompt.LastUsed()
	width, height, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || width <= 0 {
		width, height = 80, 25
	}
	lengths := strings.Split(text, "\n")
	rows := 0
	for i := range lengths {
		rows += 1 + (indent+utf8.RuneCountInString(lengths[i]))/width
	}
	if listing && e.mute {
		rows += e.listed + 1
	}
	room := reserve(min(rows, height-1))
	switch {
	case e.question != nil && e.question.password:
		return room + strings.Repeat("*", len(line))
	case e.question != nil:
		return room + text
	}
	lines := strings.Split(e.colors.source(text, func(s string) bool { return e.keywords[s] }), "\n")
	for i := range lines {
		if i > 0 {
			lines[i] = "\r" + e.colors.paint(prompt, continuation(e.count)) + lines[i]
		}
		// The editor does not clear what stands behind a line that has many escapes. At the last
		// column the cursor waits on what it would clear.
		if i < len(lines)-1 && (indent+utf8.RuneCountInString(lengths[i]))%width != 0 {
			lines[i] += "\x1b[K"
		}
	}
	return room + strings.Join(lines, "\n")
}

// reserve makes room below the cursor, where the editor, if it does not ask for the cursor's place,
// takes it that there is some: rows down, at which the terminal scrolls, and up again.
func reserve(rows int) string {
	return strings.Repeat("\x1bD", rows) + fmt.Sprintf("\x1b[%dA", rows)
}

func (e *editor) complete(line []rune, cursor int) readline.Completions {
	if e.question != nil {
		return readline.Completions{}
	}
	start, end, matches := e.session.Complete(string(line), cursor)
	// The editor takes an empty prefix for one that it has to find itself, and counts the bytes of
	// one where it should count letters: so it gets the letter before an empty one, and of others
	// what follows the last letter that is not ASCII.
	skip, lead := 0, ""
	if start == cursor && start > 0 {
		start--
		lead = string(line[start])
	}
	for i, r := range line[start:cursor] {
		if r > unicode.MaxASCII {
			skip = i + 1
		}
	}
	if start+skip >= cursor {
		return readline.Completions{}
	}
	var values []readline.Completion
	for _, m := range matches {
		shown := m.Signature // of a function: it begins with the name
		if !strings.HasPrefix(shown, m.Text+"(") {
			shown = strings.TrimRight(m.Text+"  "+cmp.Or(m.Signature, m.Type), " ")
		}
		values = append(values, readline.Completion{Value: string([]rune(lead + m.Text)[skip:]), Display: shown})
	}
	if _, height, err := term.GetSize(int(os.Stdout.Fd())); err == nil && e.mute {
		values = values[:min(len(values), height/2)]
	}
	e.listed = len(values)
	c := readline.CompleteRaw(values).NoSort().DisplayList()
	c.PREFIX, c.SUFFIX = string(line[start+skip:cursor]), string(line[cursor:end])
	return c
}

func (e *editor) read(_ context.Context, count int) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.count = count
	cell, err := e.readline()
	if err != nil {
		return "", err
	}
	if err := e.history.add(cell); err != nil {
		fmt.Fprintf(e.stderr, "%v; nothing is kept\n", err)
		e.history.path = ""
	}
	return cell, nil
}

func (e *editor) ask(_ context.Context, prompt string, password bool) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.question, e.history.hidden = &question{prompt, password}, true
	defer func() { e.question, e.history.hidden = nil, false }()
	return e.readline()
}

func (e *editor) readline() (string, error) {
	e.probe(false)
	line, err := e.shell.Readline()
	if errors.Is(err, readline.ErrInterrupt) {
		return "", errGivenUp
	}
	if errors.Is(err, io.EOF) {
		return "", io.EOF
	}
	return line, err
}
