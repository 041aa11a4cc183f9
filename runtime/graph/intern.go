package graph

import (
	"runtime"
	"sync"
	"weak"
)

// An Interner holds one T for each key as long as somebody uses it, so that pointers are equal
// where keys are. As with package unique, nobody can tell that it is there but by the time it
// saves. The zero Interner is empty; it may be used by several goroutines.
type Interner[K comparable, T any] struct {
	known sync.Map // of K to weak.Pointer[T]
}

// One returns the T that key has, which is t unless there is one in use.
func (n *Interner[K, T]) One(key K, t *T) *T {
	mine := weak.Make(t)
	for {
		found, taken := n.known.LoadOrStore(key, mine)
		if !taken {
			runtime.AddCleanup(t, func(key K) { n.known.CompareAndDelete(key, mine) }, key)
			return t
		}
		if old := found.(weak.Pointer[T]).Value(); old != nil {
			return old
		}
		n.known.CompareAndDelete(key, found)
	}
}
