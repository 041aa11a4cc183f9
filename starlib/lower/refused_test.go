package lower_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/syntax"
)

// wholly are blocks of every statement, with one statement each: what is left of a tree where that
// is refused.
const wholly = `
class A:
    def f(self):
        x
class B:
    x
def f():
    x
@g
def f():
    x
@g
class C:
    x
if x:
    y
elif z:
    y
else:
    y
for x in y:
    z
else:
    z
while x:
    y
else:
    y
try:
    x
except A as e:
    x
except B:
    x
else:
    x
finally:
    x
with x as y, z:
    w
def g():
    yield x
def h():
    "Documented."
class D:
    "Documented."
`

// TestRefused: what is found in a file goes on where statements are refused, whatever they are all
// that a block has; no block of the tree is empty.
func TestRefused(t *testing.T) {
	texts := []string{wholly}
	files, err := filepath.Glob("testdata/found/*.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	tried := 0
	for n, text := range texts {
		lines := strings.Split(text, "\n")
		for i := 0; i < len(lines); i += 1 + min(n, 4) {
			indent := lines[i][:len(lines[i])-len(strings.TrimLeft(lines[i], " "))]
			for _, in := range []string{indent + "1 2", indent + "x = = y", indent + "match x:", indent + "async def f():", "", indent + "  " + strings.TrimLeft(lines[i], " "), indent + "("} {
				broken := strings.Join(append(append(append([]string{}, lines[:i]...), in), lines[i+1:]...), "\n")
				tried++
				f, _ := parse.All("a.py", broken, parse.Options{Dialect: &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}})
				if what := emptyBlock(f); what != "" {
					t.Fatalf("%s is empty in\n%s", what, broken)
				}
				scope.Uses(f)
				scope.Faults(f)
			}
		}
	}
	t.Logf("%d texts", tried)
}

// emptyBlock names a block of a tree that has no statements, "" if there is none.
func emptyBlock(f *syntax.File) (what string) {
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			if len(n.Body) == 0 {
				what = "def " + n.Name.Name
			}
		case *syntax.IfStmt:
			if len(n.True) == 0 {
				what = "an if, or what stands for one,"
			}
		case *syntax.ForStmt:
			if len(n.Body) == 0 {
				what = "a for"
			}
		case *syntax.WhileStmt:
			if len(n.Body) == 0 {
				what = "a while"
			}
		}
		return true
	})
	return what
}
