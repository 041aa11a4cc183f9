package format_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/format"
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// difference returns where two trees differ, in what they mean, or "".
func difference(a, b reflect.Value, path string) string {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return fmt.Sprintf("%s: got %v, want %v", path, a, b)
	}
	if !a.IsValid() {
		return ""
	}
	switch x := a.Interface().(type) {
	case syntax.Position:
		return ""
	case *big.Int:
		if x.Cmp(b.Interface().(*big.Int)) != 0 {
			return fmt.Sprintf("%s: got %v, want %v", path, a, b)
		}
		return ""
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return fmt.Sprintf("%s: got %v, want %v", path, a, b)
			}
			return ""
		}
		return difference(a.Elem(), b.Elem(), path)
	case reflect.Slice:
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s: got %d elements, want %d", path, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if d := difference(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i)); d != "" {
				return d
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if f.Name == "commentsRef" || f.Name == "Raw" {
				continue
			}
			if d := difference(a.Field(i), b.Field(i), path+"."+f.Name); d != "" {
				return d
			}
		}
	default:
		if !a.Equal(b) {
			return fmt.Sprintf("%s: got %v, want %v", path, a, b)
		}
	}
	return ""
}

// comments lists the comments of a text, without what is said to change in them.
func comments(text string) (list []string) {
	toks, _ := parse.Scan("a.star", text)
	for _, t := range toks {
		if t.Kind == parse.Comment {
			list = append(list, strings.TrimSpace(strings.TrimPrefix(t.Text(text), "#")))
		}
	}
	return list
}

// wrong returns what is wrong with the layout of a text, or "". Refused says that the text has a
// mistake.
func wrong(text string) (refused bool, what string) {
	out, err := format.Source("a.star", text)
	if err != nil {
		if _, ok := err.(*format.Error); !ok {
			return true, fmt.Sprintf("error %T", err)
		}
		return true, ""
	}
	again, err := format.Source("a.star", out)
	if err != nil {
		return false, fmt.Sprintf("formatted to what does not parse: %v\n%s", err, out)
	}
	if again != out {
		return false, fmt.Sprintf("formatted to\n%s\nand then to\n%s", out, again)
	}
	a, errA := parse.File("a.star", strings.TrimPrefix(text, "\ufeff"), parse.Options{})
	b, errB := parse.File("a.star", strings.TrimPrefix(out, "\ufeff"), parse.Options{})
	if errA != nil { // there are magics or cells of text
		return false, ""
	}
	if errB != nil {
		return false, fmt.Sprintf("%v in\n%s", errB, out)
	}
	if d := difference(reflect.ValueOf(b.Stmts), reflect.ValueOf(a.Stmts), "file"); d != "" {
		return false, fmt.Sprintf("another tree: %s\n%s", d, out)
	}
	if x, y := comments(text), comments(out); !reflect.DeepEqual(x, y) {
		return false, fmt.Sprintf("comments %q, want %q", y, x)
	}
	if strings.Contains(out, `"""`) || strings.Contains(out, "'''") || strings.Contains(out, "\\\n") || strings.Contains(out, "%%") {
		return false, "" // strings and cells of text may have it
	}
	for i, l := range strings.Split(out, "\n") {
		if l != strings.TrimRight(l, " \t\r") {
			return false, fmt.Sprintf("line %d has white space at its end: %q", i+1, l)
		}
	}
	return false, ""
}

// programs returns the programs of the repository and of upstream's tests.
func programs(t testing.TB) (list []string) {
	patterns := []string{"../testdata/*.star", "../testdata/*/*.star", "../*/testdata/*.star", "../*/testdata/*/*.star", "../../*/*.star", "../../testdata/*/*.star"}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.starlark.net").Output()
	if dir := strings.TrimSpace(string(out)); err == nil && dir != "" {
		patterns = append(patterns, dir+"/syntax/testdata/*.star", dir+"/resolve/testdata/*.star", dir+"/starlark/testdata/*.star")
	}
	for _, pattern := range patterns {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, strings.Split(string(data), "\n---\n")...)
		}
	}
	return list
}

// TestPrograms: real programs keep their trees and comments, and what is laid out stays.
func TestPrograms(t *testing.T) {
	accepted := 0
	for _, text := range programs(t) {
		refused, what := wrong(text)
		if what != "" {
			t.Errorf("%s\nof:\n%s", what, text)
		}
		if !refused {
			accepted++
		}
	}
	if accepted < 100 {
		t.Errorf("only %d programs were formatted", accepted)
	}
}

// TestRandom: so do programs whose white space is random.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for _, text := range programs(t) {
		if len(text) > 4000 {
			text = text[:4000]
			text = text[:strings.LastIndexByte(text, '\n')+1]
		}
		for range 5 {
			scrambled := scramble(r, text)
			refused, what := wrong(scrambled)
			if what != "" {
				t.Fatalf("%s\nof:\n%s", what, scrambled)
			}
			if !refused {
				accepted++
			}
		}
	}
	if accepted < 200 {
		t.Errorf("only %d programs were formatted", accepted)
	}
}

// scramble puts other white space between the tokens of a program, and comments.
func scramble(r *rand.Rand, text string) string {
	toks, _ := parse.Scan("a.star", text)
	var b strings.Builder
	var indents []string
	depth := 0
	head := true
	for i, t := range toks {
		switch t.Kind {
		case parse.Indent:
			indents = append(indents, strings.Join(indents, "")+[]string{" ", "   ", "\t"}[r.IntN(3)])
			continue
		case parse.Outdent:
			indents = indents[:len(indents)-1]
			continue
		case parse.Newline:
			b.WriteString([]string{"\n", " \r\n", " # c\n", "\n\n\n\n", "\t#d \n"}[r.IntN(5)])
			head = true
			continue
		case parse.EOF:
			continue
		case parse.Comment:
			if toks[i+1].Kind == parse.Newline {
				continue
			}
			b.WriteString([]string{"", " ", "    "}[r.IntN(3)] + t.Text(text) + "\n")
			continue
		case parse.Rparen, parse.Rbrack, parse.Rbrace:
			depth--
		}
		if head && len(indents) > 0 {
			b.WriteString(indents[len(indents)-1])
		}
		// Two tokens to the scanner may be one sign: := and ->.
		joined := i > 0 && toks[i-1].End == t.Start && (t.Kind == parse.Eq && toks[i-1].Kind == parse.Colon || t.Kind == parse.Gt && toks[i-1].Kind == parse.Minus)
		if !head && !joined {
			b.WriteString([]string{" ", " ", "  ", "\t"}[r.IntN(4)])
			if r.IntN(12) == 0 {
				b.WriteString("\\\n" + strings.Repeat(" ", r.IntN(6)))
			}
			if depth > 0 && r.IntN(6) == 0 {
				b.WriteString([]string{"\n", "\n\n\n", "#x\n", "# %%\n", "\n # y\n"}[r.IntN(5)] + strings.Repeat(" ", r.IntN(12)))
			}
		}
		head = false
		b.WriteString(t.Text(text))
		if t.Kind == parse.Lparen || t.Kind == parse.Lbrack || t.Kind == parse.Lbrace {
			depth++
		}
	}
	return b.String()
}

func FuzzFormat(f *testing.F) {
	for _, text := range programs(f) {
		if len(text) < 1000 {
			f.Add(text)
		}
	}
	for _, test := range layouts {
		f.Add(test[0])
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, what := wrong(text); what != "" {
			t.Error(what)
		}
	})
}
