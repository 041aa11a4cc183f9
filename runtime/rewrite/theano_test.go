package rewrite

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// theano says which rules do what rewrites of Theano's do, by family. The names of rules are
// Theano's where one does what that one does.
var theano = []struct{ family, does, rules string }{
	{"local_op_of_op, local_reduce_join", "reductions of reductions, of joins, of what is put together and of what is repeated",
		"local_op_of_op local_reduce_join local_sum_make_vector local_reduce_dimshuffle local_sum_alloc local_reduce_alloc"},
	{"local_reduce_broadcastable, local_useless_reduce", "axes of length 1, and none", "local_reduce_broadcastable local_useless_reduce"},
	{"local_sum_prod_div_dimshuffle, local_sum_prod_mul_by_scalar", "factors and divisors that are the same along the summed axes", "local_sum_prod_mul_by_scalar local_sum_neg"},
	{"local_sumsqr2dot", "sums of products that are larger than their factors", "local_sumsqr2dot local_sum_mul_to_dot"},
	{"local_lift_transpose_through_dot, local_0_dot_x", "products of matrices", "local_lift_transpose_through_dot local_0_dot_x local_subtensor_of_dot"},
	{"local_subtensor_lift", "what is computed of a part instead of all", "local_subtensor_lift local_subtensor_of_dimshuffle local_subtensor_of_reduce local_subtensor_of_softmax"},
	{"local_subtensor_merge, local_useless_slice", "parts of parts, and of all", "local_subtensor_merge local_useless_slice local_subtensor_remove_broadcastable_index"},
	{"local_subtensor_of_alloc, local_subtensor_make_vector, local_subtensor_inc_subtensor", "parts of what is made of others",
		"local_subtensor_of_alloc local_subtensor_make_vector local_dimshuffle_make_vector local_subtensor_inc_subtensor local_subtensor_of_join"},
	{"local_IncSubtensor_serialize", "sums of what is added to zeros", "local_IncSubtensor_serialize local_IncSubtensor_serialize_signed_zero local_inc_subtensor_merge local_set_subtensor_twice local_set_subtensor_to_join"},
	{"local_incsubtensor_of_zeros_to_setsubtensor, local_useless_inc_subtensor", "what is added to zeros, to all, and what is repeated to be added",
		"local_incsubtensor_of_zeros_to_setsubtensor local_incsubtensor_of_zeros_to_setsubtensor_signed_zero local_useless_inc_subtensor local_useless_inc_subtensor_alloc"},
	{"local_reshape_chain, local_reshape_lift, local_reshape_to_dimshuffle, local_useless_reshape", "reshapes",
		"local_reshape_chain local_reshape_lift local_reshape_to_dimshuffle local_reshape_dimshuffle local_useless_reshape"},
	{"local_join_1, local_join_empty, local_join_make_vector", "joins", "local_join_1 local_join_empty local_join_make_vector local_join_join local_join_subtensor"},
	{"local_cast_cast, local_upcast_elemwise_constant_inputs", "conversions", "local_cast_cast local_upcast_elemwise_constant_inputs"},
	{"local_useless_switch, local_merge_switch_same_cond, local_mul_switch_sink, local_div_switch_sink", "choices",
		"local_useless_switch local_merge_switch_same_cond local_mul_switch_sink local_div_switch_sink local_switch_invert"},
	{"local_one_minus_erf, local_one_minus_erfc, local_log_erfc", "erf and erfc", "local_one_minus_erf local_one_minus_erfc local_one_plus_erf local_erf_minus_one local_log_erfc local_erfcx"},
	{"crossentropy_to_crossentropy_with_softmax, local_logsoftmax, local_softmax_grad_to_crossentropy_with_softmax_grad", "softmax and its cross-entropy",
		"local_logsoftmax local_softmax local_crossentropy_softmax_1hot local_crossentropy_softmax_1hot_grad local_crossentropy_selected_grad local_crossentropy_with_grad local_crossentropy_with_softmax"},
	{"local_elemwise_alloc, local_alloc_unary, local_fill_to_alloc, local_fill_sink, local_useless_alloc, local_useless_fill", "values that are repeated",
		"local_elemwise_alloc local_alloc_unary local_fill_to_alloc local_fill_sink local_fill_shape local_useless_alloc local_useless_fill local_fill_fill local_alloc_alloc local_dimshuffle_alloc"},
}

// leftOut are rewrites of Theano's and PyTensor's that there are none of here, since ordinary
// numbers become something else.
var leftOut = []struct{ name, why, written, instead, operands string }{
	{"local_sum_prod_mul_by_scalar of prod", "k**n overflows, or prod(x) underflows, where the product of k*x does neither; and what it saves, one multiplication an element, is done in the same loop as the product",
		"func(k float64[1], x float64[1100], n float64[1])\n\tv1 = mul k x\n\tv2 = prod{axes=0} v1\n\treturn v2",
		"func(k float64[1], x float64[1100], n float64[1])\n\tv1 = prod{axes=0} k\n\tv2 = prod{axes=0} n\n\tv3 = pow v1 v2\n\tv4 = prod{axes=0} x\n\tv5 = mul v3 v4\n\treturn v5",
		"k = 2, x = 0.5, n = 1100"},
}

// TestLeftOut: what is left out would be wrong, and no rule does it.
func TestLeftOut(t *testing.T) {
	for _, row := range leftOut {
		if e := leftOutExample(t, row.written, row.instead, row.operands); !e.changed() || math.IsNaN(e.before) {
			t.Errorf("%s: of %s both are %v: it need not be left out", row.name, row.operands, e.before)
		}
		fg, err := graph.Parse("", row.written, op.Lookup)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range Rules() {
			if !slices.Contains(r.roots, any(typeOf[op.Reduce]())) {
				continue
			}
			if v := applyRule(r, fg.Outputs[0]); v != nil {
				t.Errorf("%s: rule %s makes it %s", row.name, r.Name, write(v))
			}
		}
	}
}

func leftOutExample(t *testing.T, written, instead, operands string) (e example) {
	t.Helper()
	first := 0.0
	for i, text := range []string{written, instead} {
		fg, err := graph.Parse("", text, op.Lookup)
		if err != nil {
			t.Fatal(err)
		}
		values := make(map[*graph.Variable]*tensor.Dense)
		if err := assign(operands, fg.Inputs, values); err != nil {
			t.Fatal(err)
		}
		if err := e.evaluate(fg.Outputs[0], fg.Outputs[0], values); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = e.before
			e.written = write(fg.Outputs[0])
		} else {
			e.becomes = write(fg.Outputs[0])
		}
	}
	e.before = first
	return e
}

// theanoTable is theano in the manual.
func theanoTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("\n## Families of Theano's\n\nWhich rules do what Theano's do that come with structural operations. scalar and tensor are one here, an axis tuple names all axes, and " +
		"a split is its parts, so that `local_scalar_tensor_scalar`, `local_sum_prod_all_to_none` and `local_useless_split` have nothing to do. Elementwise work, of several results too, and the reductions that follow " +
		"are collapsed by the pass `elemwise_fusion`.\n\n| of Theano's | about | rules |\n|---|---|---|\n")
	for _, row := range theano {
		rules := strings.Fields(row.rules)
		for _, name := range rules {
			if !slices.ContainsFunc(Rules(), func(r *Rule) bool { return r.Name == name }) {
				t.Errorf("%s: there is no rule %s", row.family, name)
			}
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` |\n", row.family, row.does, strings.Join(rules, "` `"))
	}
	b.WriteString("\nNot done, as it would make something else of ordinary numbers, by rules of any kind:\n\n| of Theano's | as written | instead | of | gives | instead | why |\n|---|---|---|---|---|---|---|\n")
	for _, row := range leftOut {
		e := leftOutExample(t, row.written, row.instead, row.operands)
		fmt.Fprintf(&b, "| %s | `%s` | `%s` | `%s` | %.6g | %.6g | %s |\n", row.name, e.written, e.becomes, row.operands, e.before, e.after, row.why)
	}
	return b.String()
}
