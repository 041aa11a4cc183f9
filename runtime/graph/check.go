package graph

import "fmt"

// Check reports the first broken rule of a graph: what every pass must leave true.
func (fg *FunctionGraph) Check() error {
	inputs := make(map[*Variable]bool)
	for _, v := range fg.Inputs {
		if !v.IsInput() {
			return fmt.Errorf("input %s is not a free variable", Mention(v))
		}
		if inputs[v] {
			return fmt.Errorf("input %s is listed twice", Mention(v))
		}
		inputs[v] = true
	}
	for v := range fg.Roots() {
		if v.IsInput() && !inputs[v] {
			return &Error{Pos: v.Origin.Pos(), Msg: Mention(v) + " is needed, and is not among the inputs"}
		}
		if v.Data != nil && !v.Type.AcceptsShape(v.Data.Shape()) {
			return fmt.Errorf("constant of type %v holds shape %v", v.Type, v.Data.Shape())
		}
	}
	updated := make(map[*Variable]bool)
	for _, u := range fg.Updates {
		switch {
		case u.Shared.Shared == nil:
			return fmt.Errorf("update of %s, which is not shared", Mention(u.Shared))
		case updated[u.Shared]:
			return fmt.Errorf("%s is updated twice", Mention(u.Shared))
		case !u.Shared.Type.Accepts(u.Value.Type):
			return fmt.Errorf("update of %s by a value of type %v", Mention(u.Shared), u.Value.Type)
		}
		updated[u.Shared] = true
	}
	clients := fg.Clients()
	for _, node := range fg.Toposort() {
		if err := node.check(); err != nil {
			return fmt.Errorf("%s: %w", node.Op.Name(), err)
		}
		// Who overwrites an input must be its only reader, and nobody may hold another view of it.
		for _, d := range Destroys(node.Op) {
			if err := checkDestroyed(node.Inputs[d.In], node, clients); err != nil {
				return fmt.Errorf("%s overwrites input %d: %w", node.Op.Name(), d.In, err)
			}
		}
	}
	return nil
}

func (a *Apply) check() error {
	types, err := a.Op.Infer(a.Inputs)
	if err != nil {
		return err
	}
	if len(types) != len(a.Outputs) {
		return fmt.Errorf("got %d outputs, want %d", len(a.Outputs), len(types))
	}
	for i, v := range a.Outputs {
		if v.Owner != a || v.Index != i {
			return fmt.Errorf("output %d does not point back to its node", i)
		}
		if !v.Type.Accepts(types[i]) {
			return fmt.Errorf("output %d: got type %v, want %v", i, v.Type, types[i])
		}
	}
	return nil
}

func checkDestroyed(v *Variable, by *Apply, clients map[*Variable][]Client) error {
	if v.Owner == nil {
		return fmt.Errorf("%s belongs to the caller", Mention(v))
	}
	if len(Views(v.Owner.Op)) > 0 {
		return fmt.Errorf("%s is a view", Mention(v))
	}
	for _, c := range clients[v] {
		if c.Node != by {
			return fmt.Errorf("%s has another use", Mention(v))
		}
	}
	if n := len(clients[v]); n > 1 {
		return fmt.Errorf("%s is used %d times", Mention(v), n)
	}
	return nil
}
