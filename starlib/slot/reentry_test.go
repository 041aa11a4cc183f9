package slot

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// What an __eq__ does to the dict that asks it is chosen by a sequence of numbers that both
// languages compute.

const reentryScript = `
class K:
    def __init__(self, n): self.n = n
    def __hash__(self): return 7
    def __repr__(self): return f'odd{self.n}'
    def __eq__(self, other):
        global calls
        calls += 1
        if calls > 50: raise ValueError
        log.append(f'{self.n}={other.n}')
        act = draw(12)
        if act < 3:
            for _ in range(draw(9)): d[1000 + draw(50)] = None
        elif act == 3:
            if d: del d[next(iter(d))]
        elif act == 4:
            if d: d.popitem()
        elif act == 5:
            d.clear()
            for i in range(draw(4)): d[2000 + i] = None
        return draw(7) == 0
def draw(n):
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return (state >> 8) % n
state = 1
for round in range(3000):
    d, log, calls = {}, [], 1000
    keys = [K(i) for i in range(2 + draw(12))]
    K.__eq__, eq = lambda a, b: False, K.__eq__
    for k in keys: d[k] = k.n
    K.__eq__ = eq
    calls = 0
    op, key = draw(5), K(100)
    try:
        if op == 0: r = d.get(key)
        elif op == 1: d[key] = 1; r = None
        elif op == 2: r = d.pop(key, 5)
        elif op == 3: r = d.setdefault(key, 3)
        else: r = key in d
    except ValueError: r = 'error'
    print(op, r, *log, d)
`

// An oracle draws what is done.
type oracle struct {
	state, calls int
	log          []string
	d            *Dict
}

func (o *oracle) draw(n int) int {
	o.state = (o.state*1103515245 + 12345) % (1 << 31)
	return (o.state >> 8) % n
}

func (o *oracle) equal(n int, other *odd) (bool, error) {
	if o.calls++; o.calls > 50 {
		return false, errors.New("enough")
	}
	o.log = append(o.log, fmt.Sprintf("%d=%d", n, other.n))
	switch act := o.draw(12); {
	case act < 3:
		for range o.draw(9) {
			o.d.Put(Int(int64(1000+o.draw(50))), None)
		}
	case act == 3 && o.d.Len() > 0:
		o.d.PopFirst()
	case act == 4 && o.d.Len() > 0:
		o.d.PopLast()
	case act == 5:
		o.d.Clear()
		for i := range o.draw(4) {
			o.d.Put(Int(int64(2000+i)), None)
		}
	}
	return o.draw(7) == 0, nil
}

func (o *oracle) key(n int) *odd {
	return &odd{n, func(other *odd) (bool, error) { return o.equal(n, other) }}
}

func TestKeysThatChangeTheDictAgainstCPython(t *testing.T) {
	out, err := exec.Command("python3", "-c", reentryScript).Output()
	if err != nil {
		t.Skip("python3 does not run: ", err)
	}
	o := &oracle{state: 1}
	for i, want := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		o.d, o.log, o.calls = NewDict(0), nil, 0
		for i := range 2 + o.draw(12) {
			k := Ref(o.key(i))
			o.d.add(mustHash(k), k, Int(int64(i)))
		}
		op, key := o.draw(5), Ref(o.key(100))
		r, err := None, error(nil)
		switch op {
		case 0:
			var found bool
			if r, found, err = o.d.Lookup(key); !found {
				r = None
			}
		case 1:
			err = o.d.Put(key, Int(1))
		case 2:
			var found bool
			if r, found, err = o.d.Remove(key); !found {
				r = Int(5)
			}
		case 3:
			r, err = o.d.PutDefault(key, Int(3))
		case 4:
			var found bool
			_, found, err = o.d.Lookup(key)
			r = Bool(found)
		}
		result := "error"
		if err == nil {
			result = r.Value().String()
		}
		got := strings.Join(append([]string{fmt.Sprint(op), result}, append(o.log, show(o.d))...), " ")
		if got != want {
			t.Fatalf("round %d:\ngot  %s\nwant %s", i, got, want)
		}
		checkTable(t, &o.d.table)
	}
}
