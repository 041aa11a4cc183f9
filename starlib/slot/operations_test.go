package slot

import (
	"errors"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A model is the containers of a sequence.
type model struct {
	d, e *Dict
	l, m *List
	s, t *Set
}

// An operation of random sequences takes two numbers. Its result is compared with CPython's,
// which may use d, e, l, m, s, t and V(i), the i-th value.
type operation struct {
	python string
	run    func(m *model, a, b int) (starlark.Value, error)
}

// by is a call of a method.
func by(recv starlark.HasAttrs, name string, args ...starlark.Value) (starlark.Value, error) {
	method, err := recv.Attr(name)
	if err != nil {
		return nil, err
	}
	return starlark.Call(new(starlark.Thread), method, args, nil)
}

func v(i int) starlark.Value { return valueOf(i).Value() }

func isTrue(holds bool, err error) (starlark.Value, error) { return starlark.Bool(holds), err }

func only(err error) (starlark.Value, error) { return starlark.None, err }

var dictOperations = []operation{
	{"d.__setitem__(V(a), V(b))", func(m *model, a, b int) (starlark.Value, error) {
		return only(m.d.Put(valueOf(a), valueOf(b)))
	}},
	{"e.__setitem__(V(a), V(b))", func(m *model, a, b int) (starlark.Value, error) {
		return only(m.e.SetKey(v(a), v(b)))
	}},
	{"d[V(a)]", func(m *model, a, b int) (starlark.Value, error) {
		x, found, err := m.d.Lookup(valueOf(a))
		if !found && err == nil {
			err = errors.New("no key")
		}
		return x.Value(), err
	}},
	{"d.get(V(a), V(b))", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.d, "get", v(a), v(b))
	}},
	{"d.pop(V(a))", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.d, "pop", v(a))
	}},
	{"d.pop(V(a), V(b))", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.d, "pop", v(a), v(b))
	}},
	{"d.popitem()", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.d, "popitem")
	}},
	{"d.setdefault(V(a), V(b))", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.d, "setdefault", v(a), v(b))
	}},
	{"d.update(e)", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.d, "update", m.e)
	}},
	{"d.update([(V(a), V(b)), (V(b), 3)])", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.d, "update", NewList([]starlark.Value{starlark.Tuple{v(a), v(b)},
			NewList([]starlark.Value{v(b), starlark.MakeInt(3)})}))
	}},
	{"e.clear() if a % 8 == 0 else e.update(d.copy())", clearOrUpdate},
	{"d | e", func(m *model, a, b int) (starlark.Value, error) {
		return starlark.Binary(syntax.PIPE, m.d, m.e)
	}},
	{"(d == e, d != e, d == d.copy())", func(m *model, a, b int) (starlark.Value, error) {
		same, err := starlark.Equal(m.d, m.e)
		differ, _ := starlark.Compare(syntax.NEQ, m.d, m.e)
		copied, _ := starlark.Equal(m.d, m.d.Copy())
		return starlark.Tuple{starlark.Bool(same), starlark.Bool(differ), starlark.Bool(copied)}, err
	}},
	{"walk(d, a, b)", walkDict},
	{"(len(d), list(d), V(a) in e)", func(m *model, a, b int) (starlark.Value, error) {
		keys, _ := by(m.d, "keys")
		_, found, err := m.e.Get(v(a))
		return starlark.Tuple{starlark.MakeInt(m.d.Len()), keys, starlark.Bool(found)}, err
	}},
}

func clearOrUpdate(m *model, a, _ int) (starlark.Value, error) {
	if a%8 == 0 {
		return by(m.e, "clear")
	}
	return only(m.e.Merge(m.d.Copy()))
}

// walkDict goes through d, takes the first key out and puts others in at a step.
func walkDict(m *model, a, b int) (starlark.Value, error) {
	seen, w := new(List), m.d.Walk()
	for i := 0; ; i++ {
		pos, err := w.Next()
		if err != nil {
			seen.Append(starlark.String(err.Error()))
		}
		if pos < 0 || i > 200 {
			return seen, nil
		}
		seen.Push(m.d.KeyAt(pos))
		if i == a%16 {
			if b%3 != 0 {
				m.d.Remove(m.d.KeyAt(m.d.firstLive()))
			}
			m.d.Put(Int(int64(1000+b)), None)
		}
	}
}

var listOperations = []operation{
	{"l.append(V(a))", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.l, "append", v(a))
	}},
	{"m.append(V(a))", func(m *model, a, b int) (starlark.Value, error) {
		return only(m.m.Push(valueOf(a)))
	}},
	{"l.insert(a - 20, V(b))", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.l, "insert", starlark.MakeInt(a-20), v(b))
	}},
	{"l.pop()", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.l, "pop")
	}},
	{"l.pop(a - 20)", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.l, "pop", starlark.MakeInt(a-20))
	}},
	{"l.index(V(a))", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.l, "index", v(a))
	}},
	{"l.index(V(a), b - 20, a)", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.l, "index", v(a), starlark.MakeInt(b-20), starlark.MakeInt(a))
	}},
	{"l.remove(V(a))", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.l, "remove", v(a))
	}},
	{"(l.count(V(a)), V(b) in l)", func(m *model, a, b int) (starlark.Value, error) {
		n, _ := by(m.l, "count", v(a))
		has, err := m.l.Has(v(b))
		return starlark.Tuple{n, starlark.Bool(has)}, err
	}},
	{"l.extend(m if a % 2 else l[:3])", func(m *model, a, b int) (starlark.Value, error) {
		if a%2 != 0 {
			return by(m.l, "extend", m.m)
		}
		return by(m.l, "extend", m.l.Slice(0, min(3, m.l.Len()), 1))
	}},
	{"l.extend(dict.fromkeys(range(a % 5)))", func(m *model, a, b int) (starlark.Value, error) {
		d := NewDict(0)
		for i := range a % 5 {
			d.Put(Int(int64(i)), None)
		}
		return by(m.l, "extend", d)
	}},
	{"l.__setitem__(slice(a % 9, b % 11), m)", func(m *model, a, b int) (starlark.Value, error) {
		n := m.l.Len()
		return only(m.l.Splice(min(a%9, n), min(b%11, n), m.m.Slots()))
	}},
	{"l.__setitem__(slice(a % 9, b % 11), l)", func(m *model, a, b int) (starlark.Value, error) {
		n := m.l.Len()
		return only(m.l.Splice(min(a%9, n), min(b%11, n), m.l.Slots()))
	}},
	{"l.__delitem__(slice(3 + a % 9, None))", func(m *model, a, b int) (starlark.Value, error) {
		return only(m.l.Splice(min(3+a%9, m.l.Len()), m.l.Len(), nil))
	}},
	{"m.clear()", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.m, "clear")
	}},
	{"l.reverse()", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.l, "reverse")
	}},
	{"(l + m)[a % 7::1 + b % 4]", func(m *model, a, b int) (starlark.Value, error) {
		sum, err := starlark.Binary(syntax.PLUS, m.l, m.m)
		n := sum.(*List).Len()
		return sum.(*List).Slice(min(a%7, n), n, 1+b%4), err
	}},
	{"(m * (a % 4 - 1))[::-1 - b % 4]", func(m *model, a, b int) (starlark.Value, error) {
		product, err := starlark.Binary(syntax.STAR, starlark.MakeInt(a%4-1), m.m)
		return product.(*List).Slice(product.(*List).Len()-1, -1, -1-b%4), err
	}},
	{"(l == m, l != m, l[:a % 5] == m[:a % 5])", func(m *model, a, b int) (starlark.Value, error) {
		same, err := starlark.Equal(m.l, m.m)
		differ, _ := starlark.Compare(syntax.NEQ, m.l, m.m)
		first := func(l *List) starlark.Value { return l.Slice(0, min(a%5, l.Len()), 1) }
		begin, _ := starlark.Equal(first(m.l), first(m.m))
		return starlark.Tuple{starlark.Bool(same), starlark.Bool(differ), starlark.Bool(begin)}, err
	}},
	{"l < m", func(m *model, a, b int) (starlark.Value, error) {
		return isTrue(starlark.Compare(syntax.LT, m.l, m.m))
	}},
	{"l >= m", func(m *model, a, b int) (starlark.Value, error) {
		return isTrue(starlark.Compare(syntax.GE, m.l, m.m))
	}},
	{"walklist(l, a, b)", walkList},
}

func walkList(m *model, a, b int) (starlark.Value, error) {
	seen, it := new(List), m.l.Iterate()
	var x starlark.Value
	for i := 0; it.Next(&x) && i < 100; i++ {
		seen.Append(x)
		if i == a%8 {
			m.l.Delete(0)
		}
		if i == b%8 {
			m.l.Push(Int(int64(b)))
		}
	}
	return seen, nil
}

// subset compares in all ways.
func subset(m *model, _, _ int) (starlark.Value, error) {
	all := starlark.Tuple{}
	for _, op := range []syntax.Token{
		syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE,
	} {
		holds, err := starlark.Compare(op, m.s, m.t)
		if err != nil {
			return nil, err
		}
		all = append(all, starlark.Bool(holds))
	}
	for _, name := range []string{"issubset", "issuperset", "isdisjoint"} {
		holds, err := by(m.s, name, NewList(m.t.keys()))
		if err != nil {
			return nil, err
		}
		all = append(all, holds)
	}
	return all, nil
}

// sorted is the elements of a set in an order that does not depend on it.
func sortedSet(s starlark.Value, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	l := NewList(s.(*Set).keys())
	err = l.Sort(Order{Key: func(x Slot) (Slot, error) {
		return Ref(starlark.String(show(x.Value()))), nil
	}})
	return l, err
}

func setUpdate(name string) func(m *model, a, b int) (starlark.Value, error) {
	return func(m *model, a, b int) (starlark.Value, error) {
		with := []starlark.Value{v(a), v(b), starlark.MakeInt(3), v(a)}
		return by(m.s, name, m.t, NewList(with))
	}
}

func toggleTwice(m *model, a, b int) (starlark.Value, error) {
	with := []starlark.Value{v(a), v(b), starlark.MakeInt(3), v(a)}
	return by(m.s, "symmetric_difference_update", NewList(with))
}

var setOperations = []operation{
	{"s.add(V(a))", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.s, "add", v(a))
	}},
	{"t.add(V(a))", func(m *model, a, b int) (starlark.Value, error) {
		return only(m.t.Add(valueOf(a)))
	}},
	{"s.discard(V(a))", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.s, "discard", v(a))
	}},
	{"t.remove(V(a))", func(m *model, a, b int) (starlark.Value, error) {
		return by(m.t, "remove", v(a))
	}},
	{"(len(s), V(a) in s)", func(m *model, a, b int) (starlark.Value, error) {
		has, err := m.s.Has(v(a))
		return starlark.Tuple{starlark.MakeInt(m.s.Len()), starlark.Bool(has)}, err
	}},
	{"sorted(s | t, key=repr)", func(m *model, a, b int) (starlark.Value, error) {
		return sortedSet(starlark.Binary(syntax.PIPE, m.s, m.t))
	}},
	{"sorted(s - t, key=repr)", func(m *model, a, b int) (starlark.Value, error) {
		return sortedSet(starlark.Binary(syntax.MINUS, m.s, m.t))
	}},
	{"sorted(s ^ t, key=repr)", func(m *model, a, b int) (starlark.Value, error) {
		return sortedSet(starlark.Binary(syntax.CIRCUMFLEX, m.s, m.t))
	}},
	{"len(s & t)", func(m *model, a, b int) (starlark.Value, error) {
		both, err := starlark.Binary(syntax.AMP, m.s, m.t)
		return starlark.MakeInt(starlark.Len(both)), err
	}},
	{"s.update(t, [V(a), V(b), 3, V(a)])", setUpdate("update")},
	{"s.difference_update(t, [V(a), V(b), 3, V(a)])", setUpdate("difference_update")},
	{"s.symmetric_difference_update([V(a), V(b), 3, V(a)])", toggleTwice},
	{"(s == t, s != t, s < t, s <= t, s > t, s >= t, " +
		"s.issubset(list(t)), s.issuperset(list(t)), s.isdisjoint(list(t)))", subset},
	{"s.clear() if a % 5 == 0 else s.symmetric_difference_update(s) if a % 5 == 1 else None",
		func(m *model, a, b int) (starlark.Value, error) {
			switch a % 5 {
			case 0:
				return by(m.s, "clear")
			case 1:
				return by(m.s, "symmetric_difference_update", m.s)
			}
			return starlark.None, nil
		}},
}
