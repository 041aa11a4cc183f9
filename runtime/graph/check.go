package graph

import (
	"fmt"
	"slices"
)

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
		// Who overwrites an input must be its only reader, and nobody may hold another view of it;
		// or it is the old value of a shared variable that everybody else has read.
		for _, d := range Destroys(node.Op) {
			if v := node.Inputs[d.In]; fg.Updating(v, node.Outputs[d.Out], clients, overwritten) {
				if other := fg.LateReader(v, node, clients); other != nil {
					by := "the caller"
					if other.Node != nil {
						by = other.Node.Op.Name()
					}
					return fmt.Errorf("%s overwrites input %d: %s may be read afterwards, by %s", node.Op.Name(), d.In, Mention(v), by)
				}
			} else if err := checkDestroyed(v, node, clients); err != nil {
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

func checkDestroyed(v *Variable, by *Apply, clients *Clients) error {
	if v.Owner == nil {
		return fmt.Errorf("%s belongs to the caller", Mention(v))
	}
	if len(Views(v.Owner.Op)) > 0 {
		return fmt.Errorf("%s is a view", Mention(v))
	}
	for _, c := range clients.Get(v) {
		if c.Node != by {
			return fmt.Errorf("%s has another use", Mention(v))
		}
	}
	if n := len(clients.Get(v)); n > 1 {
		return fmt.Errorf("%s is used %d times", Mention(v), n)
	}
	return nil
}

// Updating reports whether v is a shared variable of the graph that gets the new value w, or what
// its only reader makes of w by overwriting it, and so on. overwrites is what a client makes by
// overwriting what it reads, nil if it does not.
func (fg *FunctionGraph) Updating(v, w *Variable, clients *Clients, overwrites func(Client) *Variable) bool {
	if v.Shared == nil {
		return false
	}
	for !slices.ContainsFunc(fg.Updates, func(u Update) bool { return u.Shared == v && u.Value == w }) {
		if len(clients.Get(w)) != 1 || clients.Get(w)[0].Node == nil {
			return false
		}
		if w = overwrites(clients.Get(w)[0]); w == nil {
			return false
		}
	}
	return len(clients.Get(w)) == 1 // it is no result besides
}

// InPlace reports whether what makes the new value overwrites something with it: as the graph is
// right, the old value.
func (u Update) InPlace() bool {
	return u.Value.Owner != nil && slices.ContainsFunc(Destroys(u.Value.Owner.Op), func(a Alias) bool { return a.Out == u.Value.Index })
}

// overwritten is what the client of a variable makes by overwriting it, nil if it does not.
func overwritten(c Client) *Variable {
	for _, d := range Destroys(c.Node.Op) {
		if d.In == c.Index {
			return c.Node.Outputs[d.Out]
		}
	}
	return nil
}

// LateReader finds who keeps node from overwriting the shared variable v, which it reads once: a
// client, of v or of a view of it, that need not run before the node does. Its Node is nil if that
// is the caller, who gets the old value. It is nil if there is none.
func (fg *FunctionGraph) LateReader(v *Variable, node *Apply, clients *Clients) *Client {
	before := make(map[*Apply]bool)
	for _, a := range Toposort(node.Inputs) {
		before[a] = true
	}
	reads := 0
	list := []*Variable{}
	for r := range fg.Roots() { // of which several may be the same shared variable
		if r.Shared == v.Shared {
			list = append(list, r)
		}
	}
	for len(list) > 0 {
		w := list[0]
		list = list[1:]
		for _, c := range clients.Get(w) {
			if c.Node == node && w == v {
				reads++
			}
			if c.Node == nil || reads > 1 || c.Node != node && !before[c.Node] || c.Node == node && w != v {
				return &c
			}
			if c.Node != node {
				for _, a := range Views(c.Node.Op) {
					if a.In == c.Index {
						list = append(list, c.Node.Outputs[a.Out])
					}
				}
			}
		}
	}
	return nil
}
