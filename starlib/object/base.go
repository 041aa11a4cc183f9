package object

import (
	"sync"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// bases are the classes that stand for functions with a Base, by that.
var bases sync.Map // of *value.Base to *Class

// classOf is the class that stands for a function with a Base.
func classOf(b *value.Builtin) *Class {
	if c, ok := bases.Load(b.Base); ok {
		return c.(*Class)
	}
	c := &Class{name: b.Name, bases: []*Class{Object}, own: true, special: true, serial: serials.Add(1), doc: b.Doc}
	c.mro = []*Class{c, Object}
	for _, m := range b.Base.Methods {
		c.members.set(m.Name, &native{name: m.Name, fn: func(thread *starlark.Thread, i *Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if !i.class.IsSubclass(c) {
				return nil, typeError("%s.%s: got %s, want an instance of a class that derives from %s", c.name, m.Name, typeName(i.Value()), c.name)
			}
			return m.Fn(thread, i.Value(), args, kwargs)
		}})
	}
	made, _ := bases.LoadOrStore(b.Base, c)
	return made.(*Class)
}

// DerivesFrom reports whether the class derives from the one that stands for b.
func (i *Instance) DerivesFrom(b *value.Base) bool {
	c, ok := bases.Load(b)
	return ok && i.class.IsSubclass(c.(*Class))
}

func init() {
	value.MemberOfBase = func(b *value.Builtin, name string) (starlark.Value, bool) {
		v := classOf(b).members.get(name)
		return v, v != nil
	}
}
