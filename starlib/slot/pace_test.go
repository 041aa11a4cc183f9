package slot

import (
	"errors"
	"testing"
)

var errEnough = errors.New("enough")

// A budget is a pace that ends what asks once it has asked for so much work.
type budget struct{ left, made int }

func (b *budget) Ask(n int) {
	if b.left -= n; b.left < 0 {
		panic(errEnough)
	}
}

// Make counts.
func (b *budget) Make(f func() any) any {
	b.Ask(1)
	b.made++
	return f()
}

// under calls f for a dict at a pace, and reports whether it went on to its end.
func under(d *Dict, b *budget, f func() error) (ended bool) {
	defer func() {
		if p := recover(); p != nil && p != errEnough {
			panic(p)
		}
	}()
	return d.Paced(&Pace{b.Ask, b.Make}, f) == nil
}

// full is a dict whose next key needs a larger table.
func full(t *testing.T) *Dict {
	d := new(Dict)
	for i := 0; i < 1<<19 || d.room > 0; i++ {
		if err := d.Put(Int(int64(i)), Int(int64(2*i))); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// holdsAll checks that a dict is as full made it, but for what is gone.
func holdsAll(t *testing.T, d *Dict, n int, gone func(i int) bool) {
	t.Helper()
	live := 0
	for i := range n {
		v, found, err := d.Lookup(Int(int64(i)))
		switch {
		case err != nil || found == gone(i):
			t.Fatalf("key %d: found %v, %v", i, found, err)
		case found && v.Int() != int64(2*i):
			t.Fatalf("key %d has %d", i, v.Int())
		case found:
			live++
		}
	}
	if d.Len() != live || len(d.Keys()) != live {
		t.Errorf("%d entries and %d keys, want %d", d.Len(), len(d.Keys()), live)
	}
}

func nothing(int) bool { return false }

// TestPace: a table that is made anew asks, and is as it was where that is the end.
func TestPace(t *testing.T) {
	d := full(t)
	n := d.Len()
	put := func() error { return d.Put(Int(int64(n)), Int(int64(2*n))) }
	for _, left := range []int{0, 1, n / 2, n - 1} {
		if under(d, &budget{left: left}, put) {
			t.Errorf("went on to its end with %d of %d", left, n)
		}
		holdsAll(t, d, n, nothing)
	}
	b := &budget{left: 2 * n}
	if !under(d, b, put) || b.made != 1 {
		t.Errorf("made %d times, want to its end and once", b.made)
	}
	holdsAll(t, d, n+1, nothing)
	if d.pace != nil {
		t.Error("goes on asking")
	}
	if err := d.Clear(); err != nil || !under(d, &budget{}, put) {
		t.Errorf("a small table asks: %v", err)
	}
}

// TestPaceGaps: entries whose keys were removed are left out.
func TestPaceGaps(t *testing.T) {
	d := full(t)
	n := d.Len()
	gone := func(i int) bool { return i%3 == 0 }
	for i := 0; i < n; i += 3 {
		if _, _, err := d.Remove(Int(int64(i))); err != nil {
			t.Fatal(err)
		}
	}
	walk := d.Walk()
	if !under(d, &budget{left: 2 * n}, func() error { d.Reserve(2 * n); return nil }) {
		t.Error("did not go on to its end")
	}
	holdsAll(t, d, n, gone)
	if len(d.entries) != d.Len() {
		t.Errorf("%d entries for %d keys", len(d.entries), d.Len())
	}
	if _, err := walk.Next(); err != nil {
		t.Error(err)
	}
}

// TestPaceMerge: what was merged before the end is whole.
func TestPaceMerge(t *testing.T) {
	from, d := new(Dict), new(Dict)
	for i := range 1000 {
		if err := from.Put(Int(int64(i)), Int(int64(2*i))); err != nil {
			t.Fatal(err)
		}
	}
	if under(d, &budget{left: 500}, func() error { return d.Merge(from) }) {
		t.Error("went on to its end")
	}
	holdsAll(t, d, 1000, func(i int) bool { return i >= 500 })
}
