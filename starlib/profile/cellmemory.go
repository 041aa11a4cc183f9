package profile

import (
	"maps"
	"slices"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A memoryRun books the memory of arrays to the lines that run.
type memoryRun struct {
	s      *Session
	ledger *memory.Ledger // nil: another profile has it
	lines  []value.Line   // of the accounts
}

// bookMemory begins one.
func (s *Session) bookMemory() *memoryRun {
	m := &memoryRun{s: s}
	at := make(map[value.Line]int)
	m.ledger = memory.Keep(func() int {
		line := value.LineAt(s.Current())
		account, ok := at[line]
		if !ok {
			account = len(m.lines)
			at[line] = account
			m.lines = append(m.lines, line)
		}
		return account
	})
	s.Cell().AtEnd(func() { m.end() }) // also if it panics
	return m
}

// end ends it, once, and returns the memory of each line, allocated and left; nil if there was
// none.
func (m *memoryRun) end() *profiler.CellMemory {
	if m == nil || m.ledger == nil {
		return nil
	}
	memory.Collect()
	names := m.names()
	accounts, peak, series := m.ledger.Close()
	m.ledger = nil
	if len(accounts) == 0 {
		return nil
	}
	c := &profiler.CellMemory{Peak: peak, Names: names}
	read := reading{m.s, make(map[string]map[int]*memoryLine)}
	for i, a := range accounts {
		l := profiler.LineMemory{File: m.lines[i].File, Line: m.lines[i].Line,
			Allocated: a.Allocated, Blocks: a.Blocks, AtPeak: a.AtPeak, Kept: a.Live}
		for _, why := range slices.Sorted(maps.Keys(a.Copies)) {
			l.Copies = append(l.Copies, profiler.CopyMemory{Why: why, Bytes: a.Copies[why].Bytes, Blocks: a.Copies[why].Blocks})
		}
		l.Asked, l.InPlace = read.of(m.lines[i]).says(m.s, a)
		c.Lines = append(c.Lines, l)
	}
	for _, l := range series {
		c.Series = append(c.Series, profiler.MemoryPoint{Until: l.Until, Bytes: l.Bytes})
	}
	c.Sort()
	return c
}

// names are the names of the session that keep memory of the cell. What two names keep has the one
// that comes first.
func (m *memoryRun) names() (list []profiler.NameMemory) {
	w := keeping{ledger: m.ledger, seen: make(map[any]bool)}
	for _, name := range m.s.UserNames() {
		if v, ok := m.s.Lookup(name); ok {
			w.bytes, w.left = 0, maxSearched
			if w.look(v, 0); w.bytes > 0 {
				list = append(list, profiler.NameMemory{Name: name, Bytes: w.bytes})
			}
		}
	}
	return list
}

// maxSearched bounds the values that are looked at for a name, and deepest how far inside of each
// other.
const (
	maxSearched = 100_000
	deepest     = 8
)

// keeping adds up the memory that a value keeps.
type keeping struct {
	ledger *memory.Ledger
	seen   map[any]bool // blocks, and values that may hold themselves
	bytes  int64
	left   int
}

func (w *keeping) look(v starlark.Value, depth int) {
	if w.left--; w.left < 0 || depth > deepest {
		return
	}
	switch v := v.(type) {
	case *np.Array:
		w.array(v.D)
	case symbolic.Symbol:
		if v.V.Shared != nil {
			w.array(v.V.Shared.Value())
		}
	case *slot.List:
		if w.first(v) {
			for i := range v.Len() {
				w.look(v.Index(i), depth+1)
			}
		}
	case *slot.Dict:
		if w.first(v) {
			for _, x := range v.Values() {
				w.look(x, depth+1)
			}
		}
	case starlark.Tuple:
		for _, x := range v {
			w.look(x, depth+1)
		}
	default:
		if i, ok := object.InstanceOf(v); ok && w.first(i) {
			for _, x := range i.OwnValues() {
				w.look(x, depth+1)
			}
		}
	}
}

// first reports whether x was not met before.
func (w *keeping) first(x any) bool {
	if w.seen[x] {
		return false
	}
	w.seen[x] = true
	return true
}

func (w *keeping) array(a *tensor.Dense) {
	if a == nil || a.IsSmall() {
		return
	}
	b := a.Buffer()
	if b.IsIn(w.ledger) && w.first(b) {
		w.bytes += int64(b.Footprint())
	}
}
