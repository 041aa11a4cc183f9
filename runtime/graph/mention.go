package graph

import "slices"

// Inputs are the free inputs of which vars were written: those that they are computed from and
// those that are mentioned on the way, with variables replaced as Substitute does.
func Inputs(subst map[*Variable]*Variable, vars ...*Variable) []*Variable {
	var list []*Variable
	seen := make(map[*Variable]bool)
	for stack := slices.Clone(vars); len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if w := subst[v]; w != nil && w != v {
			stack = append(stack, w)
			continue
		}
		if v.notes != nil {
			stack = append(stack, v.notes.mentions...)
		}
		if v.Owner != nil {
			stack = append(stack, v.Owner.Inputs...)
		} else if v.IsInput() {
			list = append(list, v)
		}
	}
	return list
}

// Mention notes at results that inputs were what they were written of.
func (b *Builder) Mention(results, inputs []*Variable) {
	for _, v := range results {
		for _, in := range inputs {
			if in == v {
				continue
			}
			if n := v.noted(); !slices.Contains(n.mentions, in) {
				n.mentions = append(n.mentions, in)
			}
		}
	}
}
