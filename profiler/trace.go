package profiler

// A RunTrace has the times of one run, in nanoseconds since the clock's beginning. One reading of
// the clock is part of each node.
type RunTrace struct {
	Start float64   `json:"start_ns"`
	Ends  []float64 `json:"ends_ns"` // of each node, which lasted from the end of the one before
}

// trace is that of the runs for which there was room.
func (r *Recorder) trace() []RunTrace {
	if len(r.events) == 0 {
		return nil
	}
	times := make([]float64, len(r.events))
	for i, ticks := range r.events {
		times[i] = float64(ticks) * r.tick
	}
	n := len(r.fn.Nodes) + 1 // of a run: its start, and the end of each node
	runs := make([]RunTrace, 0, len(times)/n)
	for ; len(times) >= n; times = times[n:] {
		runs = append(runs, RunTrace{Start: times[0], Ends: times[1:n:n]})
	}
	return runs
}
