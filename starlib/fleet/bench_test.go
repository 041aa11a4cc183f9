package fleet_test

import (
	"context"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/fleet"
	"github.com/arignote/arignote/starlib/saving"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/starlibtest"
	"github.com/arignote/arignote/starlib/symbolic"
	"go.starlark.net/starlark"
)

// BenchmarkTask is what a small task costs its worker, and its caller, without the hub.
func BenchmarkTask(b *testing.B) {
	s := starlibtest.NewSession(b)
	if _, _, err := s.Execute(context.Background(), 1, `x = T.dvector("x")
f = function([x], x.sum(), name="f")
a = np.ones(3)`, session.Discard{}); err != nil {
		b.Fatal(err)
	}
	f, _ := s.Lookup("f")
	a, _ := s.Lookup("a")
	program, err := saving.Encode(symbolic.In(s.Session), f)
	if err != nil {
		b.Fatal(err)
	}
	worker := starlib.NewSession(starlib.Options{})
	p, err := fleet.Runner{Session: worker.Session}.Open(context.Background(), "", "0123456789abcdef", program)
	if err != nil {
		b.Fatal(err)
	}
	input := func() []byte {
		in, err := saving.Encode(symbolic.In(s.Session), starlark.Tuple{starlark.MakeInt(0), slot.NewList([]starlark.Value{a})})
		if err != nil {
			b.Fatal(err)
		}
		return in
	}
	b.Run("encode", func(b *testing.B) {
		for b.Loop() {
			input()
		}
	})
	in := input()
	var out []byte
	b.Run("run", func(b *testing.B) {
		for b.Loop() {
			var err error
			if out, err = p.Run(context.Background(), 0, in); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			if _, err := saving.Decode(symbolic.In(s.Session), "result", out); err != nil {
				b.Fatal(err)
			}
		}
	})
}
