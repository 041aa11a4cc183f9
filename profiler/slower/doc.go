// Package slower decides whether a program has become slower than another one, on a machine that
// does other things too. It does not know what programs are.
//
//	Trial    runs A and B in rounds until it is decided, and says what it found: Verdict
//	Stored   compares runs with those of another time, which is less
//
// It imports profiler/median and profiler/units. Start at trial.go.
package slower
