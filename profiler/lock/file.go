package lock

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Version is that of the files that are written; older ones are read.
const Version = 1

const title = "arignote profile lock "

// A Times is how long runs of the program took on a machine: with times of another one they cannot
// be compared.
type Times struct {
	Machine string
	Runs    []time.Duration
}

// WriteTo writes the file: a number or a few of one thing on a line, so that a diff shows what
// changed. Lines of the source stand there by their text, since numbers move.
func (l *Lock) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d\n", title, Version)
	b.WriteString("# What the program computes, in all calls. arignote profile check holds it against this.\n")
	if l.Program != "" {
		fmt.Fprintf(&b, "program %s\n", l.Program)
	}
	for _, flag := range l.Flags {
		fmt.Fprintf(&b, "flag %s\n", flag)
	}
	fmt.Fprintf(&b, "# in all: %s\n", l.Total().text(false))
	for _, f := range l.Functions {
		fmt.Fprintf(&b, "\nfunction %s\n", f.Name)
		for _, row := range counts {
			if v, ok := f.Counts[row.name]; ok {
				fmt.Fprintf(&b, "  %s %d\n", row.name, v)
			}
		}
		for _, x := range f.Lines {
			fmt.Fprintf(&b, "  line %s\n    %s\n", x.name(), x.Counts.text(true))
			for _, o := range x.Ops {
				fmt.Fprintf(&b, "    %d x %s\n", o.Nodes, o.Name)
			}
		}
	}
	if t := l.Times; t != nil {
		fmt.Fprintf(&b, "\ntimes\n  machine %s\n", t.Machine)
		for _, d := range t.Runs {
			fmt.Fprintf(&b, "  run %d ns\n", d.Nanoseconds())
		}
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// name is how the line is called in the file.
func (l *Line) name() string {
	if l.File == "" {
		return "-"
	}
	return l.File + ": " + l.Text
}

// text is "nodes 3, fusions 1, flops 800".
func (c Counts) text(line bool) string {
	var list []string
	for _, row := range counts {
		if v, ok := c[row.name]; ok && (row.line || !line) {
			list = append(list, fmt.Sprintf("%s %d", row.name, v))
		}
	}
	return strings.Join(list, ", ")
}

// Is reports whether a file begins as a lock does.
func Is(text string) bool { return strings.HasPrefix(text, title) }

// Parse reads what WriteTo writes.
func Parse(text string) (*Lock, error) {
	l, n := &Lock{}, 0
	r := bufio.NewScanner(strings.NewReader(text))
	r.Buffer(nil, len(text)+1)
	for r.Scan() {
		n++
		line := strings.TrimRight(r.Text(), " \t\r")
		if n == 1 {
			if err := readTitle(line); err != nil {
				return nil, err
			}
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := l.read(line); err != nil {
			return nil, fmt.Errorf("line %d: got %.100q, want %w", n, line, err)
		}
	}
	if n == 0 {
		return nil, readTitle("")
	}
	return l, r.Err()
}

// readTitle checks the first line.
func readTitle(line string) error {
	number, ok := strings.CutPrefix(line, title)
	v, err := strconv.Atoi(number)
	if !ok || err != nil || v < 1 {
		return fmt.Errorf("got no lock, want a file that begins with %s1, as arignote profile lock writes it", title)
	}
	if v > Version {
		return fmt.Errorf("got a lock of version %d, want at most %d: a newer arignote wrote it; update this one, or write the lock anew", v, Version)
	}
	return nil
}

// want is what should have stood in a line of the file.
type want string

func (w want) Error() string { return string(w) }

// read reads a line, whose indentation says of what it is.
func (l *Lock) read(line string) error {
	rest := strings.TrimLeft(line, " ")
	word, value, _ := strings.Cut(rest, " ")
	switch depth := len(line) - len(rest); {
	case depth == 0:
		return l.readHead(word, value)
	case l.Times != nil:
		return l.Times.read(word, value)
	case len(l.Functions) == 0:
		return want("a function before its numbers")
	case depth == 2:
		f := &l.Functions[len(l.Functions)-1]
		if word == "line" {
			x := Line{Counts: Counts{}}
			x.File, x.Text, _ = strings.Cut(value, ": ")
			if value == "-" {
				x.File = ""
			}
			f.Lines = append(f.Lines, x)
			return nil
		}
		return f.Counts.read(rest)
	case depth == 4 && len(l.Functions[len(l.Functions)-1].Lines) > 0:
		lines := l.Functions[len(l.Functions)-1].Lines
		return lines[len(lines)-1].read(rest)
	}
	return want("a line of the lock")
}

func (l *Lock) readHead(word, value string) error {
	switch word {
	case "program":
		l.Program = value
	case "flag":
		l.Flags = append(l.Flags, value)
	case "function":
		l.Functions = append(l.Functions, Function{Name: value, Counts: Counts{}})
	case "times":
		l.Times = &Times{}
	default:
		return want("program, flag, function or times")
	}
	return nil
}

func (c Counts) read(list string) error {
	for item := range strings.SplitSeq(list, ", ") {
		name, value, _ := strings.Cut(item, " ")
		v, err := strconv.ParseInt(value, 10, 64)
		if err != nil || !known(name) {
			return want("what is counted and a number")
		}
		c[name] = v
	}
	return nil
}

func known(name string) bool {
	for _, row := range counts {
		if row.name == name {
			return true
		}
	}
	return false
}

func (l *Line) read(rest string) error {
	if number, op, ok := strings.Cut(rest, " x "); ok {
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			l.Ops = append(l.Ops, Op{op, n})
			return nil
		}
	}
	return l.Counts.read(rest)
}

func (t *Times) read(word, value string) error {
	switch word {
	case "machine":
		t.Machine = value
		return nil
	case "run":
		number, ok := strings.CutSuffix(value, " ns")
		if ns, err := strconv.ParseInt(number, 10, 64); ok && err == nil && ns > 0 {
			t.Runs = append(t.Runs, time.Duration(ns))
			return nil
		}
	}
	return want("machine, or run and nanoseconds")
}
