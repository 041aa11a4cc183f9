package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A knot is a largest set of files of one package each of which needs all others, directly or not:
// none of them can be read, tested or moved without the rest. More than maxKnot is a package that
// hides several.
var maxKnot = knot{Files: 25, Lines: 7000}

// knot is the size of a knot and of nothing else: a package without a circle has none.
type knot struct{ Files, Lines int }

// exceeds reports whether k is larger than most in one of the two.
func (k knot) exceeds(most knot) bool { return k.Files > most.Files || k.Lines > most.Lines }

// tooKnotted says what is wrong with the largest knot of a package, or nothing.
func tooKnotted(room string, k knot) string {
	if k.exceeds(maxKnot) {
		return fmt.Sprintf("%s: %d files of %d lines all need each other, want at most %d of %d: give what stands "+
			"above a package of its own, and what runs up to it a registration or an interface",
			room, k.Files, k.Lines, maxKnot.Files, maxKnot.Lines)
	}
	return ""
}

// references is which files of a package need which: those that declare a package-level name or a
// method that they use. A method counts where it is declared, which need not be where its type is:
// the caller needs that code. What is called through an interface does not count, and a field does
// not either: a file gets at it with a name that does.
func references(files *token.FileSet, p *types.Package, uses map[*ast.Ident]types.Object) map[string][]string {
	needs := make(map[string][]string)
	for id, used := range uses {
		f, isFunc := used.(*types.Func)
		isMethod := isFunc && f.Signature().Recv() != nil && !types.IsInterface(f.Signature().Recv().Type())
		if used.Pkg() != p || used.Parent() != p.Scope() && !isMethod {
			continue
		}
		from, to := files.Position(id.Pos()).Filename, files.Position(used.Pos()).Filename
		if from != to && !slices.Contains(needs[from], to) {
			needs[from] = append(needs[from], to)
		}
	}
	return needs
}

// circles returns the strongly connected sets of a graph (Tarjan's algorithm).
func circles(nodes []string, next map[string][]string) [][]string {
	var found [][]string
	var stack []string
	seen, low := make(map[string]int), make(map[string]int)
	closed := make(map[string]bool)
	var visit func(string)
	visit = func(n string) {
		seen[n] = len(seen) + 1
		low[n] = seen[n]
		stack = append(stack, n)
		for _, m := range next[n] {
			if seen[m] == 0 {
				visit(m)
				low[n] = min(low[n], low[m])
			} else if !closed[m] {
				low[n] = min(low[n], seen[m])
			}
		}
		if low[n] == seen[n] {
			i := slices.Index(stack, n)
			for _, m := range stack[i:] {
				closed[m] = true
			}
			found = append(found, slices.Clone(stack[i:]))
			stack = stack[:i]
		}
	}
	for _, n := range nodes {
		if seen[n] == 0 {
			visit(n)
		}
	}
	return found
}

// largestKnot type-checks a package and returns its largest knot, by lines, with its files.
func largestKnot(path string, files *token.FileSet, parsed []*ast.File, imports types.Importer) (knot, []string, error) {
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	p, err := (&types.Config{Importer: imports}).Check(path, files, parsed, info)
	if err != nil {
		return knot{}, nil, err
	}
	lines := make(map[string]int)
	for _, f := range parsed {
		lines[files.Position(f.Package).Filename] = files.File(f.Package).LineCount()
	}
	var largest knot
	var members []string
	for _, c := range circles(slices.Sorted(maps.Keys(lines)), references(files, p, info.Uses)) {
		k := knot{Files: len(c)}
		for _, file := range c {
			k.Lines += lines[file]
		}
		if len(c) > 1 && k.Lines > largest.Lines {
			largest, members = k, c
		}
	}
	return largest, members, nil
}

// listed is a package as go list tells of it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, CgoFiles       []string
}

// listPackages asks for the project's packages and those that they import, compiled: after a build,
// as a test is, what was compiled is in the cache.
func listPackages(t *testing.T) (ours []listed, exports map[string]string) {
	t.Helper()
	const fields = "-json=ImportPath,Dir,Export,GoFiles,CgoFiles"
	out, err := exec.Command("go", "list", "-export", "-deps", fields, "./...").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	exports = make(map[string]string)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return ours, exports
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/") {
			ours = append(ours, p)
		}
	}
}

// TestKnots holds the largest knot of each package, and prints them all with -v.
func TestKnots(t *testing.T) {
	ours, exports := listPackages(t)
	files := token.NewFileSet()
	imports := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	found := make(map[string]knot)
	for _, p := range ours {
		if len(p.CgoFiles) > 0 {
			continue // kernels/c, the only one, has one file: cgo alone can check it
		}
		var parsed []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, f)
		}
		k, members, err := largestKnot(p.ImportPath, files, parsed, imports)
		if err != nil {
			t.Fatal(err)
		}
		room := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		found[room] = k
		if wrong := tooKnotted(room, k); wrong != "" {
			for i := range members {
				members[i] = filepath.Base(members[i])
			}
			t.Errorf("%s\n\t%s", wrong, strings.Join(members, " "))
		}
	}
	rooms := slices.SortedFunc(maps.Keys(found), func(a, b string) int { return found[b].Lines - found[a].Lines })
	for _, room := range rooms {
		t.Logf("%-24s %3d files %6d lines", room, found[room].Files, found[room].Lines)
	}
}

// TestKnotsCanFail: a circle is found through functions, types and methods, and not through an
// interface; and figures above the limit are refused.
func TestKnotsCanFail(t *testing.T) {
	src := map[string]string{
		"a.go": "package p\nfunc a() { b() }",
		"b.go": "package p\nfunc b() { var x c; x.m() }",
		"c.go": "package p\ntype c struct{}",
		"m.go": "package p\nfunc (c) m() { a() }",
		"i.go": "package p\ntype i interface{ m() }\nvar _ i = c{}\nfunc call(x i) { x.m() }",
		"t.go": "package p\nfunc top() { a(); call(nil) }",
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range slices.Sorted(maps.Keys(src)) {
		f, err := parser.ParseFile(files, name, src[name], parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	k, members, err := largestKnot("p", files, parsed, importer.Default())
	slices.Sort(members)
	if err != nil || k != (knot{Files: 3, Lines: 6}) || !slices.Equal(members, []string{"a.go", "b.go", "m.go"}) {
		t.Errorf("found %v of %v (%v), want a.go, b.go and m.go", k, members, err)
	}
	for _, tt := range []struct {
		room string
		k    knot
		want string
	}{
		{"kernels/libm", maxKnot, ""},
		{"kernels/libm", knot{maxKnot.Files + 1, 10}, "package of its own"},
		{"kernels/libm", knot{2, maxKnot.Lines + 1}, "package of its own"},
	} {
		if got := tooKnotted(tt.room, tt.k); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s with %v: got %q, want %q", tt.room, tt.k, got, tt.want)
		}
	}
}
