//go:build race

package compile_test

// slower reports whether the race detector runs, which takes ten times as long.
const slower = true
