package slot

import (
	"errors"
	"fmt"
	"math"
	"os/exec"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// sortCases are lists of Python's: all kinds of numbers with nan, which is neither before nor
// behind others; runs; texts; tuples and lists; by key and in reverse.
const sortScript = `
import random, sys
random.seed(5)
nan = float('nan')
mixed = [nan, 1.5, -0.0, 0, True, False, 2**70, -2**64, 7, 2.0**70]
def case(n):
    kind = random.randrange(7)
    if kind == 0: return [random.randrange(n) for _ in range(n)]
    if kind == 1: return [random.choice(mixed) for _ in range(n)]
    if kind == 2: return [random.random() for _ in range(n)]
    if kind == 3: return [str(random.randrange(n)) for _ in range(n)]
    if kind == 4: return [(random.randrange(3), [random.randrange(4), 1.0]) for _ in range(n)]
    if kind == 5: return [i // 3 if i % 40 else -i for i in range(n)]
    return [n - i if i % 11 else i for i in range(n)]
for n in [1, 2, 3, 10, 63, 64, 65, 100, 400, 1500]:
    for _ in range(12):
        x = case(n)
        reverse, key = random.random() < 0.4, random.random() < 0.3
        print(int(reverse), int(key), x, sep=';', end=';')
        x.sort(reverse=reverse, key=(lambda y: str(y)[-1]) if key else None)
        print(x)
`

func TestSortAgainstCPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	out, err := exec.Command("python3", "-c", sortScript).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Split(line, ";")
		l := parseList(t, fields[2])
		by := Order{Reverse: fields[0] == "1"}
		if fields[1] == "1" {
			by.Key = func(x Slot) (Slot, error) {
				s := show(x.Value())
				s = strings.TrimSuffix(s, "'")
				return Ref(starlark.String(s[len(s)-1:])), nil
			}
		}
		if err := l.Sort(by); err != nil {
			t.Fatal(err)
		}
		if got := show(l); got != fields[3] {
			t.Errorf("case %d, reverse %s, key %s: %s\ngot  %.300s\nwant %.300s",
				i, fields[0], fields[1], fields[2], got, fields[3])
		}
	}
}

// parseList reads a list as Python writes it.
func parseList(t *testing.T, text string) *List {
	env := starlark.StringDict{"nan": starlark.Float(math.NaN())}
	v, err := starlark.EvalOptions(new(syntax.FileOptions), new(starlark.Thread), "test", text, env)
	if err != nil {
		t.Fatal(err)
	}
	return ours(v).(*List)
}

func TestSortThatFails(t *testing.T) {
	l := NewList([]starlark.Value{starlark.MakeInt(2), starlark.String("a"), starlark.MakeInt(1)})
	if err := l.Sort(Order{}); err == nil || l.Len() != 3 {
		t.Errorf("got %v, %v", err, l)
	}
	failure := errors.New("from the key")
	failing := Order{Key: func(Slot) (Slot, error) { return None, failure }}
	if err := l.Sort(failing); err != failure || l.Len() != 3 {
		t.Errorf("got %v, %v", err, l)
	}
	err := l.Sort(Order{Less: func(x, y Slot) (bool, error) { return false, l.Push(x) }})
	if err != errSortChange || l.Len() != 3 {
		t.Errorf("got %v, %v", err, l)
	}
	l.Freeze()
	if err := l.Sort(Order{}); fmt.Sprint(err) != "cannot assign to element of frozen list" {
		t.Error(err)
	}
}

// TestSortMethod calls list.sort with a key of the program's.
func TestSortMethod(t *testing.T) {
	l := parseList(t, "['bb', 'a', 'ccc', 'dd']")
	_, err := starlark.EvalOptions(new(syntax.FileOptions), new(starlark.Thread), "test",
		"l.sort(key = len, reverse = True)", starlark.StringDict{"l": l})
	if got := show(l); err != nil || got != "['ccc', 'bb', 'dd', 'a']" {
		t.Errorf("got %s %v", got, err)
	}
}
