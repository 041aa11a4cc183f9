package profiler

import "time"

// Tries are the changes that a cell's advice proposes and that were measured: see package whatif.
type Tries struct {
	Took    time.Duration `json:"took_ns"`
	ByHand  int           `json:"by_hand,omitempty"` // changes to write by hand
	Changes []Try         `json:"changes,omitempty"`
}

// A Try is a change, and what came out, as it is told.
type Try struct {
	Change   string  `json:"change"` // as it is written: floatX="float32"
	Function string  `json:"function"`
	Place    string  `json:"place"`             // of the line whose advice it is
	Rule     string  `json:"rule"`              // of that advice
	Expected float64 `json:"expected"`          // the part of the time that the advice promised
	Saved    string  `json:"saved,omitempty"`   // "41.2 % less time, 38.0 to 44.1"
	Error    string  `json:"error,omitempty"`   // how far the results are, relatively
	Verdict  string  `json:"verdict,omitempty"` // and why, of what was not measured
}
