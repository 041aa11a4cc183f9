package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/compile"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

var options = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}

const fileName = "prog.star"

// nothing is shared by the programs here.
func nothing(string) bool { return false }

// failure is why a program does not compile, empty if it does.
func failure(src string) string {
	f, err := options.Parse(fileName, src, 0)
	if err == nil {
		_, err = compile.File(f, compile.Names{Shared: nothing})
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// listed is a format of 0, 1, ... between commas.
func listed(n int, format string) string {
	var parts []string
	for i := range n {
		parts = append(parts, strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
	return strings.Join(parts, ", ")
}

// What needs more registers than there are is no program, and says so.
func TestTooMuch(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"targets":    {listed(200, "t%d") + " = range(200)\n", "prog.star:1:1090: too many variables to unpack: got 200, want up to 100"},
		"defaults":   {"x = 1\ndef f(" + listed(127, "a%d=[0]") + "): return lambda: [" + listed(127, "a%d") + "]\n", ""},
		"parameters": {"def f(" + listed(200, "a%d") + "): pass\n", "prog.star:1:665: too many parameters: got 200, want up to 128"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := failure(c.src); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// nesting are expressions that nest one deeper than another one. The parser would stop them early.
var nesting = map[string]func(pos syntax.Position, e syntax.Expr) syntax.Expr{
	"operands": func(pos syntax.Position, e syntax.Expr) syntax.Expr {
		return &syntax.BinaryExpr{X: name("x", pos), OpPos: pos, Op: syntax.PLUS, Y: e}
	},
	"calls": func(pos syntax.Position, e syntax.Expr) syntax.Expr {
		return &syntax.CallExpr{Fn: name("same", pos), Lparen: pos, Args: []syntax.Expr{e}, Rparen: pos}
	},
	"lists": func(pos syntax.Position, e syntax.Expr) syntax.Expr {
		list := &syntax.ListExpr{Lbrack: pos, List: []syntax.Expr{e}, Rbrack: pos}
		return &syntax.IndexExpr{X: list, Lbrack: pos, Y: name("x", pos), Rbrack: pos}
	},
	"conditions": func(pos syntax.Position, e syntax.Expr) syntax.Expr {
		return &syntax.CondExpr{If: pos, Cond: name("x", pos), True: name("x", pos), ElsePos: pos, False: e}
	},
}

func name(name string, pos syntax.Position) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: name}
}

func TestDeepExpressions(t *testing.T) {
	for what, nest := range nesting {
		for _, depth := range []int{200, 2000} {
			t.Run(fmt.Sprint(what, depth), func(t *testing.T) {
				f, err := options.Parse(fileName, "x = 0\nsame = lambda y: y\nprint(x)\n", 0)
				if err != nil {
					t.Fatal(err)
				}
				call := f.Stmts[2].(*syntax.ExprStmt).X.(*syntax.CallExpr)
				for range depth {
					call.Args[0] = nest(call.Lparen, call.Args[0])
				}
				p, err := compile.File(f, compile.Names{Shared: nothing})
				if err != nil {
					const want = "prog.star:3:1: the expression nests too deep: give parts of it names"
					if depth == 200 || err.Error() != want {
						t.Error(err)
					}
					return
				}
				var printed string
				thread := &starlark.Thread{Print: func(_ *starlark.Thread, msg string) { printed += msg }}
				if _, err := vm.Run(thread, p, new(vm.Globals)); err != nil || printed != "0" {
					t.Errorf("it prints %q, %v", printed, err)
				}
			})
		}
	}
}
