//go:build race

package long

// Race reports whether the race detector runs, under which everything takes ten times as long.
const Race = true

// share is how many parts the part of a day is divided into, of which one is tried.
const share = 4
