package tensor

import (
	"fmt"
	"sync"

	"github.com/arignote/arignote/runtime/memory"
)

// SizeError is why no array can have a shape.
type SizeError struct {
	msg    string
	memory bool // there is too little
	cause  error
}

func (e *SizeError) Error() string { return e.msg }
func (e *SizeError) Unwrap() error { return e.cause }

// ErrorName is what users know the error as.
func (e *SizeError) ErrorName() string {
	if e.memory {
		return "MemoryError"
	}
	return "ValueError"
}

// MaxBytes is the size of an array that this process cannot hold.
var MaxBytes = sync.OnceValue(func() int {
	if b := memory.Available(); b.Bytes > 0 {
		return int(b.Bytes)
	}
	return 1 << 40
})

// CheckSize returns why no array of elements of itemsize bytes can have a shape, if so: an error of
// type *SizeError. Go ends the program where memory is refused, so too large a shape has to be
// found before.
func CheckSize(itemsize int, shape []int) error {
	if len(shape) > MaxRank {
		return &SizeError{msg: fmt.Sprintf("got %d dimensions, want at most %d", len(shape), MaxRank)}
	}
	size, most := itemsize, MaxBytes()
	for _, n := range shape {
		if n < 0 {
			return &SizeError{msg: fmt.Sprintf("got shape %s, want no negative length", ShapeString(shape))}
		}
		if n > 0 && size > most/n {
			return &SizeError{msg: fmt.Sprintf("got shape %s, which needs more memory than there is", ShapeString(shape)), memory: true}
		}
		size *= max(n, 1)
	}
	return nil
}
