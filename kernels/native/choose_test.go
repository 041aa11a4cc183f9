package native

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// fake is a set of a given name.
type fake struct {
	kernels.Set
	isa string
}

func (f fake) ISA() string { return f.isa }

func TestChoose(t *testing.T) {
	sets := []kernels.Set{fake{isa: "neon"}, fake{isa: "avx2"}}
	for _, c := range []struct {
		sets       []kernels.Set
		name, want string // want is an ISA, "" for none, or a part of the error after "error: "
	}{
		{sets, "", "avx2"},
		{sets, "neon", "neon"},
		{sets, "avx2", "avx2"},
		{sets, "go", ""},
		{nil, "", ""},
		{nil, "go", ""},
		{sets, "avx512", `error: ARIGNOTE_ISA: got "avx512", want one of go, neon, avx2`},
		{sets, "AVX2", `error: ARIGNOTE_ISA: got "AVX2", want one of go, neon, avx2`},
		{nil, "neon", `error: ARIGNOTE_ISA: got "neon", want one of go`},
	} {
		got := ""
		s, err := choose(c.sets, c.name)
		switch {
		case err != nil:
			got = "error: " + err.Error()
		case s != nil:
			got = s.ISA()
		}
		if got != c.want {
			t.Errorf("%d sets, %q: got %q, want %q", len(c.sets), c.name, got, c.want)
		}
	}
}

func TestBest(t *testing.T) {
	t.Setenv(Variable, "")
	best, err := Best()
	if err != nil {
		t.Fatal(err)
	}
	if len(Sets()) == 0 {
		if best != nil {
			t.Errorf("without sets: got %v", best)
		}
		t.Skip("no C kernels: built without cgo")
	}
	if want := Sets()[len(Sets())-1]; best.ISA() != want.ISA() || best.Name() != "C" {
		t.Errorf("got %s %s, want C %s", best.Name(), best.ISA(), want.ISA())
	}
	for _, s := range Sets() {
		t.Setenv(Variable, s.ISA())
		if got, err := Best(); err != nil || got.ISA() != s.ISA() {
			t.Errorf("%s=%s: got %v, %v", Variable, s.ISA(), got, err)
		}
	}
	t.Setenv(Variable, "mmx")
	if _, err := Best(); err == nil || !strings.Contains(err.Error(), "want one of go, ") {
		t.Errorf("an unknown instruction set: got %v", err)
	}
}
