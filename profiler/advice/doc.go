// Package advice says what to change in a program that was profiled: at which line, why, what to
// write instead, and what that is expected to save.
//
//	Of      the advice for a profile, the most gain first
//	Advice  one change
//	Rule    a kind of change: its id, what it looks for, and a program with and without
//	Rules   all; docs/advice.md is made of them
//
// A rule reads rows and nodes of a steady profile, and the text of the program that the profile has
// with it: whether a line is in a loop, and what becomes of a value, no profile measures. It reads
// nothing else: profiles from files get the same advice. It speaks only where the change saves a
// twentieth of the time, and only of a known line. The gain is predicted from measured times: the
// work that the change removes, or the roof of the machine for work that is done in another way.
//
// Start at advice.go; functions.go has the rules about compiled functions, cell.go those about the
// cell around them, source.go reads programs. It imports profiler, profiler/units and
// runtime/graph.
package advice
