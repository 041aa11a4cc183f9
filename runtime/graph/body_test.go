package graph_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

func TestBody(t *testing.T) {
	b := graph.NewBodyBuilder(2)
	p := b.Step(op.Mul, 0, 1)
	s := b.Step(op.Reduce{Axes: tensor.AxesOf(1)}, p)
	if again := b.Step(op.Mul, 0, 1); again != p {
		t.Errorf("got value %d for an equal step, want %d", again, p)
	}
	body := b.Body(p, s)
	const text = "t0=mul(i0,i1);t1=sum{axes=1}(t0);t0,t1"
	if body.String() != text {
		t.Errorf("got %s, want %s", body, text)
	}
	if body.Step(1) != nil || body.Step(s).Op != graph.Op(op.Reduce{Axes: tensor.AxesOf(1)}) {
		t.Errorf("got steps %v", body.Steps())
	}
	for _, text := range []string{
		text, "i0", "t0=exp(i1);t0", "t0=composite{code=t0=add(i0,i1);t1=sqr(t0);t1}(i0,i1);t0,i1",
		"t0=inc_subtensor{index=1: 0,set=true}(i0,i1);t0",
	} {
		got, err := graph.ParseBody(text, op.Lookup)
		if err != nil || got.String() != text {
			t.Errorf("ParseBody(%q) = %v, %v", text, got, err)
		}
		if again, _ := graph.ParseBody(text, op.Lookup); again != got {
			t.Errorf("%s: got two bodies, want one", text)
		}
	}
	if parsed, _ := graph.ParseBody(text, op.Lookup); parsed != body {
		t.Errorf("got another body for the same text")
	}
	// Equal steps are one, however they are written.
	if got, err := graph.ParseBody("t0=exp(i0);t1=exp(i0);t2=add(t0,t1);t2", op.Lookup); err != nil || got.String() != "t0=exp(i0);t1=add(t0,t0);t1" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestBodyErrors(t *testing.T) {
	for text, want := range map[string]string{
		"t0=exp(i0);t1":           `operand "t1" is not defined`,
		"t0=exp(t0);t0":           `operand "t0" is not defined`,
		"t0=exp(x);t0":            `operand "x" is not defined`,
		"t0=exp(i0);":             `operand "" is not defined`,
		"t0=exp(i01);t0":          `operand "i01" is not defined`,
		"t1=exp(i0);t1":           `got step "t1=exp(i0)", want t0=op(...)`,
		"t0=exp;t0":               `got step "t0=exp", want t0=op(...)`,
		"t0=expo(i0);t0":          `unknown op "expo"`,
		"t0=add(i0,i99999999);t0": "got 100000000 inputs, want at most 65536",
	} {
		if _, err := graph.ParseBody(text, op.Lookup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %s", text, err, want)
		}
	}
}

// TestBodyReadsInputs: bodies with other numbers of inputs must not have one text.
func TestBodyReadsInputs(t *testing.T) {
	defer func() {
		if r := recover(); r != "BUG: nothing reads input 2 of a body" {
			t.Errorf("got panic %v", r)
		}
	}()
	b := graph.NewBodyBuilder(3)
	b.Body(b.Step(op.Mul, 0, 1))
}

// TestBodiesMeet: builders that make the same body at the same time get one, and bodies that nobody
// holds go.
func TestBodiesMeet(t *testing.T) {
	made := make([]*graph.Body, 8)
	var wg sync.WaitGroup
	for i := range made {
		wg.Go(func() {
			for range 100 {
				b := graph.NewBodyBuilder(3)
				made[i] = b.Body(b.Step(op.Sub, b.Step(op.Mul, 2, 1), 0))
				if i == 0 {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
	for _, b := range made {
		if b != made[0] {
			t.Error("got two bodies, want one")
		}
	}
	runtime.KeepAlive(made)
}
