package fleet

import (
	"github.com/arignote/arignote/kernels/random"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// isRandom reports whether an update is that of the state of random numbers.
func isRandom(u graph.Update) bool {
	if u.Shared.Type.State != graph.NoState {
		return true
	}
	if u.Value.Owner == nil {
		return false
	}
	_, mrg := u.Value.Owner.Op.(op.MRGUniform)
	return mrg
}

// mrgModulus is the smaller of the two moduli of MRG31k3p (L'Ecuyer and Touzin, 2000): numbers from
// 1 to below it are states.
const mrgModulus = 2147462579

// seeded is the state with which task n draws, made of the state that the function was sent with,
// as NumPy's SeedSequence mixes words.
func seeded(state *tensor.Dense, kind graph.StateKind, n int) *tensor.Dense {
	var words []uint32
	if kind == graph.NoState {
		for _, x := range tensor.Elements[int32](state) {
			words = append(words, uint32(x))
		}
	} else {
		words = append(words, tensor.Elements[uint32](state)...)
	}
	seeds := random.NewSeedSequence(append(words, uint32(n), uint32(uint64(n)>>32))...)
	fresh := state.Copy()
	switch kind {
	case graph.RandomState:
		s := new(random.RandomState)
		s.SeedArray(seeds.Uint32s(8))
		s.Store(tensor.Elements[uint32](fresh))
	case graph.GeneratorState:
		random.NewGeneratorOf(seeds).Store(tensor.Elements[uint32](fresh))
	default:
		g := random.MRG31k3p{}
		for i, w := range seeds.Uint32s(len(g)) {
			g[i] = int32(1 + w%(mrgModulus-1))
		}
		rows := tensor.Elements[int32](fresh)
		for i := 0; i+len(g) <= len(rows); i += len(g) {
			copy(rows[i:], g[:])
			g = g.Substream()
		}
	}
	return fresh
}
