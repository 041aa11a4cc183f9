package value

import (
	"testing"
	"time"

	"go.starlark.net/starlark"
)

// placeHost is a host that has a place for a sampler, and nothing else.
type placeHost struct {
	Host
	place SamplerPlace
}

func (h *placeHost) SamplerPlace() *SamplerPlace { return &h.place }
func (h *placeHost) Busy() bool                  { return false }

// TestLateGlance: who is to charge time, and finds that the glances are over meanwhile, charges
// nothing: the spots are the caller's of EndGlances.
func TestLateGlance(t *testing.T) {
	h := &placeHost{}
	s := Glance(h, func() *starlark.Thread { return nil })
	h.place.Look()
	s.mu.Lock() // as EndGlances has it
	done := make(chan struct{})
	go func() {
		s.Leave("function", "f")
		close(done)
	}()
	for s.glances.due.Load() {
		time.Sleep(time.Millisecond)
	}
	h.place.glancing.Store(nil)
	s.mu.Unlock()
	<-done
	if _, spots, _ := s.EndGlances(); len(spots) != 0 {
		t.Errorf("got %v after the end", spots)
	}
}
