package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var updateProse = flag.Bool("update-prose", false, "let TestComments write testdata/prose.txt, whose counts only fall")

const (
	commentWidth  = 100 // columns of a line with a comment, a tab being four
	documentWidth = 120 // of a document, but for tables, code and links
)

// riddles are phrases that have to be read twice: who or what they are about is left to the reader.
// A plain sentence names it: "the caller", "the operand", "nothing reads".
var riddles = regexp.MustCompile(`(?i)\b(` + strings.Join([]string{
	"whoever", "whose is", "who (is|are|has|have|asks?|takes?|wants?|knows?|keeps?|needs?)", "nobody", "somebody", "anybody",
	"what (is|are) (made|out|not|there|read|kept|left|given|asked|taken|known|needed|written)", "so many", "such (as are|that are)",
	"is what .{1,40} (is|are)", "as that of", "what for",
}, "|") + `)\b`)

// prose is what a package has of comments that are to be mended.
type prose struct{ wide, undocumented, riddles int }

func (p prose) String() string { return fmt.Sprintf("%d %d %d", p.wide, p.undocumented, p.riddles) }

// proseOf looks at a file of Go.
func proseOf(file string, src []byte, set *token.FileSet, f *ast.File, asked map[string]bool) (p prose) {
	if ast.IsGenerated(f) {
		return p
	}
	lines := bytes.Split(src, []byte("\n"))
	for _, group := range f.Comments {
		for _, c := range group.List {
			first := set.Position(c.Pos()).Line
			for i := range strings.Count(c.Text, "\n") + 1 {
				if columns(string(lines[first+i-1])) > commentWidth {
					p.wide++
				}
			}
		}
		p.riddles += len(riddles.FindAllString(strings.Join(strings.Fields(group.Text()), " "), -1))
	}
	if !strings.HasSuffix(file, "_test.go") {
		p.undocumented = len(undocumented(f, asked))
	}
	return p
}

// columns is how wide a line is.
func columns(line string) int {
	return utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
}

// undocumented are the exported functions, methods of exported types, types and values of a file
// that have no comment of their own or of their group. Methods that an interface asks for are
// documented there, constants of an enumeration by their type.
func undocumented(f *ast.File, asked map[string]bool) (names []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) && (d.Recv == nil || !asked[d.Name.Name]) {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						names = append(names, s.Name.Name)
					}
				case *ast.ValueSpec:
					isEnumeration := d.Tok == token.CONST && (s.Type != nil || s.Values == nil)
					if s.Names[0].IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil && !isEnumeration {
						names = append(names, s.Names[0].Name)
					}
				}
			}
		}
	}
	return names
}

// methodsAsked are the names of methods of interfaces: of ours, and of the libraries that
// everything here implements.
func methodsAsked(files map[string]*ast.File) map[string]bool {
	asked := make(map[string]bool)
	for name := range strings.FieldsSeq("Error Unwrap Is String Len Less Swap Read Write Close Seek MarshalText UnmarshalText MarshalJSON " +
		"UnmarshalJSON Type Freeze Truth Hash Attr AttrNames SetField Binary Unary CallInternal Name Index Slice Iterate Next Done Get Has " +
		"CompareSameType Cmp Position Doc") {
		asked[name] = true
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if i, ok := n.(*ast.InterfaceType); ok {
				for _, m := range i.Methods.List {
					for _, name := range m.Names {
						asked[name.Name] = true
					}
				}
			}
			return true
		})
	}
	return asked
}

// exportedReceiver reports whether a function has no receiver, or one of an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// readProse reads the counts that packages may have.
func readProse(t *testing.T) map[string]prose {
	t.Helper()
	text, err := os.ReadFile("testdata/prose.txt")
	if err != nil {
		t.Fatal(err)
	}
	may := make(map[string]prose)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var room string
		var p prose
		if _, err := fmt.Sscanf(line, "%s %d %d %d", &room, &p.wide, &p.undocumented, &p.riddles); err != nil {
			t.Fatalf("testdata/prose.txt: %q: %v", line, err)
		}
		may[room] = p
	}
	return may
}

// TestComments counts, for each package, comments that are too wide, exported names without one,
// and phrases that have to be read twice. The counts only fall; a new package has none.
func TestComments(t *testing.T) {
	set, files, texts := token.NewFileSet(), make(map[string]*ast.File), make(map[string][]byte)
	for _, file := range sources(t, ".go") {
		if strings.Contains(file, "testdata/") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if files[file], err = parser.ParseFile(set, file, src, parser.ParseComments); err != nil {
			t.Fatal(err)
		}
		texts[file] = src
	}
	asked := methodsAsked(files)
	has := make(map[string]prose)
	for file, f := range files {
		p, room := proseOf(file, texts[file], set, f, asked), path.Dir(filepath.ToSlash(file))
		old := has[room]
		has[room] = prose{old.wide + p.wide, old.undocumented + p.undocumented, old.riddles + p.riddles}
	}
	may := readProse(t)
	if *updateProse {
		var b strings.Builder
		b.WriteString("# Code generated by go test . -run TestComments -update-prose; DO NOT EDIT.\n" +
			"# Package, comment lines of more than 100 columns, exported names without a comment, phrases of riddles.\n")
		for _, room := range slices.Sorted(maps.Keys(has)) {
			p, old := has[room], may[room]
			if _, ok := may[room]; ok {
				p = prose{min(p.wide, old.wide), min(p.undocumented, old.undocumented), min(p.riddles, old.riddles)}
			}
			if p != (prose{}) {
				fmt.Fprintf(&b, "%s %s\n", room, p)
			}
		}
		if err := os.WriteFile("testdata/prose.txt", []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		may = readProse(t)
	}
	for room, p := range has {
		for _, c := range []struct {
			has, may int
			what     string
		}{
			{p.wide, may[room].wide, "lines of comments with more than 100 columns"},
			{p.undocumented, may[room].undocumented, "exported names without a comment"},
			{p.riddles, may[room].riddles, "phrases that have to be read twice (riddles in prose_test.go)"},
		} {
			switch {
			case c.has > c.may:
				t.Errorf("%s has %d %s, want at most %d", room, c.has, c.what, c.may)
			case c.has < c.may-max(5, c.may/10):
				t.Errorf("%s has %d %s, fewer than %d: go test . -run TestComments -update-prose keeps what was won", room, c.has, c.what, c.may)
			}
		}
	}
}

// TestCommentsCanFail: what is counted is found.
func TestCommentsCanFail(t *testing.T) {
	src := "package p\n\n// F is what whoever takes of it that nobody else has." + strings.Repeat(" more", 12) +
		"\nfunc F() {}\n\nfunc G() {}\n\ntype T struct{}\n\nfunc (T) String() string { return \"\" }\n\nfunc (t T) Run() { t.Run(); t.Run() }\n"
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	got := proseOf("p.go", []byte(src), set, f, methodsAsked(nil))
	if want := (prose{1, 3, 2}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestDocuments: pages are not wider than a diff shows, but for tables, code and links.
func TestDocuments(t *testing.T) {
	for _, page := range documents(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range wideLines(string(text)) {
			t.Errorf("%s has a line of %d columns, want at most %d: %.60s...", page, columns(line), documentWidth, line)
		}
		if n := bytes.Count(text, []byte("\n")); page == "CHANGELOG.md" && n > 150 {
			t.Errorf("%s has %d lines, want at most 150: what users notice, a line each", page, n)
		}
	}
	if wide := "a " + strings.Repeat("word ", 30); len(wideLines(wide+"\n| "+wide+"|\n```\n"+wide+"\n```\n")) != 1 {
		t.Error("the test cannot fail, or minds tables and code")
	}
}

// wideLines are the lines of a page that are too wide, outside of tables and code.
func wideLines(text string) (list []string) {
	code := false
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if !code && !strings.HasPrefix(line, "|") && columns(line) > documentWidth {
			list = append(list, line)
		}
	}
	return list
}
