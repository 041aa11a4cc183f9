package parse

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.starlark.net/syntax"
)

// A spelled is a token of a node: where it stands, and what is written there.
type spelled struct {
	at   syntax.Position
	text string
}

// tokensOf are a node's own tokens: by their places, what comes after the parser knows the node.
func tokensOf(n syntax.Node) []spelled {
	type list = []spelled
	op := func(t syntax.Token) string { return strings.Trim(t.String(), "'") }
	switch x := n.(type) {
	case *syntax.Ident:
		return list{{x.NamePos, x.Name}}
	case *syntax.Literal:
		first, _, _ := strings.Cut(x.Raw, "\n")
		return list{{x.TokenPos, first}}
	case *syntax.ParenExpr:
		return list{{x.Lparen, "("}, {x.Rparen, ")"}}
	case *syntax.CallExpr:
		return list{{x.Lparen, "("}, {x.Rparen, ")"}}
	case *syntax.DotExpr:
		return list{{x.Dot, "."}}
	case *syntax.Comprehension:
		if x.Curly {
			return list{{x.Lbrack, "{"}, {x.Rbrack, "}"}}
		}
		return list{{x.Lbrack, "["}, {x.Rbrack, "]"}}
	case *syntax.ForClause:
		return list{{x.For, "for"}, {x.In, "in"}}
	case *syntax.IfClause:
		return list{{x.If, "if"}}
	case *syntax.DictExpr:
		return list{{x.Lbrace, "{"}, {x.Rbrace, "}"}}
	case *syntax.DictEntry:
		return list{{x.Colon, ":"}}
	case *syntax.LambdaExpr:
		return list{{x.Lambda, "lambda"}}
	case *syntax.ListExpr:
		return list{{x.Lbrack, "["}, {x.Rbrack, "]"}}
	case *syntax.CondExpr:
		return list{{x.If, "if"}, {x.ElsePos, "else"}}
	case *syntax.TupleExpr:
		if x.Lparen.Line > 0 {
			return list{{x.Lparen, "("}, {x.Rparen, ")"}}
		}
	case *syntax.UnaryExpr:
		return list{{x.OpPos, op(x.Op)}}
	case *syntax.BinaryExpr:
		return list{{x.OpPos, strings.TrimPrefix(op(x.Op), "not ")}}
	case *syntax.SliceExpr:
		return list{{x.Lbrack, "["}, {x.Rbrack, "]"}}
	case *syntax.IndexExpr:
		return list{{x.Lbrack, "["}, {x.Rbrack, "]"}}
	case *syntax.AssignStmt:
		return list{{x.OpPos, op(x.Op)}}
	case *syntax.DefStmt:
		return list{{x.Def, "def"}, {x.Lparen, "("}, {x.Rparen, ")"}}
	case *syntax.ForStmt:
		return list{{x.For, "for"}}
	case *syntax.WhileStmt:
		return list{{x.While, "while"}}
	case *syntax.IfStmt:
		return list{{x.If, "if"}}
	case *syntax.LoadStmt:
		return list{{x.Load, "load"}, {x.Rparen, ")"}}
	case *syntax.BranchStmt:
		return list{{x.TokenPos, op(x.Token)}}
	case *syntax.ReturnStmt:
		return list{{x.Return, "return"}}
	}
	return nil // a file, or a statement that is an expression
}

// misplaced returns what is wrong with the places of the nodes of a tree. Each token of a node is
// in the text, and nodes that stand as they are written do not share one: what is known of one
// would be taken for what is known of the other. A construct of the extended syntax becomes several
// nodes that stand where it does, and is not spelled as they are; what is evaluated twice, such as
// b in a < b < c, is the same twice. Of a text in standard Starlark every node stands as it is
// written.
func misplaced(f *syntax.File, text string, standard bool) (wrong string) {
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	from := func(p syntax.Position) string { // the text from a position on, "" if that is outside
		if p.Line < 1 || int(p.Line) > len(lines) {
			return ""
		}
		line := []rune(lines[p.Line-1])
		if p.Col < 1 || int(p.Col) > len(line)+1 {
			return ""
		}
		return string(line[p.Col-1:]) + "\n"
	}
	owners := map[syntax.Position]syntax.Node{}
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil || wrong != "" {
			return false
		}
		if d, ok := n.(*syntax.DotExpr); ok && d.NamePos != d.Name.NamePos {
			wrong = fmt.Sprintf("the name of %s stands at %v, and its node says %v", show(n), d.Name.NamePos, d.NamePos)
		}
		if e, ok := n.(*syntax.IfStmt); ok && (e.ElsePos.Line > 0) != (e.False != nil) {
			wrong = fmt.Sprintf("the else of %s stands at %v", show(n), e.ElsePos)
		}
		as := !generated(n) // it is written
		for _, token := range tokensOf(n) {
			written := from(token.at)
			_, isIf := n.(*syntax.IfStmt)
			as = as && (strings.HasPrefix(written, token.text) || isIf && strings.HasPrefix(written, "elif"))
			switch {
			case written == "":
				wrong = fmt.Sprintf("%T %s stands at %v, outside of the text", n, show(n), token.at)
			case standard && !as:
				wrong = fmt.Sprintf("%T %s stands at %v, before %q", n, show(n), token.at, written)
			}
		}
		for _, token := range tokensOf(n) {
			before := owners[token.at]
			if as && before != nil && show(before) != show(n) {
				wrong = fmt.Sprintf("%T %s and %T %s both stand at %v", before, show(before), n, show(n), token.at)
			}
			if as {
				owners[token.at] = n
			}
		}
		return wrong == ""
	})
	return wrong
}

// generated says whether a node is a call that no user can write.
func generated(n syntax.Node) bool {
	c, ok := n.(*syntax.CallExpr)
	if !ok {
		return false
	}
	fn, ok := c.Fn.(*syntax.Ident)
	return ok && strings.HasPrefix(fn.Name, "$")
}

// repository returns the programs in the repository.
func repository(t testing.TB) (list []string) {
	err := filepath.WalkDir("../..", func(path string, _ os.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || ext != ".py" && ext != ".star" {
			return err
		}
		data, err := os.ReadFile(path)
		list = append(list, strings.Split(string(data), "\n---\n")...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestOwnPlaces: each node of every tree stands where it is written, and where no other does.
func TestOwnPlaces(t *testing.T) {
	texts := append(append(repository(t), chunks(t)...), literals(t)...)
	for _, x := range extensions {
		texts = append(texts, x.text)
	}
	texts = append(texts, blocks...)
	for seed := range uint64(2000) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 33))}
		w.stmt("", 3)
		texts = append(texts, w.text(0))
	}
	accepted := 0
	for _, text := range texts {
		p := newParser("a.star", text, Options{})
		f, err := p.parseFile()
		if err != nil {
			continue
		}
		accepted++
		if wrong := misplaced(f, text, p.used == 0); wrong != "" {
			t.Errorf("%s\nin:\n%s", wrong, text)
		}
	}
	if accepted < 1500 {
		t.Errorf("only %d programs were parsed", accepted)
	}
}

// blocks are the statements that are marks, with all their parts.
var blocks = []string{
	"try: d.get(k)\nexcept (A, B) as e: d.get(k = 1)\nelse: d.get(*k)\nfinally: d.get(**k)\n",
	"class A(B, m = C): x = 1; y = 2\n",
	"with x as y, f(z) as w.v[0]: a\nwith (x as y,\n   z): b\n",
	"for x in y:\n  a\nelse: b\nwhile x: a\nelse:\n  b\n",
	"raise x from y\ndel x, y[0], z.a, u[1:]\n",
	"def f():\n  global a, b\n  nonlocal c\n  x = yield a\n  yield from b\n  return (yield)\n",
	"if (x := f(y)) and [z := 1]: a\n",
	"@a.b(c)\n@d\ndef f(x: int, /, *, y = 1) -> z: return x\n@e.setter\nclass e: pass\n",
	"assert x < y, f'{x!r:>{w}} {y=}'\nassert -x\n",
	"import a.b as c, d.e\nfrom .a import b as c, d\nfrom a import *\n",
	"a, (b, *c) = d = *e, f = g\nx[a:b, c, ...] **= y @ z ** w\nx.a = {**p, 'q': 1, **r}\n",
	"f(*x, y, *z, a = 1, **u, b = 2, **v)\n[*x, y], {*x, y}, {x for x in y}, (x for x in y)\n",
	"a < f(b)[c] <= d.e() != 1 is not None\nx: int = 1\nx.y: str\n",
}
