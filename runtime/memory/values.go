package memory

import (
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

// Values are what Go's heap holds besides blocks: lists, dicts and text of the user's, graphs,
// small arrays. Go ends the program where the system refuses memory, and the system may end it
// before that, so growth has to be refused here, while there is memory. Whoever is about to
// allocate much at once asks Grow first; whoever allocates little by little asks now and then, for
// 0 bytes.
//
// What asks for nothing is bounded too, since it grows step by step: a list that is full is copied
// to one that is a quarter longer, a dict to one twice as long, and until it is copied there are
// both. So values may hold only as much as leaves room for three times of it. A third of the limit,
// which the default leaves of the machine, may serve for that.

// A GrowthError is why values may not grow. All are bytes.
type GrowthError struct {
	Want  int64 // what was asked for; 0: it was found that they have grown
	Hold  int64 // what they hold
	May   int64 // what they may hold
	Limit int64 // for arrays and values together
}

func (e *GrowthError) Error() string {
	if e.Want == 0 {
		return fmt.Sprintf("values hold %d bytes of memory, more than the %d bytes that they may hold (config.memory_limit is %d)", e.Hold, e.May, e.Limit)
	}
	return fmt.Sprintf("needs %d bytes of memory, which with the %d bytes that values hold is more than the %d bytes that they may hold (config.memory_limit is %d)",
		e.Want, e.Hold, e.May, e.Limit)
}

// ErrorName is what users know the error as.
func (e *GrowthError) ErrorName() string { return "MemoryError" }

// values is what is known of them.
var values struct {
	sync.Mutex                // held while they are counted
	limit, bytes atomic.Int64 // bytes when they were counted last
	base, live   int64        // bytes before the first limit was set, which are the program's own; after they were collected last
}

// slack is the part of the limit by which garbage may grow before it is collected to see what
// lives.
const slack = 32

// Grow asks whether values may grow by n bytes. It takes less than a microsecond unless it has to
// collect garbage to know. The error is a *GrowthError.
func Grow(n int64) error { return grow(n, mayHold) }

// Watch asks whether values are within the limit while they may be growing: a list and its longer
// copy both count. The error is a *GrowthError.
func Watch() error {
	return grow(0, func(limit, used int64) int64 { return max(least(limit), limit-used) })
}

// grow is Grow where values may hold what most says.
func grow(n int64, most func(limit, used int64) int64) error {
	limit := values.limit.Load()
	if limit == 0 {
		return nil
	}
	used, _ := InUse()
	if add(count(), n) <= most(limit, used) {
		return nil
	}
	values.Lock()
	defer values.Unlock()
	if now := count(); now < values.live || now > values.live+limit/slack || add(now, n) > add(most(limit, used), limit/slack) {
		dropIdle()
		Collect()
		values.live = values.bytes.Load()
		used, _ = InUse()
	}
	if may := most(limit, used); add(values.live, n) > may {
		return &GrowthError{n, values.live, may, limit}
	}
	return nil
}

func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// least is what values may hold in any case: where arrays have all of the limit, a program must
// still be able to say so, and to let go of some.
func least(limit int64) int64 { return limit / 16 }

// mayHold is how much values may hold beside arrays of used bytes: three times of it fit into the
// limit and a third, and it fits into the limit.
func mayHold(limit, used int64) int64 {
	return max(least(limit), min(limit-used, (limit+limit/3-used)/3))
}

// count returns what values take now, garbage included.
func count() int64 {
	sample := [...]metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample[:])
	heap.Lock()
	blocks := heap.used + heap.idle
	heap.Unlock()
	n := max(0, int64(sample[0].Value.Uint64())-blocks-values.base)
	values.bytes.Store(n)
	return n
}

// softLimit is the limit that the environment gave Go's collector.
var softLimit = sync.OnceValue(func() int64 { return debug.SetMemoryLimit(-1) })

// setLimit bounds values. Near the limit the collector works harder.
func setLimit(limit int64) {
	soft := softLimit()
	if limit > 0 {
		soft = min(soft, add(limit, limit/6))
	}
	debug.SetMemoryLimit(soft)
	values.Lock()
	defer values.Unlock()
	if values.base == 0 {
		values.base = count()
	}
	values.live = 0
	values.limit.Store(limit)
}
