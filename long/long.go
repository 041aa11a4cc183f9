// Package long says how much of a large battery of tests is tried. Such a battery goes through many
// programs, graphs or shapes, drawn or listed, each of which would find the same kinds of mistakes.
//
//	go test ./...            a part, always the same
//	LONG=1 go test ./...     all of it
//	LONG_TURN=n go test ./...  the part of day n, as .ci/run asks for: all of it in some days
//	go test -race ./...      a quarter of the part, as everything takes ten times as long
package long

import (
	"flag"
	"os"
	"strconv"
)

// Both are read when a test asks: what the environment said before is not seen by the go command,
// which would take the results of other parts for these.
func all() bool { return os.Getenv("LONG") != "" }

func turn() int {
	n, _ := strconv.Atoi(os.Getenv("LONG_TURN"))
	return n
}

// Turn reports whether member i of a battery is tried, of which one of so many is: of 1 all of
// them, but under the race detector.
func Turn(i, of int) bool { return all() || (i+turn())%(of*share) == 0 }

// Part is how many of n members are tried, and the first of them, where one of so many is: of what
// is drawn from seeds.
func Part(n, of int) (first, count int) {
	if all() {
		return 0, n
	}
	of *= share
	count = (n + of - 1) / of
	return turn() % of * count, count
}

// Drawn is Part of a battery whose size is a flag of its test. Who sets the flag has as many as he
// asks for, from the first on.
func Drawn(size string, of int) (first, count int) {
	f := flag.Lookup(size)
	n := f.Value.(flag.Getter).Get().(int)
	if f.Value.String() != f.DefValue {
		return 0, n
	}
	return Part(n, of)
}
