package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A script holds a notebook in jupytext's percent format. A line "# %%" begins a cell of code,
// "# %% [markdown]" and "# %% [raw]" one of text, whose lines are comments. What follows on the
// line is a title, and then what else the cell has, as key=JSON:
//
//	# %% Load the data tags=["parameters"] id="a41c"
//
// A key is one of the cell's metadata, but for those of reserved. An id is written unless it is the
// one that follows from the cell's text. lines=2 says how many lines the cell has, if the marks and
// the blank line before the next do not tell: it ends with a line feed, or has a mark in its text.
//
// A magic on the first line, %%time, is a comment in the script, which other tools read as well.
//
// Metadata of the notebook, if it is not what New gives, stands before all cells:
//
//	# ---
//	# jupyter: {"kernelspec":{"name":"python3"}}
//	# nbformat: 4.4
//	# ---
//
// Outputs are not in scripts: KeepOutputs takes them from the notebook that was there before.

// The keys of a mark that are no metadata of the cell.
const (
	keyID       = "id"
	keyMetadata = "metadata" // an object: what of the metadata cannot stand alone
	keyCell     = "cell"     // an object: attachments, and what the format does not name
	keyLines    = "lines"
	keyTitle    = "title" // metadata that stands before the keys
)

var reserved = []string{keyID, keyMetadata, keyCell, keyLines, keyTitle}

// A ScriptCell is one piece of a script that is also a notebook.
type ScriptCell struct {
	Code  string // without the mark
	Line  int    // line of the file that Code begins on
	Title string
	Kind  Kind
}

// Split splits a script into the cells that are not blank. What stands before the first mark is a
// cell too. A line "# %%name", without space, is a magic of the cell that it is in.
//
// A script without such marks may be one that nbconvert wrote: it is split at "# In[1]:", and
// before magics that follow a blank line.
func Split(text string) []ScriptCell {
	var cells []ScriptCell
	_, pieces := split(text)
	for _, p := range pieces {
		if strings.TrimSpace(p.Code) != "" {
			cells = append(cells, p.ScriptCell)
		}
	}
	return cells
}

// A piece is a cell of a script with all that its mark says.
type piece struct {
	ScriptCell
	keys   Object
	marked bool
}

// split splits a script. The header is nil if it has none.
func split(text string) (header Object, pieces []piece) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	header, first := headerOf(lines)
	isMark := isMarked
	if !slices.ContainsFunc(lines, isMarked) {
		isMark = nil
	}
	p := piece{ScriptCell: ScriptCell{Line: first + 1, Kind: Code}}
	var code []string
	flush := func() {
		p.Code = strings.TrimRight(strings.Join(code, "\n"), "\n")
		if p.marked || strings.TrimSpace(p.Code) != "" {
			pieces = append(pieces, p)
		}
		code = nil
	}
	for i := first; i < len(lines); i++ {
		switch {
		case isMark != nil && isMark(lines[i]):
			flush()
			p = readMark(lines[i], i+2)
			if n := p.exactly(lines[i+1:], isMark); n > 0 {
				p.Code = strings.Join(lines[i+1:i+1+n], "\n")
				pieces = append(pieces, p)
				i += n
				p = piece{ScriptCell: ScriptCell{Line: i + 2, Kind: Code}} // blank, by exactly
			}
		case isMark == nil && converted.MatchString(lines[i]):
			flush()
			p = piece{ScriptCell: ScriptCell{Line: i + 2, Kind: Code}}
		case isMark == nil && magicLine.MatchString(lines[i]) && i > 0 && strings.TrimSpace(lines[i-1]) == "":
			flush()
			p = piece{ScriptCell: ScriptCell{Line: i + 1, Kind: Code}}
			code = append(code, lines[i])
		default:
			code = append(code, lines[i])
		}
	}
	flush()
	return header, pieces
}

// exactly returns how many lines the cell says it has, 0 if it does not say it, or if that is no
// longer so.
func (p piece) exactly(rest []string, isMark func(string) bool) int {
	n, err := strconv.Atoi(string(p.keys[keyLines]))
	if err != nil || n < 1 || n > len(rest) {
		return 0
	}
	for _, line := range rest[n:] {
		if isMark(line) {
			return n
		}
		if strings.TrimSpace(line) != "" {
			return 0
		}
	}
	return n
}

var (
	converted     = regexp.MustCompile(`^# In\[[ \d]*\]:\s*$`)         // a mark of nbconvert
	magicLine     = regexp.MustCompile(`^%%[A-Za-z_]\w*(\s|$)`)        // a magic of a cell
	commentedLine = regexp.MustCompile(`^#( *)(%%[A-Za-z_]\w*(\s|$))`) // the same as a comment
	keyPattern    = regexp.MustCompile(`^[A-Za-z_][\w.\-]*$`)
	pairStart     = regexp.MustCompile(`(^|\s)[A-Za-z_][\w.\-]*=`)
	headerLine    = regexp.MustCompile(`^# (\w+): (.*)$`)
)

func isMarked(line string) bool {
	_, ok := cellMark(line)
	return ok
}

// cellMark reports whether a line begins a cell, and returns what follows the mark.
func cellMark(line string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r"), "#")
	if !ok {
		return "", false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), "%%")
	if !ok || rest != "" && rest[0] != ' ' {
		return "", false
	}
	return strings.TrimSpace(rest), true
}

// readMark reads the line that begins a cell, whose text is at the line given.
func readMark(line string, at int) piece {
	rest, _ := cellMark(line)
	p := piece{ScriptCell: ScriptCell{Line: at, Kind: Code}, marked: true}
	for _, start := range pairStart.FindAllStringIndex(rest, -1) {
		if keys, ok := readPairs(rest[start[0]:]); ok {
			p.keys, rest = keys, rest[:start[0]]
			break
		}
	}
	p.Title = strings.TrimSpace(rest)
	for _, kind := range []Kind{Markdown, Raw} {
		name := "[" + string(kind) + "]"
		if title, ok := strings.CutPrefix(p.Title, name); ok {
			p.Kind, p.Title = kind, strings.TrimSpace(title)
		} else if title, ok := strings.CutSuffix(p.Title, " "+name); ok {
			p.Kind, p.Title = kind, strings.TrimSpace(title)
		}
	}
	return p
}

// readPairs reads key=JSON, again and again.
func readPairs(text string) (Object, bool) {
	keys := Object{}
	for text = strings.TrimSpace(text); text != ""; {
		key, rest, ok := strings.Cut(text, "=")
		if !ok || !keyPattern.MatchString(key) {
			return nil, false
		}
		dec := json.NewDecoder(strings.NewReader(rest))
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return nil, false
		}
		keys[key] = value
		rest = rest[dec.InputOffset():]
		if text = strings.TrimSpace(rest); text != "" && rest == text {
			return nil, false // no space after the value
		}
	}
	return keys, true
}

// headerOf reads what stands before the cells, and returns the number of its lines.
func headerOf(lines []string) (Object, int) {
	const fence = "# ---"
	if lines[0] != fence {
		return nil, 0
	}
	header := Object{}
	for i, line := range lines[1:] {
		if line == fence {
			return header, i + 2
		}
		m := headerLine.FindStringSubmatch(line)
		if m == nil || !json.Valid([]byte(m[2])) {
			break
		}
		header[m[1]] = json.RawMessage(m[2])
	}
	return nil, 0
}

// FromScript is the notebook of a script, without outputs.
func FromScript(text string) (*Notebook, error) {
	nb, err := fromScript(text)
	if err != nil {
		return nil, fmt.Errorf("script: %w", err)
	}
	return nb, nil
}

func fromScript(text string) (*Notebook, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if n := strings.Count(text, "\r\n"); n > 0 && n == strings.Count(text, "\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	nb := New()
	header, pieces := split(text)
	if raw, there := header["jupyter"]; there {
		metadata, err := objectOf(raw, "jupyter")
		if err != nil {
			return nil, err
		}
		nb.Metadata = metadata
	}
	if raw, there := header["nbformat"]; there {
		if _, err := fmt.Sscanf(string(raw), "4.%d", &nb.Minor); err != nil {
			return nil, fmt.Errorf("nbformat: got %s, want 4.5 or another 4", raw)
		}
	}
	if raw, there := header["notebook"]; there {
		var err error
		if nb.Extra, err = objectOf(raw, "notebook"); err != nil {
			return nil, err
		}
	}
	for _, p := range pieces {
		c, err := p.cell()
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", p.Line-1, err)
		}
		nb.Cells = append(nb.Cells, c)
	}
	nb.identify()
	return nb, nil
}

// cell is the cell of a notebook that a piece of a script is.
func (p piece) cell() (*Cell, error) {
	c := &Cell{Kind: p.Kind, Metadata: Object{}}
	if p.Title != "" {
		c.Metadata[keyTitle] = Quote(p.Title)
	}
	for key, raw := range p.keys {
		var err error
		var more Object
		switch key {
		case keyID:
			c.ID, err = textOf(raw, key)
		case keyCell:
			c.Extra, err = objectOf(raw, key)
		case keyMetadata:
			more, err = objectOf(raw, key)
			maps.Copy(c.Metadata, more)
		case keyLines:
		default:
			c.Metadata[key] = raw
		}
		if err != nil {
			return nil, err
		}
	}
	list := strings.Split(p.Code, "\n")
	switch {
	case c.Kind != Code:
		for i, line := range list {
			list[i] = strings.TrimPrefix(strings.TrimPrefix(line, "#"), " ")
		}
	case p.marked:
		list[0] = fromComment(list[0])
	default:
		for len(list) > 1 && strings.TrimSpace(list[0]) == "" { // nbconvert's distance
			list = list[1:]
		}
		list[0] = fromComment(list[0])
	}
	c.Source = strings.Join(list, "\n")
	return c, nil
}

// toComment makes a comment of a magic on the first line of a cell. What is a comment already, and
// a magic all the same, moves by two spaces.
func toComment(line string) string {
	if magicLine.MatchString(line) {
		return "# " + line
	}
	return commentedLine.ReplaceAllString(line, "#$1  $2")
}

func fromComment(line string) string {
	m := commentedLine.FindStringSubmatch(line)
	switch {
	case m == nil || m[1] == "":
		return line
	case m[1] == " ":
		return line[len("# "):]
	}
	return "#" + line[len("#  "):]
}

// ToScript is the notebook as a script, without outputs.
func (nb *Notebook) ToScript() string {
	var b strings.Builder
	nb.writeHeader(&b)
	ids := derivedIDs(nb.Cells)
	for i, c := range nb.Cells {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		list := strings.Split(c.Source, "\n")
		body := list
		switch {
		case c.Source == "":
			body = nil
		case c.Kind != Code:
			body = slices.Clone(list)
			for i, line := range list {
				if body[i] = "#"; line != "" {
					body[i] = "# " + line
				}
			}
		default:
			body = append([]string{toComment(list[0])}, list[1:]...)
		}
		id := c.ID
		if nb.Minor >= 5 && id == ids[i] {
			id = ""
		}
		b.WriteString(c.mark(id, body) + "\n")
		for _, line := range body {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

func (nb *Notebook) writeHeader(b *strings.Builder) {
	same := bytes.Equal(indent(encode(nb.Metadata.Clone())), indent(encode(New().Metadata)))
	if same && nb.Minor == 5 && len(nb.Extra) == 0 {
		return
	}
	b.WriteString("# ---\n")
	fmt.Fprintf(b, "# jupyter: %s\n", encode(nb.Metadata.Clone()))
	if nb.Minor != 5 {
		fmt.Fprintf(b, "# nbformat: 4.%d\n", nb.Minor)
	}
	if len(nb.Extra) > 0 {
		fmt.Fprintf(b, "# notebook: %s\n", encode(nb.Extra))
	}
	b.WriteString("# ---\n")
}

// mark is the line that begins the cell in a script.
func (c *Cell) mark(id string, body []string) string {
	mark := "# %%"
	if c.Kind != Code {
		mark += " [" + string(c.Kind) + "]"
	}
	rest := c.Metadata.Clone()
	if title, err := textOf(rest[keyTitle], keyTitle); err == nil && kindOf(rest[keyTitle]) == "text" && !strings.Contains(title, "\n") {
		with := mark + " " + title
		if p := readMark(with, 0); isMarked(with) && title != "" && p.Title == title && p.Kind == c.Kind && p.keys == nil {
			mark = with
			delete(rest, keyTitle)
		}
	}
	pair := func(key string, raw json.RawMessage) { mark += fmt.Sprintf(" %s=%s", key, raw) }
	if id != "" {
		pair(keyID, Quote(id))
	}
	for _, key := range slices.Sorted(maps.Keys(rest)) {
		if keyPattern.MatchString(key) && !slices.Contains(reserved, key) {
			pair(key, encode(rest[key]))
			delete(rest, key)
		}
	}
	if len(rest) > 0 {
		pair(keyMetadata, encode(rest))
	}
	if len(c.Extra) > 0 {
		pair(keyCell, encode(c.Extra))
	}
	if n := len(body); n > 0 && (body[n-1] == "" || slices.ContainsFunc(body, isMarked)) {
		pair(keyLines, json.RawMessage(strconv.Itoa(n)))
	}
	return mark
}
