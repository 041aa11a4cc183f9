package magic

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const noNames = "No names have been assigned.\n"

func magicWho(c *Call) (starlark.Value, error) {
	names := c.S.UserNames()
	if len(names) == 0 {
		c.Print(noNames)
		return nil, nil
	}
	c.Print(strings.Join(names, "  ") + "\n")
	return nil, nil
}

func magicWhos(c *Call) (starlark.Value, error) {
	names := c.S.UserNames()
	if len(names) == 0 {
		c.Print(noNames)
		return nil, nil
	}
	rows := [][]string{{"Name", "Type", "Value"}}
	for _, name := range names {
		v, _ := c.S.Lookup(name)
		rows = append(rows, []string{name, v.Type(), summary(v)})
	}
	c.Print(Columns(rows))
	return nil, nil
}

// Columns lays out rows in columns under a line below the first; the last column is not padded.
func Columns(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for n, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-len([]rune(cell))+3)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
		if n == 0 {
			total := -3
			for _, w := range widths {
				total += w + 3
			}
			b.WriteString(strings.Repeat("-", total) + "\n")
		}
	}
	return b.String()
}

// summary is a value in a few words: of an array dtype, shape and bytes, of a function its
// signature, of others their text.
func summary(v starlark.Value) string {
	const most = 60
	var text string
	switch v := v.(type) {
	case *np.Array:
		text = fmt.Sprintf("%v%s, %s bytes", v.Dense().DType(), tensor.ShapeString(v.Dense().Shape()),
			thousands(v.Dense().Size()*v.Dense().DType().Size()))
	case value.Callable:
		text = v.Signature()
	case value.Def:
		text = value.FunctionSignature(v)
	case starlark.Sequence:
		n := v.Len()
		isLong := listsElements(v) && 3*n > most
		if !isLong {
			text = value.Repr(v)
		}
		if isLong || len(text) > most && n >= 0 {
			text = fmt.Sprintf("%d elements", n)
		}
	case starlark.String:
		text = value.Repr(v)
		if len(text) > most {
			text = fmt.Sprintf("%d characters", len([]rune(string(v))))
		}
	default:
		text = value.Repr(v)
	}
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most-3]) + "..."
	}
	return text
}

// listsElements reports whether the text of a value has that of each element, with two characters
// more.
func listsElements(v starlark.Value) bool {
	switch v.(type) {
	case *slot.List, *slot.Dict, *slot.Set, starlark.Tuple:
		return true
	}
	return false
}

// magicReset is %reset: all names, or only the history's.
func magicReset(c *Call) (starlark.Value, error) {
	what := strings.Fields(c.Rest)
	for _, w := range what {
		if w != "in" && w != "out" && w != "-f" {
			return nil, fmt.Errorf("%%reset: got %s, want -f, in or out", w)
		}
	}
	if !c.Given("-f") && !slices.Contains(what, "-f") {
		answer, err := session.AskLine(c.S.Output(), c.S.Context(), "Forgotten names cannot be brought back. Forget them (y/[n])? ", false)
		if err != nil {
			return nil, fmt.Errorf("%%reset: %w: %%reset -f does not ask", err)
		}
		if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
			c.Print("Nothing was forgotten.\n")
			return nil, nil
		}
	}
	what = slices.DeleteFunc(what, func(w string) bool { return w == "-f" })
	if len(what) == 0 {
		c.S.ResetNames()
	}
	if len(what) == 0 || slices.Contains(what, "out") {
		c.S.ForgetResults()
	}
	if len(what) == 0 || slices.Contains(what, "in") {
		c.S.ForgetSources()
	}
	return nil, nil
}

// magicRun is %run.
func magicRun(c *Call) (starlark.Value, error) {
	words := strings.Fields(c.Rest)
	switch {
	case len(words) == 0:
		return nil, errors.New("%run: got no file: %run FILE.star")
	case len(words) > 1:
		return nil, fmt.Errorf("%%run: got %s after the file, want nothing: scripts take no arguments", strings.Join(words[1:], " "))
	}
	path := strings.Trim(words[0], `"'`)
	abs := c.S.Absolute(path)
	if c.S.Runs(abs) {
		return nil, fmt.Errorf("%%run: %s runs itself", path)
	}
	if _, err := c.S.Files().Stat(abs); err != nil {
		return nil, fmt.Errorf("%%run: %w", c.S.NoFile("file", path, abs, err))
	}
	return nil, c.S.RunInside(path, abs)
}

// magicAutoreload takes the modes of IPython's extension, which tells modules apart that are named
// to it.
func magicAutoreload(c *Call) (starlark.Value, error) {
	switch mode := strings.ToLower(strings.TrimSpace(c.Rest)); mode {
	case "0", "off":
		c.S.SetAutoReload(false)
	case "1", "2", "3", "explicit", "all", "complete":
		c.S.SetAutoReload(true)
	case "", "now":
		c.S.ReloadChanged()
	default:
		return nil, fmt.Errorf("got %s, want 0, 1, 2 or now", mode)
	}
	return nil, nil
}

func magicLoadExt(c *Call) (starlark.Value, error) {
	if name := strings.TrimSpace(c.Rest); name != "autoreload" {
		return nil, fmt.Errorf("there is no extension %s: there are no extensions; %%lsmagic lists what there is", name)
	}
	return nil, nil
}

func magicReload(c *Call) (starlark.Value, error) {
	c.S.ForgetFiles()
	return nil, nil
}

func magicPwd(c *Call) (starlark.Value, error) { return starlark.String(c.S.Dir()), nil }

func magicCd(c *Call) (starlark.Value, error) {
	path := strings.Trim(c.Rest, `"'`)
	if path == "" {
		path = "~"
	}
	dir := c.S.Absolute(path)
	info, err := c.S.Files().Stat(dir)
	if err == nil && !info.IsDir() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("%%cd: %w", c.S.NoFile("directory", path, dir, err))
	}
	c.S.SetDir(dir)
	c.Print(dir + "\n")
	return nil, nil
}

func magicLs(c *Call) (starlark.Value, error) {
	path := strings.Trim(c.Rest, `"'`)
	dir := c.S.Absolute(path)
	entries, err := c.S.Files().List(dir)
	if err != nil {
		return nil, fmt.Errorf("%%ls: %w", c.S.NoFile("directory", path, dir, err))
	}
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			c.Print(e.Name() + "/\n")
		default:
			c.Print(e.Name() + "\n")
		}
	}
	return nil, nil
}

// magicConfig is %config: without argument all flags, with a name that flag, with name=value it
// sets one. ofIPython are the classes whose options pasted cells set, %config
// IPCompleter.greedy = True: there is nothing here that they would change, but for the formats of
// figures.
var ofIPython = map[string]bool{"InlineBackend": true, "IPCompleter": true, "Completer": true, "InteractiveShell": true, "ZMQInteractiveShell": true}

// figureOptions are the names of the flag figure_format in IPython.
var figureOptions = map[string]bool{"InlineBackend.figure_format": true, "InlineBackend.figure_formats": true}

func magicConfig(c *Call) (starlark.Value, error) {
	name, value, set := strings.Cut(c.Rest, "=")
	name, value = strings.TrimSpace(name), strings.Trim(strings.TrimSpace(value), `"'`)
	from := fmt.Sprintf("%s:%d", c.S.Cell().Name, c.line)
	if figureOptions[name] {
		if name = "figure_format"; set {
			names := strings.FieldsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			if err := c.S.Config().SetFigureFormats(names, from); err != nil {
				return nil, fmt.Errorf("%%config: %w", err)
			}
			return nil, nil
		}
	} else if class, _, dotted := strings.Cut(name, "."); dotted && ofIPython[class] {
		return nil, nil
	}
	if name == "" {
		rows := [][]string{{"Flag", "Value", "Default", "From"}}
		for _, r := range c.S.Config().Flags() {
			rows = append(rows, []string{r.Name, config.Show(r.Value), config.Show(r.Default), r.Source})
		}
		c.Print(Columns(rows))
		for _, h := range c.S.Config().Hints() {
			c.Print("# " + h + "\n")
		}
		return nil, nil
	}
	f, ok := config.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("%%config: %w", config.Unknown(name))
	}
	if set {
		v, err := f.Check(value)
		if err != nil {
			return nil, fmt.Errorf("%%config: %w", err)
		}
		return nil, c.S.Config().Set(f.Name, v, from)
	}
	v, source := c.S.Config().Get(f.Name)
	kind := f.Kind.String()
	if len(f.Choices) > 0 {
		kind += " " + strings.Join(f.Choices, ", ")
	}
	c.Print(fmt.Sprintf("%s = %s  # %s; default %s\n  %s (%s)\n", f.Name, config.Show(v), source, config.Show(f.Default), f.Doc, kind))
	return nil, nil
}

func magicHistory(c *Call) (starlark.Value, error) {
	in := c.S.CellSources()
	ranges, err := cellRanges(c.Rest, in.Len()-1)
	if err != nil {
		return nil, err
	}
	for _, r := range ranges {
		for i := max(1, r[0]); i <= min(r[1], in.Len()-1); i++ {
			code, _ := starlark.AsString(in.Index(i))
			if code == "" {
				continue
			}
			if c.Given("-n") {
				code = fmt.Sprintf("%4d: %s", i, strings.ReplaceAll(code, "\n", "\n      "))
			}
			c.Print(code + "\n")
		}
	}
	return nil, nil
}

// cellRanges are first and last cells: all up to last, as many before it as a number says, or those
// that ranges name, 2-5 or 7-.
func cellRanges(text string, last int) (ranges [][2]int, err error) {
	if text == "" {
		return [][2]int{{1, last}}, nil
	}
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return [][2]int{{last - n + 1, last}}, nil
	}
	for _, word := range strings.Fields(text) {
		from, to, isRange := strings.Cut(word, "-")
		first, err := strconv.Atoi(from)
		end := last
		if err == nil && to != "" {
			end, err = strconv.Atoi(to)
		}
		if err != nil || !isRange || first < 1 {
			return nil, fmt.Errorf("%%history: got %s, want how many cells, an integer > 0, or which: 2-5", text)
		}
		ranges = append(ranges, [2]int{first, end})
	}
	return ranges, nil
}

func magicLsmagic(c *Call) (starlark.Value, error) {
	var b strings.Builder
	list := func(title, mark string, has func(r *Row) bool) {
		b.WriteString(title + "\n")
		for _, r := range c.Table.Rows {
			if has(&r) {
				fmt.Fprintf(&b, "  %-12s %s\n", mark+r.Name, r.Doc)
			}
		}
	}
	list("On a line of its own:", "%", func(r *Row) bool { return r.Line != nil })
	list("On the first line of a cell:", "%%", (*Row).IsCell)
	c.Print(b.String())
	return nil, nil
}

func magicNothing(*Call) (starlark.Value, error) { return nil, nil }

// magicWhoLs is %who_ls.
func magicWhoLs(c *Call) (starlark.Value, error) {
	types := strings.Fields(c.Rest)
	var list []starlark.Value
	for _, name := range c.S.UserNames() {
		v, _ := c.S.Lookup(name)
		if len(types) == 0 || slices.Contains(types, value.TypeName(v)) {
			list = append(list, starlark.String(name))
		}
	}
	return slot.NewList(list), nil
}
