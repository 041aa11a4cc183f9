package profiler

import (
	"fmt"
	"time"

	"github.com/arignote/arignote/profiler/units"
)

// Before is the run of a cell before, in short.
type Before struct {
	Cell   string        `json:"cell"` // "In[3]"
	Wall   time.Duration `json:"wall_ns"`
	Place  string        `json:"place,omitempty"` // of the line that changed most
	Change time.Duration `json:"change_ns,omitempty"`
	State  string        `json:"state,omitempty"` // "new", "gone", "faster" or "slower"
}

// SinceBefore says how much faster or slower c is than its run before, and which line changed most;
// "" if there was none. c may be nil.
func (c *Cell) SinceBefore() string {
	if c == nil || c.Before == nil || c.Before.Wall <= 0 {
		return ""
	}
	b := c.Before
	text := fmt.Sprintf("%s in %s, %+.1f %%", units.Human(units.Times, float64(b.Wall)), units.OneLine(b.Cell),
		units.Percent(float64(c.Wall-b.Wall)/float64(b.Wall)))
	if b.Place == "" {
		return text
	}
	took := units.Human(units.Times, float64(max(b.Change, -b.Change)))
	switch {
	case b.State == "new":
		return text + fmt.Sprintf(": %s is new, %s", units.OneLine(b.Place), took)
	case b.State == "gone":
		return text + fmt.Sprintf(": %s is gone, %s", units.OneLine(b.Place), took)
	case b.Change < 0:
		return text + fmt.Sprintf(": %s took %s less", units.OneLine(b.Place), took)
	}
	return text + fmt.Sprintf(": %s took %s more", units.OneLine(b.Place), took)
}

func (b *Before) check() error {
	if b != nil && b.Wall < 0 {
		return fmt.Errorf("got a run before of %v", b.Wall)
	}
	return nil
}
