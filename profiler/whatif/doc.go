// Package whatif tells what a change of a compiled function brings: how much less time a call
// takes, with an interval, and how far its results are from those before.
//
//	Measure  times two functions by turns
//	Gain     what part of the time one saves, and between which limits
//	Error    how far results are from others
//	Result   all about one change
//
// Both functions run on the same inputs, one right after the other, so that what the machine does
// besides meets both. Of each pair of times there is one ratio; the interval is that of the median
// of the ratios, and assumes nothing of how they are distributed. It compiles nothing, and shows
// nothing, which profiler/text and profiler/panel do.
//
// Start at measure.go. It imports profiler/median, profiler/units and runtime/tensor.
package whatif
