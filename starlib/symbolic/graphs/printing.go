package graphs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler/picture"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type printedArgs struct {
	Obj starlark.Value `arg:"obj: a variable, or a compiled function"`
}

// writtenRow is the row of a function that writes what a variable, or the outputs and updates of a
// function, are computed of.
func writtenRow(name, doc, example string, write func(s *symbolic.Session, v *graph.Variable) (string, error)) value.Builtin {
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *printedArgs) (starlark.Value, error) {
		s := symbolic.SessionOf(thread)
		fg, _, err := graphOf(a.Obj)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var lines []string
		for i, v := range fg.Results() {
			line, err := write(s, v)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if k := i - len(fg.Outputs); k >= 0 {
				line = symbolic.Symbol{S: s, V: fg.Updates[k].Shared}.String() + " <- " + line
			}
			lines = append(lines, line)
		}
		return starlark.String(strings.Join(lines, "\n")), nil
	})
}

const writtenDoc = "What a variable is computed of, on a line, with infix operators in parentheses. Of a compiled function it writes a line for each output and update."

// WrittenTable is what theano.printing has that writes expressions on a line.
var WrittenTable = []value.Builtin{
	writtenRow("pp", writtenDoc, `x = T.scalar("x"); theano.pp(x * 2 + T.exp(x)) # "((x * TensorConstant{2.0}) + exp(x))"`, plainExpression),
	writtenRow("pprint", writtenDoc, `x = T.scalar("x"); theano.printing.pprint(T.log(x) / 2) # "(log(x) / TensorConstant{2.0})"`, plainExpression),
	writtenRow("latex", "What a variable is computed of, in LaTeX, as notebooks show it; \"\" where it is too large to be read.",
		`x = T.scalar("x"); theano.printing.latex(T.sqrt(x) / 2) # "\\frac{\\sqrt{x}}{2}"`, always(texExpression)),
	writtenRow("min_informative_str", "What a variable is computed of, a line for each operand, indented below its operation. What has a name is not looked behind, what was met before is a letter.",
		`theano.printing.min_informative_str(T.exp(T.scalar("x"))) # "A. Elemwise{exp,no_inplace}\n B. x"`, always(informative)),
	writtenRow("var_descriptor", "All of what a variable is computed of, on a line, with a letter for what was met before, and for arrays a hash of their elements.",
		`theano.printing.var_descriptor(T.exp(T.scalar("x"))) # "A=Elemwise{exp,no_inplace}(B=x)"`, always(descriptor)),
}

// always is write, which cannot fail.
func always(write func(s *symbolic.Session, v *graph.Variable) string) func(s *symbolic.Session, v *graph.Variable) (string, error) {
	return func(s *symbolic.Session, v *graph.Variable) (string, error) { return write(s, v), nil }
}

// tags are the letters of variables, in the order in which they are met.
type tags map[*graph.Variable]string

// of is the letter of v, and whether it has one already.
func (t tags) of(v *graph.Variable) (tag string, met bool) {
	if tag, met = t[v]; !met {
		tag = picture.Letters(len(t))
		t[v] = tag
	}
	return tag, met
}

func informative(s *symbolic.Session, v *graph.Variable) string {
	met := make(tags)
	var lines []string
	var write func(v *graph.Variable, depth int)
	write = func(v *graph.Variable, depth int) {
		indent := strings.Repeat(" ", depth)
		tag, known := met.of(v)
		switch {
		case known:
			lines = append(lines, indent+"<"+tag+">")
		case v.Name != "" || v.Owner == nil:
			lines = append(lines, indent+tag+". "+symbolic.Symbol{S: s, V: v}.String())
		default:
			lines = append(lines, indent+tag+". "+graph.Label(v.Owner.Op))
			for _, u := range v.Owner.Inputs {
				write(u, depth+1)
			}
		}
	}
	write(v, 0)
	return strings.Join(lines, "\n")
}

func descriptor(s *symbolic.Session, v *graph.Variable) string {
	met := make(tags)
	var b strings.Builder
	var write func(v *graph.Variable)
	write = func(v *graph.Variable) {
		tag, known := met.of(v)
		if known {
			b.WriteString("<" + tag + ">")
			return
		}
		b.WriteString(tag + "=")
		switch {
		case v.Owner != nil:
			b.WriteString(graph.Label(v.Owner.Op) + "(")
			for i, u := range v.Owner.Inputs {
				if i > 0 {
					b.WriteString(",")
				}
				write(u)
			}
			b.WriteString(")")
		case v.Name != "":
			b.WriteString(v.Name)
		case v.IsConstant() && v.Data.Size() > 1:
			b.WriteString(digest(v.Data))
		default:
			b.WriteString(symbolic.Symbol{S: s, V: v}.String())
		}
	}
	write(v)
	return b.String()
}

// digest is a hash of an array's elements with its type and shape.
func digest(a *tensor.Dense) string {
	sum := sha256.Sum256([]byte(value.Repr(np.FromDense(a)) + fmt.Sprint(a.Floats())))
	return fmt.Sprintf("<ndarray:%v%s,digest=%s>", a.DType(), tensor.ShapeString(a.Shape()), hex.EncodeToString(sum[:8]))
}

// asLaTeX shows an expression as LaTeX beside its text, as long as it is one that can be read.
func asLaTeX(x symbolic.Symbol) map[string]any {
	if x.V.Owner == nil && x.V.Name == "" {
		return nil
	}
	text := texExpression(x.S, x.V)
	if x.V.Owner != nil && x.V.Name != "" && text != "" {
		text = texName(x.V.Name) + " = " + text
	}
	if text == "" || len(text) > maxLaTeX {
		return nil
	}
	return map[string]any{"text/latex": `$\displaystyle ` + text + "$"}
}

// maxLaTeX is how many bytes of LaTeX are worth showing.
const maxLaTeX = 2000
