package profiler

// A RunTrace has the times of one run, in nanoseconds since the clock's beginning. One reading of the clock is part of each node.
type RunTrace struct {
	Start float64   `json:"start_ns"`
	Ends  []float64 `json:"ends_ns"` // of each node, which lasted from the end of the one before
}

// trace is that of the runs for which there was room.
func (r *Recorder) trace() []RunTrace {
	n := len(r.fn.Nodes)
	var runs []RunTrace
	for at := 0; at+n < len(r.events); at += n + 1 {
		run := RunTrace{Start: float64(r.events[at]) * r.tick, Ends: make([]float64, n)}
		for i := range run.Ends {
			run.Ends[i] = float64(r.events[at+1+i]) * r.tick
		}
		runs = append(runs, run)
	}
	return runs
}
