//go:build !race

package compile_test

// slower reports whether the race detector runs.
const slower = false
