package np

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
)

// TestForgotten: what functions and methods read is held no longer when they have returned, unless their result lies in it or is neither a number nor an array. That
// nothing is given back which somebody has is tested by programs: TestMemoryIsNobodys.
func TestForgotten(t *testing.T) {
	functions := map[string]starlark.Value{}
	for _, m := range functionMembers() {
		functions[m.Name] = m.Value
	}
	for call, forgets := range map[string]bool{
		".sum": true, ".mean": true, ".max": true, ".std": true, ".argmax": true, ".any": true, ".dot": true, ".copy": true, ".round": true, ".cumsum": true, ".flatten": true,
		".nonzero": false, ".ravel": false, ".view": false, ".transpose": false, ".squeeze": false,
		"sum": true, "median": true, "sort": true, "exp": true, "copy": true, "unique": true, "diff": true, "isfinite": true, "trace": true,
		"asarray": false, "ravel": false, "transpose": false, "split": false, "atleast_2d": false,
	} {
		a := NewArray(nil, tensor.New(kernels.Float64, 2, 3))
		args := starlark.Tuple{a}
		f := functions[call]
		if name, isMethod := strings.CutPrefix(call, "."); isMethod {
			args = nil
			f, _ = a.Attr(name)
		}
		switch call {
		case ".dot":
			args = starlark.Tuple{NewArray(nil, tensor.New(kernels.Float64, 3))}
		case "split":
			args = append(args, starlark.MakeInt(2))
		}
		z, err := f.(starlark.Callable).CallInternal(new(starlark.Thread), args, nil)
		if err != nil {
			t.Fatalf("%s: %v", call, err)
		}
		if got := a.d.Alone(); got != forgets {
			t.Errorf("%s, which returned %v: nobody else has the memory: %v, want %v", call, z, got, forgets)
		}
	}
}

// TestGivenBack: a method gives back the memory of an array that was computed for it.
func TestGivenBack(t *testing.T) {
	for method, returns := range map[string]bool{"sum": true, "copy": true, "ravel": false, "tolist": false} {
		a := NewArray(nil, tensor.New(kernels.Float64, 200))
		a.Temporary()
		f, _ := a.Attr(method)
		if _, err := f.(starlark.Callable).CallInternal(new(starlark.Thread), nil, nil); err != nil {
			t.Fatal(err)
		}
		if got := a.d.Buffer() == nil; got != returns {
			t.Errorf("%s: given back: %v, want %v", method, got, returns)
		}
	}
}
