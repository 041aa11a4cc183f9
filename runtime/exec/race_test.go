//go:build race

package exec_test

// slower is how much longer the race detector may take.
const slower = 10
