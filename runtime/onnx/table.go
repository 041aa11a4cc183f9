package onnx

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/onnx/proto"
)

// An Operator is a row of the table: what nodes of a name compute.
type Operator struct {
	Name, Domain string // Domain is "" for ONNX's own operators
	// Since lists the versions of the domain's operator set at which the operator changed, the
	// first one first.
	Since []int
	// Least and Most are how many inputs there are; Most is -1 where there may be any number.
	Least, Most int
	// Attrs are the attributes of all versions, with their defaults: "axis:int=1 pads:ints". One
	// without a default is absent if the node has none.
	Attrs string
	Doc   string // what it is here: what is computed, and what of it is refused
	// build returns the results, at least as many as the node names. It may panic as a
	// graph.Builder does.
	build func(c *call) []V

	attrs map[string]attribute
}

// An attribute is what a row says of one.
type attribute struct {
	kind   proto.AttributeType
	number float64 // the default
	text   string
	given  bool // whether there is a default
}

var attributeKinds = map[string]proto.AttributeType{
	"int": proto.AttributeInt, "float": proto.AttributeFloat, "string": proto.AttributeString, "tensor": proto.AttributeTensor,
	"graph": proto.AttributeGraph, "ints": proto.AttributeInts, "floats": proto.AttributeFloats, "strings": proto.AttributeStrings,
	"tensors": proto.AttributeTensors, "type": proto.AttributeTypeProto,
}

// MaxOpset is the newest version of ONNX's operator set that the table knows.
const MaxOpset = 23

// operators are the rows by domain and name.
var operators = make(map[[2]string]*Operator)

// add puts rows into the table; each family calls it.
func add(rows ...Operator) bool {
	for _, r := range rows {
		key := [2]string{r.Domain, r.Name}
		if operators[key] != nil {
			panic("BUG: two rows for " + r.Name)
		}
		r.attrs = make(map[string]attribute)
		for word := range strings.FieldsSeq(r.Attrs) {
			name, rest, _ := strings.Cut(word, ":")
			kind, text, given := strings.Cut(rest, "=")
			a := attribute{kind: attributeKinds[kind], text: text, given: given}
			if a.kind == 0 {
				panic("BUG: the attributes of " + r.Name + ": " + word)
			}
			if given && a.kind != proto.AttributeString {
				var err error
				if a.number, err = strconv.ParseFloat(text, 64); err != nil {
					panic("BUG: the attributes of " + r.Name + ": " + word)
				}
			}
			r.attrs[name] = a
		}
		operators[key] = &r
	}
	return true
}

// Operators lists the table, by domain and name.
func Operators() []*Operator {
	var all []*Operator
	for _, o := range operators {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b *Operator) int {
		return cmp.Or(cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// domain is a domain under its shorter name.
func domain(name string) string {
	if name == "ai.onnx" {
		return ""
	}
	return name
}

// version is the newest version of the row that an operator set has, 0 if it has none.
func (o *Operator) version(opset int64) int {
	found := 0
	for _, v := range o.Since {
		if int64(v) <= opset {
			found = v
		}
	}
	return found
}

// check says what is wrong with the inputs and attributes of a node.
func (o *Operator) check(n *proto.Node) error {
	if have := len(n.Inputs); have < o.Least || o.Most >= 0 && have > o.Most {
		want := fmt.Sprintf("%d to %d", o.Least, o.Most)
		if o.Most == o.Least {
			want = strconv.Itoa(o.Least)
		} else if o.Most < 0 {
			want = fmt.Sprintf("at least %d", o.Least)
		}
		return fmt.Errorf("got %d inputs, want %s", have, want)
	}
	if len(n.Outputs) == 0 {
		return errors.New("got no outputs, want at least 1")
	}
	for _, a := range n.Attributes {
		row, ok := o.attrs[a.Name]
		if !ok {
			return fmt.Errorf("got attribute %q, which %s has not", a.Name, o.Name)
		}
		if row.kind != a.Type && a.Ref == "" {
			return fmt.Errorf("attribute %s: got %v, want %v", a.Name, a.Type, row.kind)
		}
		if a.Type == proto.AttributeTensor && a.Tensor == nil || a.Type == proto.AttributeGraph && a.Graph == nil {
			return fmt.Errorf("attribute %s: got no %v", a.Name, a.Type)
		}
	}
	return nil
}
