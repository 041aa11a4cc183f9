package names_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/names"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/profile"
	"github.com/arignote/arignote/starlib/pyplot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/symbolic/random"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// libraryNames are the names of the table of package names, and what it says of each.
func libraryNames(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("names.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); name != "" && !strings.ContainsAny(name[:1], "#@") {
			rows[name], _ = names.Advice(name)
		}
	}
	return rows
}

// attribute looks a name up from the predeclared ones, or in the table of a type's attributes.
func attribute(s *starlib.Session, name string) (v starlark.Value, err error) {
	parts := strings.Split(name, ".")
	for _, m := range slices.Concat([]*value.Methods{symbolic.SymbolMethods(), symbolic.SharedMethods(), symbolic.ConstantMethods(), symbolic.TensorTypeFields, symbolic.FunctionMethods, profile.ProfileMethods,
		symbolic.ModeMethods, symbolic.DebugModeMethods, symbolic.MonitoredMethods, profile.ProfileModeMethods, profile.ComparisonMethods, random.StreamsMethods, random.MRGMethods}, np.Types(), pyplot.Types()) {
		if m.Typ == parts[0] && len(parts) == 2 {
			if slices.Contains(m.Names(), parts[1]) {
				return starlark.None, nil
			}
			return m.Attr(nil, parts[1])
		}
	}
	v, ok := s.Predeclared()[parts[0]]
	switch parts[0] {
	case "matplotlib":
		v, ok = pyplot.Modules(s.Session), true
	case "plt":
		v, err = pyplot.Modules(s.Session).Attr("pyplot")
		ok = err == nil
	}
	if !ok {
		code := name
		if len(parts) > 1 && slices.Contains(s.Importable(), parts[0]) {
			code = "import " + parts[0] + "; " + name
		}
		_, _, err := s.Execute(context.Background(), 1, code, nil)
		return nil, errors.New(strings.SplitN(fmt.Sprint(err), "\n", 2)[0])
	}
	for _, part := range parts[1:] {
		x, ok := v.(starlark.HasAttrs)
		if !ok {
			return nil, fmt.Errorf("%s has no attributes", v.Type())
		}
		if v, err = x.Attr(part); err != nil {
			return nil, err
		}
	}
	if m, ok := v.(*value.AbsentModule); ok {
		return nil, m.Err()
	}
	return v, nil
}

// TestLibraryNames checks that every name that users bring with them is there, or is refused by
// name with what its row says.
func TestLibraryNames(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	there := 0
	for name, advice := range libraryNames(t) {
		_, err := attribute(s, name)
		if err == nil {
			there++
			continue
		}
		want := name + " is not in Arignote yet"
		library := strings.HasPrefix(name, "T.") || strings.HasPrefix(name, "theano.") || strings.HasPrefix(name, "gradient.")
		if library && err.Error() == want {
			t.Errorf("%s is refused, and nothing says what to do instead: write it into its row of names.txt", name)
			continue
		}
		if got := err.Error(); advice != "" && got != want+"; "+advice || got != want && !strings.HasPrefix(got, want+"; ") {
			t.Errorf("%s: got %q, want %q", name, got, want+"; "+advice)
		}
	}
	t.Logf("%d names are there", there)
	if there < 900 {
		t.Errorf("%d names are there, want T's, np's and their methods", there)
	}
}

var mentioned = regexp.MustCompile(`\b(T|np|theano|json|config)(\.[A-Za-z_]\w*)+`)

// TestAdviceExists checks that nobody is sent to a name that is not there either.
func TestAdviceExists(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	for name, advice := range libraryNames(t) {
		for _, other := range mentioned.FindAllString(advice, -1) {
			if _, err := attribute(s, other); err != nil && !strings.HasPrefix(other, "config.") {
				t.Errorf("%s: %q: %v", name, advice, err)
			}
		}
	}
}

func TestAbsentModule(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	for _, c := range []struct{ code, want string }{
		{"T.raw_random.choice_helper", "T.raw_random.choice_helper is not in Arignote yet; it belongs to the inside of the library"},
		{"T.extra_ops.cumsun", "module T.extra_ops has no attribute .cumsun (did you mean .cumsum?)"},
		{"T.dvector.filter", "TensorType.filter is not in Arignote yet; a compiled function checks its arguments; In(variable, strict=True) takes no others"},
		{"assert T.extra_ops.cumsum == T.cumsum and T.math.exp == T.exp and T.type.dvector == T.dvector and T.nnet.nnet.relu == T.nnet.relu", ""},
		{"from theano.tensor.extra_ops import cumsum\nfrom pytensor.tensor.type import TensorType\nfrom theano.tensor.nnet.sigm import sigmoid\nassert cumsum == T.cumsum", ""},
		{"T.nlinalg.tracee", "module T.nlinalg has no attribute .tracee (did you mean .trace?)"},
		{"T.raw_random.norml", "module T.raw_random has no attribute .norml (did you mean .normal?)"},
		{"T.linalg.MatrixInverse", "T.linalg.MatrixInverse is not in Arignote yet; operations are not classes; use the functions of T"},
		{"T.apply_along_axis(1)", "T.apply_along_axis is not in Arignote yet; functions of T take axis=, and work on stacks of arrays"},
		{"T.np.exp", "T.np is not in Arignote yet; use np"},
		{"T.signal.pool.Variable", "T.signal.pool.Variable is not in Arignote yet; operations are not classes; use the functions of T"},
		{"from theano.gof import null_type", "theano.gof.null_type is not in Arignote yet; graphs are made by the functions of T, and shown by debugprint"},
		{"assert T.extra_ops.alloc == T.alloc and T.subtensor.as_tensor_variable == T.as_tensor_variable", ""},
		{"T.sigmoyd", "module T has no attribute .sigmoyd (did you mean .sigmoid?)"},
		{"T.vector('v').shapr", "TensorVariable has no attribute .shapr (did you mean .shape?)"},
		{"theano.shared(0.0).auto_name", "TensorSharedVariable.auto_name is not in Arignote yet; debugprint shows what it is made of"},
		{"import theano.tensor.fft as rr", "T.fft is not in Arignote yet; there are no Fourier transforms"},
		{"from theano.tensor import fft", "T.fft is not in Arignote yet; there are no Fourier transforms"},
		{"from theano.tensor.fft import rfft", "T.fft.rfft is not in Arignote yet; there are no Fourier transforms"},
		{"from theano.sandbox.rng_mrg import mrg_uniform",
			"theano.sandbox.rng_mrg.mrg_uniform is not in Arignote yet; use theano.sandbox.rng_mrg.MRG_RandomStreams(seed).uniform"},
		{"getattr(T, 'fft')", "T.fft is not in Arignote yet; there are no Fourier transforms"},
		{"assert not hasattr(T, 'fft') and not hasattr(T, 'cmatrix') and hasattr(T, 'nnet')", ""},
		{"assert not T.fft and 'not in Arignote yet' in str(T.fft) and len(dir(T.fft)) == 0", ""},
		{"np.memmap([1.0])", "np.memmap is not in Arignote yet; use np.load"},
		{"sweep(1)", "sweep is not in Arignote yet"},
	} {
		_, _, err := s.Execute(context.Background(), 1, c.code, nil)
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && !strings.HasSuffix(strings.SplitN(got, "\n", 2)[0], c.want) {
			t.Errorf("%s: got %v, want %q", c.code, err, c.want)
		}
	}
	for _, name := range s.Predeclared()["T"].(*value.Module).Missing() {
		if s.Predeclared()["T"].(*value.Module).Member(name).Value != nil {
			t.Errorf("T.%s is there, and said to be missing", name)
		}
	}
}
