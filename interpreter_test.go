package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// doors are what only some files may ask of go.starlark.net's interpreter: package vm runs
// programs, and what runs them is asked in package value.
var doors = map[string][]string{
	"Call":      {"starlib/value/program.go", "starlib/slot/hooks.go"}, // on a thread that runs no program
	"EvalError": {"starlib/value/program.go", "starlib/vm/machine.go"}, // of a builtin of upstream's that calls one

	"Function": nil, "FileProgram": nil, "Program": nil, "ExecFile": nil, "ExecFileOptions": nil,
	"CallStack": nil, "CallStackDepth": nil, "CallFrame": nil, "DebugFrame": nil,
}

// throughDoors returns the places in a file that ask past the doors, and the names that it asks of
// the interpreter.
func throughDoors(t *testing.T, path string, src any) (past, asked []string) {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	methods := []string{"CallStack", "CallStackDepth", "CallFrame", "DebugFrame"}                               // of a thread
	names := []string{"Call", "Function", "EvalError", "FileProgram", "Program", "ExecFile", "ExecFileOptions"} // of the package
	ask := func(name string, at ast.Node) {
		asked = append(asked, name)
		if !slices.Contains(doors[name], path) {
			past = append(past, fmt.Sprintf("%v: %s is go.starlark.net's: ask package value, or vm",
				files.Position(at.Pos()), name))
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(methods, sel.Sel.Name) {
				ask(sel.Sel.Name, sel)
			}
		}
		if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(names, sel.Sel.Name) {
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "starlark" {
				ask(sel.Sel.Name, sel)
			}
		}
		return true
	})
	return past, asked
}

func TestInterpreterDoors(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir("starlib", func(path string, d fs.DirEntry, err error) error {
		isTest := strings.HasSuffix(path, "_test.go")
		if err != nil || d.IsDir() || isTest || filepath.Ext(path) != ".go" {
			return err
		}
		path = filepath.ToSlash(path)
		past, asked := throughDoors(t, path, nil)
		for _, p := range past {
			t.Error(p)
		}
		for _, name := range asked {
			used[name+" "+path] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, files := range doors {
		for _, file := range files {
			if !used[name+" "+file] {
				t.Errorf("%s does not ask for %s: it is no door", file, name)
			}
		}
	}
	const wrong = "package x\nvar f, ok = v.(*starlark.Function)\nvar n = len(thread.CallStack())"
	past, _ := throughDoors(t, "starlib/x.go", wrong)
	if len(past) != 2 {
		t.Errorf("asking past the doors is not seen: %q", past)
	}
}
