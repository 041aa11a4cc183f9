package value

import (
	"sync"

	"go.starlark.net/starlark"
)

// Taker is what syntax takes attributes by of which the interpreter does not know: Taker.name[x] is Attr(x, name). It is indexed and not called, as a Plainly is.
var Taker starlark.HasAttrs = &taker{ofSyntax: "$attr", byName: map[string]starlark.Value{}}

type taker struct {
	ofSyntax
	mu     sync.Mutex // all sessions share it
	byName map[string]starlark.Value
}

func (t *taker) AttrNames() []string { return nil }

func (t *taker) Attr(name string) (starlark.Value, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	a, ok := t.byName[name]
	if !ok {
		a = attrTaker{t.ofSyntax, name}
		t.byName[name] = a
	}
	return a, nil
}

// An attrTaker takes one attribute.
type attrTaker struct {
	ofSyntax
	name string
}

var _ starlark.Mapping = attrTaker{}

// Get returns the attribute of x.
func (a attrTaker) Get(x starlark.Value) (starlark.Value, bool, error) {
	v, err := Attr(x, a.name)
	return v, err == nil, err
}
