package value

import (
	"fmt"
	"sync"

	"go.starlark.net/starlark"
)

// Taker is what syntax takes attributes by of which the interpreter does not know: Taker.name[x] is Attr(x, name). It is indexed and not called, as a Plainly is.
var Taker starlark.HasAttrs = &taker{byName: map[string]starlark.Value{}}

type taker struct {
	sync.Mutex
	byName map[string]starlark.Value
}

func (t *taker) String() string        { return "$attr" }
func (t *taker) Type() string          { return "builtin_function_or_method" }
func (t *taker) Freeze()               {}
func (t *taker) Truth() starlark.Bool  { return true }
func (t *taker) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: %s", t) }
func (t *taker) AttrNames() []string   { return nil }

func (t *taker) Attr(name string) (starlark.Value, error) {
	t.Lock()
	defer t.Unlock()
	a, ok := t.byName[name]
	if !ok {
		a = attrTaker{t, name}
		t.byName[name] = a
	}
	return a, nil
}

// An attrTaker takes one attribute.
type attrTaker struct {
	*taker
	name string
}

var _ starlark.Mapping = attrTaker{}

// Get returns the attribute of x.
func (a attrTaker) Get(x starlark.Value) (starlark.Value, bool, error) {
	v, err := Attr(x, a.name)
	return v, err == nil, err
}
