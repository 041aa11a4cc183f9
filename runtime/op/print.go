package op

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Print passes its operand on, and tells whoever runs the function of it: see Call.Print. Where
// nobody listens it is silent.
type Print struct {
	Message Text
	Attrs   Text    // what to tell of the operand, separated by blanks: "__str__ shape"
	By      Printer // how; that of the zero Printer is Call.Print's
}

// A Printer is a function of the user's program. It is compared by identity.
type Printer struct{ *PrinterFunc }

// A PrinterFunc has a name for those who read the graph, and a function for whoever runs it.
type PrinterFunc struct {
	Name string
	Call any
}

func (p Printer) MarshalText() ([]byte, error) { return Text(p.Name).MarshalText() }

func (p *Printer) UnmarshalText([]byte) error {
	return errors.New("a function of a program cannot be read from a text")
}

// Text is a parameter of an operation in the user's words, which may hold any character.
type Text string

// textEscapes are for what means something in the text form of graphs.
var textEscapes = strings.NewReplacer("{", `\x7b`, "}", `\x7d`, "[", `\x5b`, "]", `\x5d`, ",", `\x2c`)

func (t Text) MarshalText() ([]byte, error) {
	return []byte(textEscapes.Replace(strconv.Quote(string(t)))), nil
}

func (t *Text) UnmarshalText(text []byte) error {
	s, err := strconv.Unquote(string(text))
	if err != nil {
		return fmt.Errorf("got %s, want a string in quotes", text)
	}
	*t = Text(s)
	return nil
}

func (p Print) Name() string { return nameOf("print", p) }

func (p Print) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	return []graph.Type{in[0].Type}, nil
}

func (p Print) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (p Print) Bound() string {
	if p.By.PrinterFunc == nil {
		return ""
	}
	return "it calls " + p.By.Name + ", a function of the program: without global_fn it prints by itself"
}

func (p Print) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) error {
		out[0] = in[0]
		if c.Print == nil {
			return nil
		}
		return c.Print(p, in[0])
	}, goImpl, nil
}

func (p Print) Cost(in, out []graph.Array) graph.Cost { return graph.Nothing(in, out) }

func (p Print) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{g[0]}
}

func (p Print) Label() string {
	var attrs []string
	for _, a := range strings.Fields(string(p.Attrs)) {
		attrs = append(attrs, "'"+a+"'")
	}
	tuple := strings.Join(attrs, ", ")
	if len(attrs) == 1 {
		tuple += ","
	}
	label := fmt.Sprintf("Print{message=%s, attrs=(%s)", pythonQuote(string(p.Message)), tuple)
	if p.By.PrinterFunc != nil {
		label += ", global_fn=" + p.By.Name
	}
	return label + "}"
}
func (p Print) Class() string { return "printing.Print" }

// pythonQuote writes a string in the quotes that Theano's labels have.
func pythonQuote(s string) string {
	q := strconv.Quote(s)
	return "'" + strings.ReplaceAll(strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`), "'", `\'`) + "'"
}

// Length is nil: that of the operand would do, and nothing would be printed.
func (p Print) Length(Maker, V, int) V { return nil }
func (p Print) Traits() Traits         { return Moves | Acts }

var _ = register(Print{})

func (p Print) Cases() []Case {
	return slices.Concat(cases("any[2,3]", Print{"x", "__str__", Printer{}}, Print{"a {b}, [c] = \"d\"\n", "shape dtype", Printer{}}), cases("any", Print{}))
}
