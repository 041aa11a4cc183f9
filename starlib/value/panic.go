package value

import (
	"fmt"
	"runtime/debug"

	"github.com/arignote/arignote/runtime/tensor"
)

// An InternalError is a panic: a bug of ours.
type InternalError struct {
	Value any
	Stack []byte // of the goroutine
}

// Recovered is the error of a panic. That there is too little memory for an array, or for a text,
// is no bug, nor is an interrupt.
func Recovered(p any) error {
	switch p := p.(type) {
	case *tensor.SizeError:
		return p
	case error:
		if p == tensor.ErrStopped {
			return p
		}
	}
	if text, ok := p.(*textError); ok {
		return text
	}
	return &InternalError{p, debug.Stack()}
}

func (e *InternalError) Error() string {
	return fmt.Sprintf("internal error: %v; please report it (the log has the Go stack)", e.Value)
}
