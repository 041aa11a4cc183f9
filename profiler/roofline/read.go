package roofline

import (
	"runtime/metrics"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/memory"
)

// Read reads what the process has, for the counters of traces. It takes 0.7 us
// (go test ./profiler/roofline -run - -bench Read).
func Read() profiler.Reading {
	sample := [...]metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample[:])
	arrays, _ := memory.InUse()
	return profiler.Reading{CPU: ownTime(), Arrays: arrays, Heap: int64(sample[0].Value.Uint64()), Made: int64(sample[1].Value.Uint64()), GCs: int64(sample[2].Value.Uint64())}
}
