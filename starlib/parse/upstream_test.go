package parse

import (
	"fmt"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"math/big"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// difference returns where two trees differ, in any field but those the resolver sets, or "".
func difference(a, b reflect.Value, path string) string {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return fmt.Sprintf("%s: got %v, want %v", path, a, b)
	}
	if !a.IsValid() {
		return ""
	}
	switch x := a.Interface().(type) {
	case syntax.Position:
		y := b.Interface().(syntax.Position)
		if x.Line != y.Line || x.Col != y.Col || x.IsValid() && x.Filename() != y.Filename() {
			return fmt.Sprintf("%s: got %v, want %v", path, x, y)
		}
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
			if a.Type() == reflect.TypeFor[syntax.DotExpr]() && f.Name == "NamePos" {
				continue // upstream leaves it out, and TestOwnPlaces knows where it is
			}
			if f.Name == "commentsRef" || f.Name == "Binding" || f.Name == "Function" || f.Name == "Module" {
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

var dialect = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}

// agrees checks that our parser takes a text as upstream's does, and returns what is wrong.
// Accepted says whether upstream accepts it.
func agrees(text string) (accepted bool, wrong string) {
	want, wantErr := dialect.Parse("a.star", text, 0)
	p := newParser("a.star", text, Options{Dialect: dialect})
	got, err := p.parseFile()
	if w := inside(text, err); w != "" {
		return wantErr == nil, w
	}
	if strings.Contains(text, "\x00") || wantErr != nil && strings.Contains(wantErr.Error(), "excessive nesting") {
		return wantErr == nil, "" // deliberate differences
	}
	if wantErr == nil {
		if err != nil {
			return true, fmt.Sprintf("%v: %v", err.(*Error).Pos, err)
		}
		if p.used != 0 {
			return true, upstreamTuple(p.used)
		}
		return true, difference(reflect.ValueOf(got), reflect.ValueOf(want), "file")
	}
	if err == nil {
		resolvable(got)
		if p.used == 0 {
			return false, fmt.Sprintf("accepted without an extension, want %v", wantErr)
		}
		return false, ""
	}
	e, u := err.(*Error), wantErr.(syntax.Error)
	if p.used == 0 && !foreign(p, e) && (e.Pos.Line != u.Pos.Line || e.Pos.Col != u.Pos.Col) {
		return false, fmt.Sprintf("got %v: %v, want %v", e.Pos, e, u)
	}
	return false, ""
}

// foreign says whether what was read up to a mistake has a token that upstream does not scan, or
// scans as several.
func foreign(p *parser, e *Error) bool {
	for _, t := range p.toks[:min(p.i+1, len(p.toks))] {
		switch text := p.textOf(t); t.Kind {
		case At, AtEq, StarStarEq, Ellipsis, FString:
			return true
		case String, Bytes:
			if !isStandardPrefix(text) || hasExtendedEscape(text) {
				return true
			}
		case Int, Float:
			if strings.Contains(text, "_") || isImaginary(text) {
				return true
			}
		}
	}
	literal := p.text[e.offset:]
	number := strings.TrimLeft(literal, "0123456789.")
	if word := strings.TrimLeft(number, "_0123456789.eExXoObB"); len(number) < len(literal) && strings.Contains(number[:len(number)-len(word)], "_") {
		return true
	}
	quote := strings.IndexAny(literal, `"'`)
	return quote > 0 && prefixes[strings.ToLower(literal[:quote])].kind != 0 && !isStandardPrefix(literal)
}

// resolvable runs what comes after the parser, which must meet no node that it does not know, and
// asks all nodes for their places.
func resolvable(f *syntax.File) {
	f.Options = dialect
	syntax.Walk(f, func(n syntax.Node) bool {
		if n != nil {
			n.Span()
		}
		return true
	})
	all := func(string) bool { return true }
	_ = resolve.File(f, all, all)
}

// upstreamTuple checks the constructs of a text that upstream's parser accepts: only x[a, b:c],
// which it takes for a slice from (a, b), arguments that its resolver refuses, and assert (x),
// which it takes for a call, may be there.
func upstreamTuple(used uint64) string {
	if other := used &^ (1<<Subscripts | 1<<SpreadArguments | 1<<Assert); other != 0 {
		return fmt.Sprintf("%v, in what upstream accepts", Construct(bits.TrailingZeros64(other)))
	}
	return ""
}

// inside checks that an error is in the text, and returns what is wrong.
func inside(text string, err error) string {
	if err == nil {
		return ""
	}
	e := err.(*Error)
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	for _, p := range []syntax.Position{e.Pos, e.Start} {
		if p.Line < 1 || int(p.Line) > len(lines) || p.Col < 1 || int(p.Col) > len([]rune(lines[p.Line-1]))+1 {
			return fmt.Sprintf("error at %v, outside the text of %d lines: %v", p, len(lines), e)
		}
	}
	return ""
}

// upstreamDir is the folder of upstream's module.
func upstreamDir(t testing.TB) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.starlark.net").Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Skip("the source of go.starlark.net is not here:", err)
	}
	return dir
}

// chunks returns the programs in upstream's test data.
func chunks(t testing.TB) (list []string) {
	dir := upstreamDir(t)
	for _, pattern := range []string{"syntax/testdata/*.star", "resolve/testdata/*.star", "starlark/testdata/*.star",
		"lib/*/testdata/*.star"} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern))
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

// literals returns the string literals of upstream's tests of its scanner and parser: most are
// programs.
func literals(t testing.TB) (list []string) {
	files, _ := filepath.Glob(filepath.Join(upstreamDir(t), "syntax", "*_test.go"))
	for _, file := range files {
		f, err := goparser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					list = append(list, s)
				}
			}
			return true
		})
	}
	return list
}

// TestUpstreamData: upstream's own test data means the same to both parsers.
func TestUpstreamData(t *testing.T) {
	accepted, refused := 0, 0
	for _, text := range append(chunks(t), literals(t)...) {
		ok, wrong := agrees(text)
		if wrong != "" {
			t.Errorf("%s\nin:\n%s", wrong, text)
		}
		if ok {
			accepted++
		} else {
			refused++
		}
	}
	if accepted < 200 || refused < 100 {
		t.Errorf("only %d programs accepted and %d refused", accepted, refused)
	}
}

// TestPrefixes: programs cut off anywhere are refused where upstream refuses them.
func TestPrefixes(t *testing.T) {
	for _, text := range chunks(t) {
		step := max(1, len(text)/25)
		for n := 0; n < len(text); n += step {
			if _, wrong := agrees(text[:n]); wrong != "" {
				t.Errorf("%s\nin:\n%s", wrong, text[:n])
				break
			}
		}
	}
}
