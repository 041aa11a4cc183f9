package profiler

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler/units"
)

// A CellMemory says which lines of a cell the memory of arrays was for: bytes of whole blocks, as
// the allocator counts them. Arrays of a few kilobytes are not counted.
type CellMemory struct {
	Peak   int64         `json:"peak"`   // the most in use at once of what the cell allocated
	Lines  []LineMemory  `json:"lines"`  // the line with the most at the peak first
	Series []MemoryPoint `json:"series"` // what was in use, over time
	Names  []NameMemory  `json:"names"`  // what the cell leaves behind, by name, the largest first
}

// A LineMemory is the memory of arrays that were made while a line ran.
type LineMemory struct {
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"` // 0: no line of the user's
	Allocated int64  `json:"allocated"`
	Blocks    int64  `json:"blocks"`
	AtPeak    int64  `json:"at_peak"`
	Kept      int64  `json:"kept"` // in use when the cell was over
	// Copies are the part of Allocated that holds what was there already, by why it was made.
	Copies []CopyMemory `json:"copies,omitempty"`
	// What the language of the program says of the line: that it asks for its copies, and how it
	// is written so that its result lies in its operand; "" if it cannot, or is something else.
	Asked   bool   `json:"asked,omitempty"`
	InPlace string `json:"in_place,omitempty"`
}

// A CopyMemory is the memory of copies that a line made for one reason: "float32 to float64",
// "transposed", "not contiguous", "broadcast", or "copy" of those that only copy.
type CopyMemory struct {
	Why    string `json:"why"`
	Bytes  int64  `json:"bytes"`
	Blocks int64  `json:"blocks"`
}

// A MemoryPoint is the most that was in use until some time, since the point before.
type MemoryPoint struct {
	Until time.Duration `json:"until_ns"`
	Bytes int64         `json:"bytes"`
}

// A NameMemory is the memory of a cell that a name keeps.
type NameMemory struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// Copied is the part of Allocated that holds what was there already.
func (l *LineMemory) Copied() (sum int64) {
	for _, c := range l.Copies {
		sum += c.Bytes
	}
	return sum
}

// Total adds up the lines.
func (m *CellMemory) Total() (t LineMemory) {
	if m == nil {
		return t
	}
	for _, l := range m.Lines {
		t.Allocated += l.Allocated
		t.Blocks += l.Blocks
		t.AtPeak += l.AtPeak
		t.Kept += l.Kept
	}
	return t
}

// Sort puts lines and names in order.
func (m *CellMemory) Sort() {
	slices.SortFunc(m.Lines, func(a, b LineMemory) int {
		return cmp.Or(cmp.Compare(b.AtPeak, a.AtPeak), cmp.Compare(b.Allocated, a.Allocated), cmp.Compare(a.File, b.File), a.Line-b.Line)
	})
	slices.SortFunc(m.Names, func(a, b NameMemory) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Name, b.Name))
	})
}

func (m *CellMemory) check() error {
	if m == nil {
		return nil
	}
	for _, l := range m.Lines {
		if min(l.Allocated, l.Blocks, l.AtPeak, l.Kept) < 0 || l.Line < 0 {
			return fmt.Errorf("got %d bytes in %d blocks at line %d of a cell", l.Allocated, l.Blocks, l.Line)
		}
		for _, c := range l.Copies {
			if min(c.Bytes, c.Blocks) < 0 {
				return fmt.Errorf("got %d bytes of copies at line %d of a cell", c.Bytes, l.Line)
			}
		}
	}
	for _, p := range m.Series {
		if p.Bytes < 0 || p.Until < 0 {
			return fmt.Errorf("got %d bytes after %v of a cell", p.Bytes, p.Until)
		}
	}
	return nil
}

// fewBlocks is how many blocks a line makes that does not run again and again.
const fewBlocks = 3

// Needless says what a line allocated and did not have to: copies that it does not ask for, and
// arrays that could be written over.
func (l *LineMemory) Needless() (list []string) {
	for _, c := range l.Copies {
		if c.Why != "copy" && !l.Asked {
			list = append(list, fmt.Sprintf("%s of hidden copies in %s: %s", units.Human(units.Bytes, float64(c.Bytes)), units.Plural(c.Blocks, "block"), whyCopied(c.Why)))
		}
	}
	if l.InPlace != "" && l.Blocks > fewBlocks {
		list = append(list, "a new array each time: "+l.InPlace+" writes over the old one, if nothing else has that")
	}
	return list
}

// whyCopied is the reason of a copy in words.
func whyCopied(why string) string {
	switch {
	case strings.Contains(why, " to "):
		return "converted from " + why
	case why == "transposed":
		return "an operand is transposed"
	case why == "not contiguous":
		return "an operand is not in order"
	case why == "broadcast":
		return "an operand is broadcast"
	}
	return why
}
