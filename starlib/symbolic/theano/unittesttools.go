package theano

import (
	"fmt"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// assertAllClose is theano.tests.unittest_tools.assert_allclose.
var assertAllClose = value.Function("assert_allclose", "Fails if an element of value is further from that of expected than the tolerances allow.",
	`theano.tests.unittest_tools.assert_allclose([1.0, 2.0], np.array([1.0, 2.0])) == None # True`,
	func(thread *starlark.Thread, a *struct {
		Expected starlark.Value `arg:"expected: an array or a number"`
		Value    starlark.Value `arg:"value: an array or a number, of the same shape"`
		Rel      float64        `arg:"rtol=1e-5: the difference that is allowed, as a part of the element that is expected"`
		Abs      float64        `arg:"atol=1e-8: the difference that is allowed besides"`
	}) (starlark.Value, error) {
		var both [2]*tensor.Dense
		for i, v := range []starlark.Value{a.Expected, a.Value} {
			var err error
			if both[i], err = np.ToDense(v); err != nil {
				return nil, fmt.Errorf("assert_allclose: %s: %w", []string{"expected", "value"}[i], err)
			}
		}
		want, got := both[0], both[1]
		if tensor.ShapeString(want.Shape()) != tensor.ShapeString(got.Shape()) {
			return nil, fmt.Errorf("assert_allclose: value has shape %s, want %s", tensor.ShapeString(got.Shape()), tensor.ShapeString(want.Shape()))
		}
		others := got.Floats()
		for i, x := range value.Heard(thread, want.Floats()) {
			y := others[i]
			if d := max(x-y, y-x); x != y && (x == x || y == y) && !(d <= a.Abs+a.Rel*max(x, -x)) {
				return nil, fmt.Errorf("assert_allclose: element %d of value is %v, want %v: they differ by %v", i, y, x, d)
			}
		}
		return starlark.None, nil
	})

// TestsModule is theano.tests, of which programs use what checks gradients.
var TestsModule = func() *value.Module {
	tools := value.NewModule("theano.tests.unittest_tools", "Checks of gradients and values.", value.Builtins([]value.Builtin{verifyGrad, assertAllClose})...)
	return value.NewModule("theano.tests", "Checks for programs that define operations.", operations.MemberOf(tools))
}()
