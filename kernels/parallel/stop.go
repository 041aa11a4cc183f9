package parallel

import "sync/atomic"

// Stopped reports whether stop is raised, which another goroutine does to end work early; nil never
// is. This is the one way in which loops in Go over a user's data ask, each time after some hundred
// microseconds of work, a few milliseconds at most.
func Stopped(stop *uint32) bool { return stop != nil && atomic.LoadUint32(stop) != 0 }
