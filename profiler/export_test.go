package profiler

// TimelineOf replays the last call in the order that a search found: it checks the search by what
// measures the order that ran. It is not ok if the order is not one in which f's nodes may run.
func (f *Function) TimelineOf(o *Order) (t Timeline, ok bool) {
	if !f.recorded() || o == nil || !f.storage(true).valid(o.Nodes) {
		return Timeline{}, false
	}
	return f.timeline(o.Nodes), true
}

// valid reports whether the order is one in which all nodes may run.
func (s *storage) valid(order []int) bool {
	w := s.walk(false, nil)
	for _, i := range order {
		if i < 0 || i >= len(w.place) || w.place[i] < 0 {
			return false
		}
		w.step(i)
	}
	return len(order) == len(s.makes)
}
