package session

import (
	"fmt"
	"sync"

	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// available is what shares of memory are shares of. Where address space is bounded, a third is kept
// for what Go has no use for any more: a list that grew leaves a hole that is too small for what it
// grows to next.
var available = sync.OnceValue(func() int64 {
	b := memory.Available()
	if b.By == "ulimit -v" {
		return b.Bytes / 3 * 2
	}
	return b.Bytes
})

// bound tells Options.Bound what the flags threads and memory_limit allow.
func (s *Session) bound() {
	if s.bounds == nil {
		return
	}
	s.bounds(s.Threads(), s.config.Bytes("memory_limit", available()))
}

// Threads is how many threads kernels may use, as the flags say.
func (s *Session) Threads() int {
	if threads := s.config.Int("threads"); threads != 0 {
		return threads
	}
	return s.defaultThreads
}

// ConfigMethods is the table of methods of config.
var ConfigMethods = value.NewMethods("config", []value.Builtin{
	{Name: "allocated", Doc: "Bytes of large arrays: those in use now, after garbage was collected, the most that were in use at a time, and those that nobody uses and that are " +
		"kept for arrays to come. Arrays of up to 32 KiB are not counted. It is what mem_info() of Theano's GPU modules was for.",
		Example: "in_use, most, idle = config.allocated()\nin_use <= most # True",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			for range 2 { // what the first finds is surely back after the second
				memory.Collect()
			}
			now, peak := memory.InUse()
			return starlark.Tuple{starlark.MakeInt64(now), starlark.MakeInt64(peak), starlark.MakeInt64(memory.Idle())}, nil
		}},
	{Name: "change_flags", Params: []value.Param{{Name: "**flags", Doc: "flags with their values; a flag of a section is given as section__flag, or in a dict: **{\"profiling.n_apply\": 5}"}},
		Doc: "What a with statement takes to set flags in its block alone. %%flags does so for a cell.", Example: "with config.change_flags(floatX=\"float32\"):\n    x = T.vector()\nx.dtype # \"float32\"",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if len(args) > 0 {
				return nil, fmt.Errorf("change_flags: got %s, want keywords: change_flags(floatX=\"float32\")", args[0].Type())
			}
			return &flagChange{c: b.Receiver().(*ConfigValue), flags: kwargs}, nil
		}},
})
