package functions

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/value"
)

// The halves of a row, for Function.refused.
const (
	symbolicHalf = iota
	eagerHalf
)

// A refusal is a parameter that one half cannot honour. The field says so by a tag, "eager" if only
// the eager half can and "symbolic" if only the symbolic half can, which holds the reason:
//
//	Order order `arg:"order=\"C\": the order of the elements" eager:"variables have no order in memory"`
//
// The other half refuses an argument for it, unless that is what stands for none: the field's zero
// value.
type refusal struct {
	path []int
	name string
	why  string // as the documentation says it
}

// refusals finds the fields of A that one half cannot honour.
func refusals[A any]() (refused [2][]refusal) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[A]()) {
		for half, only := range []string{symbolicHalf: "eager", eagerHalf: "symbolic"} {
			if why, ok := f.Tag.Lookup(only); ok {
				whose := []string{"not for symbolic variables", "only for symbolic variables"}[half]
				refused[half] = append(refused[half], refusal{f.Index, value.ParseParam(f.Tag.Get("arg")).Name, whose + ": " + why})
			}
		}
	}
	return refused
}

// refuse is the error of an argument that a half cannot honour.
func (c Call) refuse(half int) error {
	for _, r := range c.f.refused[half] {
		if !reflect.ValueOf(c.args).Elem().FieldByIndex(r.path).IsZero() {
			return fmt.Errorf("%s is %s", r.name, r.why)
		}
	}
	return nil
}

// SymbolicParams are the parameters as users of T see them.
func (f *Function) SymbolicParams() []value.Param { return f.paramsOf(symbolicHalf) }

// EagerParams are the parameters as users of np see them.
func (f *Function) EagerParams() []value.Param { return f.paramsOf(eagerHalf) }

// paramsOf are the parameters, where those that a half refuses are documented by the reason. A row
// with one half has it honour all.
func (f *Function) paramsOf(half int) []value.Param {
	if f.symbolic == nil || f.eager == nil {
		return f.Params
	}
	params := slices.Clone(f.Params)
	document := func(name string, doc func(string) string) {
		i := slices.IndexFunc(params, func(p value.Param) bool { return strings.TrimLeft(p.Name, "*") == name })
		params[i].Doc = doc(params[i].Doc)
	}
	for _, r := range f.refused[half] {
		document(r.name, func(string) string { return r.why })
	}
	if half == symbolicHalf {
		symbolic := func(doc string) string { return doc + "; it may be symbolic" }
		for _, p := range f.fields.lengths {
			document(p.Param, symbolic)
		}
		for _, p := range f.fields.single {
			document(p.Param, symbolic)
		}
	}
	return params
}
