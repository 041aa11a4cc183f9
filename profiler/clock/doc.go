// Package clock reads time cheaply, for measuring what is short.
// It is not the time of day; for that there is package time.
//
//	Now    reads the clock, in ticks
//	Tick   how long a tick is
//
// A tick is one of the processor's counter: x86-64's time stamp counter, where the processor
// promises that it neither stops nor changes its rate, or arm64's virtual counter. On other
// processors, and with the build tag purego, it is a nanosecond of the system's monotonic clock.
// Reading the counter takes a third of the time; turning it into nanoseconds at once would add half
// as much again, and that is why Now does not.
//
// The counter is read without a fence: a reading may overtake the last few instructions before it.
// A fence would cost more than the readings are worth.
//
// A package that uses cgo cannot have Go assembly, which is why this one stands alone.
package clock
