//go:build !race

package exec_test

// slower is 1 without the race detector.
const slower = 1
