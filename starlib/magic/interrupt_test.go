package magic_test

import (
	"context"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/session"
)

// TestInterruptMagics checks that what a magic runs, or waits for, ends with its cell.
func TestInterruptMagics(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	for _, code := range []string{"%time [i for i in range(1000000000)];", "%timeit -n 1000000000 1 + 1", "%timeit while True: pass",
		"%%timeit\nwhile True: pass", "%reset"} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		_, _, err := s.Execute(ctx, 1, code, silent{})
		cancel()
		if err == nil || err.(*starlib.Error).Name() != "TimeoutError" {
			t.Errorf("%q: got %v, want a TimeoutError", code, err)
		}
	}
}

// silent is an Output that never answers.
type silent struct{ session.Discard }

func (silent) Input(string, bool) (string, error) { select {} }
