package graph

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/arignote/arignote/runtime/graph/intern"
)

// A Body is an inner graph, a parameter of the operation that runs it: steps that apply operations
// to the inputs and to the results of earlier steps. It is immutable, and there is one Body for all
// that are equal, so that operations that hold the pointer are comparable.
//
// Values are numbered, the inputs first, then the results of the steps, one each. They have no
// types: these follow from the operands that the outer operation gets, as those of any operation
// do. Nor do they have origins, since one body stands for the lines of all users who wrote it.
// Which lines a node that applies a body stands for is said by the node: Origin.Parts.
type Body struct {
	inputs  int
	steps   []Step
	outputs []int
	text    string
	kept    atomic.Pointer[any]
}

// A Step applies an operation with one result to values of a Body.
type Step struct {
	Op   Op
	Args []int
}

// Inputs is their number. The last one is used.
func (b *Body) Inputs() int { return b.inputs }

// Steps are in the order in which they run. They must not be changed.
func (b *Body) Steps() []Step { return b.steps }

// Outputs are the numbers of the results. They must not be changed.
func (b *Body) Outputs() []int { return b.outputs }

// Step returns the one that computes value v, nil of an input.
func (b *Body) Step(v int) *Step {
	if v < b.inputs {
		return nil
	}
	return &b.steps[v-b.inputs]
}

// Kept is what Keep was given last, nil if nothing was.
func (b *Body) Kept() any {
	if x := b.kept.Load(); x != nil {
		return *x
	}
	return nil
}

// Keep keeps what an operation has made of the body for the next node that applies it.
func (b *Body) Keep(x any) { b.kept.Store(&x) }

// String is the text form, which ParseBody reads:
//
//	t0=mul(i0,i1);t1=sum{axes=1}(t0);t0,t1
//
// Each step names its result; then come the outputs. Equal bodies have equal texts.
func (b *Body) String() string {
	if b == nil {
		return ""
	}
	return b.text
}

// A BodyBuilder makes a Body. An equal step is made once.
type BodyBuilder struct {
	body  Body
	known map[stepKey]int
}

// A stepKey is a step: the numbers of the first operands, and the others packed.
type stepKey struct {
	op    Op
	count int
	first [3]int
	rest  string
}

// NewBodyBuilder begins a body with so many inputs, which are the values from 0.
func NewBodyBuilder(inputs int) *BodyBuilder {
	return &BodyBuilder{body: Body{inputs: inputs}, known: make(map[stepKey]int)}
}

// Step returns the value that op gives for earlier values.
func (b *BodyBuilder) Step(op Op, args ...int) int {
	key := stepKey{op: op, count: len(args)}
	if n := copy(key.first[:], args); n < len(args) {
		var packed []byte
		for _, a := range args[n:] {
			packed = binary.AppendUvarint(packed, uint64(a))
		}
		key.rest = string(packed)
	}
	if v, ok := b.known[key]; ok {
		return v
	}
	b.body.steps = append(b.body.steps, Step{op, slices.Clone(args)})
	v := b.body.inputs + len(b.body.steps) - 1
	b.known[key] = v
	return v
}

// Body returns the body with these outputs. The builder must not be used any more. It panics if
// nothing reads the last input: the text form says how many there are by what is read.
func (b *BodyBuilder) Body(outputs ...int) *Body {
	body := &b.body
	body.outputs = slices.Clone(outputs)
	last := body.inputs - 1
	reads := func(s Step) bool { return slices.Contains(s.Args, last) }
	if last >= 0 && !slices.Contains(outputs, last) && !slices.ContainsFunc(body.steps, reads) {
		panic(fmt.Sprintf("BUG: nothing reads input %d of a body", last))
	}
	body.text = body.write()
	return bodies.One(body.text, body)
}

// appendName appends what the text form calls a value.
func (b *Body) appendName(text []byte, v int) []byte {
	if v < b.inputs {
		return strconv.AppendInt(append(text, 'i'), int64(v), 10)
	}
	return strconv.AppendInt(append(text, 't'), int64(v-b.inputs), 10)
}

func (b *Body) write() string {
	text := make([]byte, 0, 24*len(b.steps)+16)
	names := func(values []int) {
		for i, v := range values {
			if i > 0 {
				text = append(text, ',')
			}
			text = b.appendName(text, v)
		}
	}
	for i, step := range b.steps {
		text = append(append(append(b.appendName(text, b.inputs+i), '='), step.Op.Name()...), '(')
		names(step.Args)
		text = append(text, ");"...)
	}
	names(b.outputs)
	return string(text)
}

// bodies are those in use, by their text.
var bodies intern.Table[string, Body]

// A WrittenStep is a step of the text form: the Name of its op, and the names of values.
type WrittenStep struct {
	Op   string
	Args []string
}

// SplitBody takes the text form apart into steps, of which step i computes "t" and i, and the names
// of the results. It knows no ops, so that it reads what other programs wrote.
func SplitBody(text string) (steps []WrittenStep, outputs []string, err error) {
	parts := cutOutside(text, ';')
	last := len(parts) - 1
	for i, part := range parts[:last] {
		name, call, _ := strings.Cut(part, "=")
		at := len(cutOutside(call, '(')[0])
		list, closed := strings.CutSuffix(call[at:], ")")
		if name != "t"+strconv.Itoa(i) || !closed || list == "" {
			return nil, nil, fmt.Errorf("got step %q, want t%d=op(...)", part, i)
		}
		steps = append(steps, WrittenStep{call[:at], strings.Split(list[1:], ",")})
	}
	return steps, strings.Split(parts[last], ","), nil
}

// ParseBody reads the text form. lookup finds an op by its Name.
func ParseBody(text string, lookup func(name string) (Op, error)) (*Body, error) {
	steps, outputs, err := SplitBody(text)
	if err != nil {
		return nil, err
	}
	ops := make([]Op, len(steps))
	inputs := 0
	count := func(names []string) {
		for _, s := range names {
			if n, err := strconv.Atoi(strings.TrimPrefix(s, "i")); err == nil && s[0] == 'i' {
				inputs = max(inputs, n+1)
			}
		}
	}
	for i, s := range steps {
		if ops[i], err = lookup(s.Op); err != nil {
			return nil, err
		}
		count(s.Args)
	}
	count(outputs)
	if inputs > maxInputs {
		return nil, fmt.Errorf("got %d inputs, want at most %d", inputs, maxInputs)
	}
	b := NewBodyBuilder(inputs)
	values := make([]int, len(steps)) // of the steps as they are written: equal ones are one
	read := func(names []string, steps int) ([]int, error) {
		list := make([]int, len(names))
		for i, s := range names {
			n := -1
			if len(s) > 1 {
				n, _ = strconv.Atoi(s[1:])
			}
			switch {
			case s == "i"+strconv.Itoa(n) && n >= 0:
				list[i] = n
			case s == "t"+strconv.Itoa(n) && n >= 0 && n < steps:
				list[i] = values[n]
			default:
				return nil, fmt.Errorf("operand %q is not defined", s)
			}
		}
		return list, nil
	}
	for i, op := range ops {
		in, err := read(steps[i].Args, i)
		if err != nil {
			return nil, err
		}
		values[i] = b.Step(op, in...)
	}
	out, err := read(outputs, len(steps))
	if err != nil {
		return nil, err
	}
	return b.Body(out...), nil
}

// maxInputs is more than any body has.
const maxInputs = 1 << 16

// cutOutside splits s at each sep outside of braces, and of parentheses unless sep is one.
func cutOutside(s string, sep byte) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == sep && depth == 0:
			parts, start = append(parts, s[start:i]), i+1
		case c == '{' || c == '(':
			depth++
		case c == '}' || c == ')':
			depth--
		}
	}
	return append(parts, s[start:])
}
