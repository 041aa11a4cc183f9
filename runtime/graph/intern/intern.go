// Package intern has one value in memory for each key in use: graphs within operations are compared
// by their pointers.
package intern

import (
	"runtime"
	"sync"
	"weak"
)

// A Table holds one T for each key as long as the T is in use, so that pointers are equal where
// keys are: a weak table, like the one in package unique. A caller sees of it only the time that it
// saves. The zero Table is empty; it may be used by several goroutines.
type Table[K comparable, T any] struct {
	known sync.Map // of K to weak.Pointer[T]
}

// One returns the T that key has, which is t unless there is one in use.
func (n *Table[K, T]) One(key K, t *T) *T {
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
