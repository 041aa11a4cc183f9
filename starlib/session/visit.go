package session

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
)

// Front ends ask what names there are and what they mean while a cell runs, which owns the values.
// The cell itself answers, between two instructions; where it is inside of a function that takes
// long, what was there before the cell and does not change has to do.

// patience is how long a visitor waits. People see an answer within 50 ms as one at once.
const patience = 20 * time.Millisecond

// visits are of those who look at values while a cell runs.
type visits struct {
	one  sync.Mutex // visitor at a time
	mu   sync.Mutex
	seen map[string]starlark.Value // before the running cell, nil for what may change
}

// remember keeps the names and values that front ends may be told of while a cell runs.
func (v *visits) remember(s *Session) {
	seen := make(map[string]starlark.Value, len(s.base))
	for name, x := range s.inScope() {
		if !IsStill(x) {
			x = nil
		}
		seen[name] = x
	}
	v.mu.Lock()
	v.seen = seen
	v.mu.Unlock()
}

// IsStill reports whether no program changes a value or its attributes: of modules and their
// functions.
func IsStill(v starlark.Value) bool {
	switch v.(type) {
	case *value.Module, value.Callable:
		return true
	}
	return false
}

// Visit calls f, which looks at values and runs no program: at once if no cell runs, else on the
// cell's goroutine, between two instructions. It is false if the cell did not come to that in time:
// then f is not called; Seen has the names from before the cell.
func (s *Session) Visit(f func()) bool {
	if s.mu.TryLock() {
		defer s.mu.Unlock()
		f()
		return true
	}
	s.visits.one.Lock()
	defer s.visits.one.Unlock()
	var taken atomic.Bool // by the cell, or by the end of our patience
	done := make(chan any, 1)
	visitor := func() {
		if taken.CompareAndSwap(false, true) {
			defer func() { done <- recover() }() // which is not the cell's
			f()
		}
	}
	again := time.NewTicker(patience / 10) // what runs may have called another thread
	defer again.Stop()
	for late := time.After(patience); ; {
		s.threadsMu.Lock()
		if n := len(s.threads); n > 0 {
			value.Visit(s.threads[n-1], visitor)
		}
		s.threadsMu.Unlock()
		select {
		case p := <-done:
			return visited(p)
		case <-again.C:
		case <-late:
			if taken.CompareAndSwap(false, true) {
				return false
			}
			return visited(<-done)
		}
	}
}

// visited passes on the panic of a visitor.
func visited(panicked any) bool {
	if panicked != nil {
		panic(panicked)
	}
	return true
}

// Seen are the names that were there before the running cell, sorted, and the modules and functions
// among their values, which are the same whatever runs.
func (s *Session) Seen() (names []string, values *vm.Globals) {
	s.visits.mu.Lock()
	seen := s.visits.seen
	s.visits.mu.Unlock()
	values = &vm.Globals{}
	for name, v := range seen {
		if v != nil {
			values.Set(name, v)
		}
	}
	return slices.Sorted(maps.Keys(seen)), values
}
