package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// history is what a notebook remembers of its cells: In and Out, and the names _, __, ___ and _N. A
// script has none.
type history struct {
	in        *slot.List       // source by number; "" where no cell has the number
	out       *slot.Dict       // value by number
	last      []starlark.Value // of _, __ and ___
	numbers   []int            // the N of the names _N that are ours
	remembers bool             // a notebook's cell has run
}

var lastNames = []string{"_", "__", "___"}

func newHistory() history {
	return history{in: slot.NewList(nil), out: new(slot.Dict)}
}

// publishHistory makes In and Out known.
func (s *Session) publishHistory() {
	s.env.Set("In", s.history.in)
	s.env.Set("Out", s.history.out)
}

// isNew reports whether count is the number of a cell that is to be remembered: front ends run
// cells of their own under the number of the last one.
func (h *history) isNew(count int) bool { return count > 0 && count >= h.in.Len() }

// addSource remembers the source of a cell before it runs.
func (h *history) addSource(count int, code string) {
	for h.in.Len() < count {
		h.in.Append(starlark.String(""))
	}
	h.in.Append(starlark.String(code))
}

// addResult remembers the value that a cell has shown. Names that cells have assigned are left
// alone.
func (s *Session) addResult(count int, v starlark.Value) {
	h := &s.history
	if v == h.out {
		return // it would hold itself
	}
	h.out.SetKey(starlark.MakeInt(count), v)
	name := fmt.Sprintf("_%d", count)
	if !s.env.IsAssigned(name) {
		s.env.Set(name, v)
		h.numbers = append(h.numbers, count)
	}
	if slices.ContainsFunc(lastNames, func(n string) bool { return s.env.IsAssigned(n) }) {
		return
	}
	h.last = append([]starlark.Value{v}, h.last[:min(len(h.last), len(lastNames)-1)]...)
	for i, v := range h.last {
		s.env.Set(lastNames[i], v)
	}
}

// trimHistory removes the names of results that are no longer in Out: Out.clear() frees their
// memory so.
func (s *Session) trimHistory() {
	h := &s.history
	if len(h.numbers) == h.out.Len() {
		return
	}
	h.numbers = slices.DeleteFunc(h.numbers, func(n int) bool {
		if _, ok, _ := h.out.Get(starlark.MakeInt(n)); ok {
			return false
		}
		s.forget(fmt.Sprintf("_%d", n))
		return true
	})
	if h.out.Len() == 0 {
		for _, name := range lastNames[:len(h.last)] {
			s.forget(name)
		}
		h.last = nil
	}
}

// forget removes a name that the history has made, unless a cell has assigned it since.
func (s *Session) forget(name string) {
	if !s.env.IsAssigned(name) {
		s.env.Delete(name)
	}
}

// resultHint says why the name of a result does not exist; "" if name is no such name.
func (s *Session) resultHint(name string) string {
	if slices.Contains(lastNames, name) {
		return " (no cell has shown a value yet, or too few)"
	}
	n, err := strconv.Atoi(strings.TrimPrefix(name, "_"))
	if err != nil || name[0] != '_' {
		return ""
	}
	switch {
	case s.history.in == nil || n >= s.history.in.Len() || n == 0:
		return fmt.Sprintf(" (there was no cell %d)", n)
	default:
		return fmt.Sprintf(" (cell %d showed no value, or it was forgotten)", n)
	}
}

// ForgetResults empties Out.
func (s *Session) ForgetResults() {
	s.history.out.Clear()
	s.trimHistory()
}

// ForgetSources empties the sources of all cells; their numbers stay.
func (s *Session) ForgetSources() {
	for i := range s.history.in.Len() {
		s.history.in.SetIndex(i, starlark.String(""))
	}
}

// CellSources are the sources of the cells, by number.
func (s *Session) CellSources() *slot.List { return s.history.in }
