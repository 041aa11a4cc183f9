package tensor

import (
	"fmt"
	"os"
	"sync"
)

// SizeError is why no array can have a shape.
type SizeError struct{ msg string }

func (e *SizeError) Error() string { return e.msg }

// MaxBytes is the size of an array that this machine cannot hold.
var MaxBytes = sync.OnceValue(func() int {
	const unknown = 1 << 40
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return unknown
	}
	var kilobytes int
	if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &kilobytes); err != nil {
		return unknown
	}
	return kilobytes << 10
})

// CheckSize returns why no array of elements of itemsize bytes can have a shape, if so: an error of type *SizeError. Go ends
// the program where memory is refused, so too large a shape has to be found before.
func CheckSize(itemsize int, shape []int) error {
	if len(shape) > MaxRank {
		return &SizeError{fmt.Sprintf("got %d dimensions, want at most %d", len(shape), MaxRank)}
	}
	size, most := itemsize, MaxBytes()
	for _, n := range shape {
		if n < 0 {
			return &SizeError{fmt.Sprintf("got shape %s, want no negative length", ShapeString(shape))}
		}
		if n > 0 && size > most/n {
			return &SizeError{fmt.Sprintf("got shape %s, which needs more memory than there is", ShapeString(shape))}
		}
		size *= max(n, 1)
	}
	return nil
}
