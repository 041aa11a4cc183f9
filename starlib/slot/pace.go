package slot

// A Pace is how what puts many entries into a dict or set asks whether it is to go on.
type Pace struct {
	// Ask is called for work on n entries. It may panic: all entries that were there are there.
	Ask func(n int)
	// Make returns what f does, which makes memory and nothing else. It may panic before f ends.
	Make func(f func() any) any
}

const (
	pacedLog2 = 20      // of the least table that is made anew at a pace
	pacedPart = 1 << 12 // how many entries are moved between two questions
)

// Paced calls f, which changes the dict or set, and asks the pace while that makes a large table
// anew, or merges another one in.
func (t *table) Paced(pace *Pace, f func() error) error {
	before := t.pace
	t.pace = pace
	defer func() { t.pace = before }()
	return f()
}

// Reserve makes a table for n entries at least where there was less.
func (t *table) Reserve(n int) {
	if log2 := sizeFor((3*n + 1) / 2); n > minRoom && 2<<log2 > len(t.index) {
		t.rebuild(log2)
	}
}

// rebuildPaced is rebuild beside the table, which becomes the new one when all entries are there.
func (t *table) rebuildPaced(log2 int) {
	isSet := t.isSet
	z := t.pace.Make(func() any {
		z := &table{isSet: isSet}
		z.allocate(log2)
		return z
	}).(*table)
	gaps := t.live < len(t.entries)
	for first := 0; first < len(t.entries); first += pacedPart {
		end := min(first+pacedPart, len(t.entries))
		t.pace.Ask(end - first)
		var values []Slot
		if !isSet {
			values = t.values[first:end]
		}
		z.take(t.entries[first:end], values, gaps)
	}
	z.live, z.moves, z.pace, z.asks = t.live, t.moves+1, t.pace, t.asks
	*t = *z
}
