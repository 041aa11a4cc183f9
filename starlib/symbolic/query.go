package symbolic

import (
	"strings"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Query says by tags which rewrites a mode has: Theano's Query, PyTensor's RewriteDatabaseQuery.
type Query struct{ q compile.Query }

func (q Query) String() string {
	parts := []string{"include=" + tagList(q.q.Include).String()}
	for _, list := range []struct {
		name string
		tags []string
	}{{"require", q.q.Require}, {"exclude", q.q.Exclude}} {
		if len(list.tags) > 0 {
			parts = append(parts, list.name+"="+tagList(list.tags).String())
		}
	}
	return "Query(" + strings.Join(parts, ", ") + ")"
}

func tagList(tags []string) *slot.List {
	list := make([]starlark.Value, len(tags))
	for i, t := range tags {
		list[i] = starlark.String(t)
	}
	return slot.NewList(list)
}

func (q Query) Type() string { return "Query" }

func (q Query) Freeze() {}

func (q Query) Truth() starlark.Bool { return true }

func (q Query) Hash() (uint32, error) { return starlark.String(q.String()).Hash() }

func (q Query) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return equality(op, q.String() == y.(Query).String(), "queries")
}
