package value_test

import (
	"testing"
	"time"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// placeHost is a host that has a place for a sampler, and nothing else.
type placeHost struct {
	value.Host
	place value.SamplerPlace
}

func (h *placeHost) SamplerPlace() *value.SamplerPlace { return &h.place }
func (h *placeHost) Busy() bool                        { return false }

// TestLateGlance: who is to charge time, and finds that the glances are over meanwhile, charges
// nothing: the spots are the caller's of EndGlances.
func TestLateGlance(t *testing.T) {
	charged := func(spots map[value.Spot]time.Duration) (sum time.Duration) {
		for _, d := range spots {
			sum += d
		}
		return sum
	}
	late := 0
	for range 20000 {
		h := &placeHost{}
		s := value.Glance(h, func() *starlark.Thread { return nil })
		h.place.Look()
		done := make(chan struct{})
		go func() {
			s.Leave("function", "f")
			close(done)
		}()
		_, spots, _ := s.EndGlances()
		before := charged(spots)
		<-done
		if len(spots) == 0 {
			late++
		}
		if after := charged(spots); after != before {
			t.Fatalf("%v were charged after the end", after-before)
		}
	}
	if late == 0 {
		t.Error("the glances were never over before the time was charged")
	}
}
