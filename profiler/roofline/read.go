package roofline

import (
	"runtime/metrics"

	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/memory"
)

// Process is this process, for the traces of cells.
var Process = profiler.Process{CPU: ownTime, Read: Read, Watch: watch}

// watch notes when worker threads are at work.
func watch(most int) (end func() (work []profiler.Work, lost int)) {
	w := parallel.Watch(most)
	return func() (work []profiler.Work, lost int) {
		if w == nil {
			return nil, 0
		}
		spans, lost := w.End()
		for _, s := range spans {
			work = append(work, profiler.Work{Worker: s.Worker, From: s.From, Time: s.Time})
		}
		return work, lost
	}
}

// Read reads what the process has of memory. It takes a microsecond, and a hundred while the
// collector is at work (go test ./profiler/roofline -run - -bench Read).
func Read() profiler.Reading {
	sample := [...]metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample[:])
	arrays, _ := memory.InUse()
	return profiler.Reading{Arrays: arrays, Heap: int64(sample[0].Value.Uint64()), Made: int64(sample[1].Value.Uint64()), GCs: int64(sample[2].Value.Uint64())}
}
