package check

import (
	"fmt"
	"io"
	"strings"

	"github.com/arignote/arignote/starlib/visible"
)

// Text writes what would stop a file: the places with their lines, in the order of files as they
// are imported.
func (r *Report) Text(w io.Writer) {
	n, files := 0, 0
	for _, f := range r.Files {
		for _, p := range f.Problems {
			n++
			fmt.Fprintf(w, "%s:%d:%d: %s\n", visible.Text(p.File), p.Line, p.Col, visible.Text(p.Message))
			fmt.Fprintf(w, "    %s\n    %s^\n", visible.Text(p.Source), under(p.Source, p.Col))
			if p.Python3 != "" {
				fmt.Fprintf(w, "  in Python 3: %s\n", visible.Text(p.Python3))
			}
		}
		if len(f.Problems) > 0 {
			files++
		}
	}
	switch {
	case n == 0:
		fmt.Fprintf(w, "%s: nothing that would stop it\n", visible.Text(r.Files[0].File))
	case files > 1:
		fmt.Fprintf(w, "%s in %d files\n", things(n), files)
	default:
		fmt.Fprintln(w, things(n))
	}
}

// things is a number of them.
func things(n int) string {
	if n == 1 {
		return "1 thing would stop it"
	}
	return fmt.Sprintf("%d things would stop it", n)
}

// under is the white space before a caret.
func under(line string, col int) string {
	var b strings.Builder
	for i, r := range []rune(line) {
		if i >= col-1 {
			break
		}
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Summary writes a table of the files of a folder, and one of the reasons.
func (r *Report) Summary(w io.Writer) {
	wide := len("file")
	for _, f := range r.Files {
		wide = max(wide, len([]rune(f.File)))
	}
	clean := 0
	fmt.Fprintf(w, "%-*s  would stop at\n", wide, "file")
	for _, f := range r.Files {
		what := "nothing"
		switch n := len(f.Problems); n {
		case 0:
			clean++
		case 1:
			what = fmt.Sprintf("line %d", f.Problems[0].Line)
		default:
			what = fmt.Sprintf("%d things, the first in line %d", n, f.Problems[0].Line)
		}
		fmt.Fprintf(w, "%-*s  %s\n", wide, visible.Text(f.File), what)
	}
	if len(r.Reasons) > 0 {
		fmt.Fprintf(w, "\nfiles  reason\n")
	}
	for _, x := range r.Reasons {
		fmt.Fprintf(w, "%5d  %s\n", x.Files, visible.Text(x.Reason))
	}
	fmt.Fprintf(w, "\n%d of %d files would not stop\n", clean, len(r.Files))
}
