package rewrite

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
)

// mergeScans makes one loop of two over the same steps that compute something in common, such as a
// loop and the one that its gradient asks for, which leaves more. Loops that have nothing in common
// stay apart: they would save nothing, and one whose steps are one elementwise expression would
// lose that. It reports whether there were any.
func mergeScans(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, bool, error) {
	var loops []*graph.Apply
	madeOf := make(map[*graph.Apply]*big.Int) // of each node, a bit for each loop that it is or is computed from
	for _, node := range fg.Toposort() {
		from := new(big.Int)
		for _, v := range node.Inputs {
			if v.Owner != nil {
				from.Or(from, madeOf[v.Owner])
			}
		}
		if o, ok := node.Op.(op.Scan); ok && !o.Until && !o.Traits().Has(op.Acts) {
			from.SetBit(from, len(loops), 1)
			loops = append(loops, node)
		}
		madeOf[node] = from
	}
	for j, b := range loops {
		for i, a := range loops[:j] {
			m := &scanMerger{a: a, b: b, left: a.Op.(op.Scan), right: b.Op.(op.Scan)}
			m.of, m.and = m.left.Operands(a.Inputs), m.right.Operands(b.Inputs)
			if m.of.Steps != m.and.Steps || madeOf[b].Bit(i) == 1 {
				continue
			}
			if !m.compare() {
				p.decline(history.Declined{Code: "scan.merge", Rule: "scan_opt"}, b, func() string {
					return fmt.Sprintf("is not one loop with %s, which has as many steps: they compute nothing in common", by(a))
				})
				continue
			}
			subst, err := m.make()
			if err != nil {
				return nil, false, err
			}
			res, err := fg.Substitute(subst)
			if err != nil {
				continue
			}
			if p.OnRewrite != nil {
				for _, old := range slices.Concat(a.Outputs, b.Outputs) { // in one order
					if v := subst[old]; v != nil {
						p.OnRewrite(Replacement{Pass: p.Name, Old: old, New: v})
					}
				}
			}
			p.Changes++
			return res, true, nil
		}
	}
	return fg, false, nil
}

// A scanMerger makes one loop of a and b.
type scanMerger struct {
	a, b        *graph.Apply
	left, right op.Scan
	of, and     op.ScanOperands

	outputs [2][]*graph.Variable // of the bodies, in terms of the inputs of a's and of those of b's that a has not
	mine    []*graph.Variable    // of b's inputs, what stands for those: the bodies may have variables in common, which mean something else in each
	states  []int                // of each state of b, the one of a that has the same values; -1 for none
}

// compare finds what is computed in both.
func (m *scanMerger) compare() bool {
	for _, v := range m.right.Body.Inputs {
		m.mine = append(m.mine, graph.NewInput(v.Name, v.Type, v.Origin))
	}
	m.states = make([]int, len(m.right.States))
	left, right := tapsOf(m.left), tapsOf(m.right)
	sameType := func(u, v *graph.Variable) bool { return u.Type == v.Type }
	for j, st := range m.right.States {
		m.states[j] = -1
		for i, of := range m.left.States {
			if of.Kept == st.Kept && slices.Equal(of.Taps, st.Taps) && m.of.Begin[i] == m.and.Begin[j] && slices.EqualFunc(left[i], right[j], sameType) &&
				!slices.Contains(m.states[:j], i) {
				m.states[j] = i
				break
			}
		}
	}
	for {
		n := len(m.left.Body.Outputs)
		right, err := graph.Replace(m.right.Body.Outputs, m.inputs(), false)
		if err != nil {
			return false
		}
		both := &graph.FunctionGraph{Outputs: slices.Concat(m.left.Body.Outputs, right)}
		merged, err := Merge(both, &PassProfile{})
		if err != nil {
			return false
		}
		m.outputs = [2][]*graph.Variable{merged.Outputs[:n], merged.Outputs[n:]}
		same := true
		for j, i := range m.states {
			if i >= 0 && m.outputs[0][i] != m.outputs[1][j] {
				m.states[j], same = -1, false
			}
		}
		if same {
			apart := len(graph.Toposort(m.left.Body.Outputs)) + len(graph.Toposort(right))
			return len(merged.Toposort()) < apart
		}
	}
}

// inputs are what stands for inputs of b's body in a's.
func (m *scanMerger) inputs() map[*graph.Variable]*graph.Variable {
	subst := make(map[*graph.Variable]*graph.Variable)
	for i, v := range m.right.Body.Inputs {
		subst[v] = m.mine[i]
	}
	alike := func(to, from, ofTo, ofFrom []*graph.Variable) {
		for j, v := range from {
			if i := slices.Index(ofTo, ofFrom[j]); i >= 0 && to[i].Type == v.Type {
				subst[v] = to[i]
			}
		}
	}
	alike(m.left.RowInputs(), m.right.RowInputs(), m.of.Rows, m.and.Rows)
	alike(m.left.FixedInputs(), m.right.FixedInputs(), m.of.Fixed, m.and.Fixed)
	left, right := tapsOf(m.left), tapsOf(m.right)
	for j, i := range m.states {
		for k, v := range right[j] {
			if i >= 0 {
				subst[v] = left[i][k]
			}
		}
	}
	return subst
}

// tapsOf are the inputs of a loop's body that are values of each state.
func tapsOf(s op.Scan) (taps [][]*graph.Variable) {
	rest := s.TapInputs()
	for _, st := range s.States {
		taps, rest = append(taps, rest[:len(st.Taps)]), rest[len(st.Taps):]
	}
	return taps
}

// make applies the loop, and returns what stands for the results of both.
func (m *scanMerger) make() (map[*graph.Variable]*graph.Variable, error) {
	subst := m.inputs()
	rows, sequences := slices.Clone(m.left.RowInputs()), slices.Clone(m.of.Rows)
	taps, begin := slices.Clone(m.left.TapInputs()), slices.Clone(m.of.Begin)
	fixed, stays := slices.Clone(m.left.FixedInputs()), slices.Clone(m.of.Fixed)
	own := func(v *graph.Variable) bool { return slices.Contains(m.mine, v) }
	for j, v := range m.right.RowInputs() {
		if v := subst[v]; own(v) {
			rows, sequences = append(rows, v), append(sequences, m.and.Rows[j])
		}
	}
	for j, v := range m.right.FixedInputs() {
		if v := subst[v]; own(v) {
			fixed, stays = append(fixed, v), append(stays, m.and.Fixed[j])
		}
	}
	loop := &op.Loop{Sequences: len(rows), States: slices.Clone(m.left.States), Truncate: m.left.Truncate, Label: m.left.Loop.Label}
	next := slices.Clone(m.outputs[0][:len(m.left.States)])
	mine := tapsOf(m.right)
	at := make([]int, len(m.b.Outputs))
	for j, st := range m.right.States {
		if at[j] = m.states[j]; at[j] < 0 {
			at[j] = len(loop.States)
			loop.States = append(loop.States, st)
			for _, v := range mine[j] {
				taps = append(taps, subst[v])
			}
			begin, next = append(begin, m.and.Begin[j]), append(next, m.outputs[1][j])
		}
	}
	results := slices.Clone(m.outputs[0][len(m.left.States):])
	for j, v := range m.outputs[1][len(m.right.States):] {
		i := slices.Index(results, v)
		if i < 0 {
			i = len(results)
			results = append(results, v)
		}
		at[len(m.right.States)+j] = len(loop.States) + i
	}
	loop.Body = &graph.FunctionGraph{Name: m.left.Body.Name, Inputs: slices.Concat(rows, taps, fixed), Outputs: slices.Concat(next, results)}
	made, err := (&graph.Builder{Origin: m.a.Origin()}).Make(op.NewScan(loop), slices.Concat([]*graph.Variable{m.of.Steps}, sequences, begin, stays)...)
	if err != nil {
		return nil, err
	}
	out := make(map[*graph.Variable]*graph.Variable)
	for i, v := range m.a.Outputs {
		k := i
		if i >= len(m.left.States) {
			k += len(loop.States) - len(m.left.States)
		}
		made[k].Name = v.Name
		out[v] = made[k]
	}
	for j, v := range m.b.Outputs {
		out[v] = made[at[j]]
	}
	return out, nil
}
