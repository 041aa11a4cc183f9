package long

import (
	"strconv"
	"testing"
)

// Every member has its turn, and in all of them nothing is tried twice.
func TestTurns(t *testing.T) {
	const n, of = 23, 4
	var tried, drawn [2 * n]int
	t.Setenv("LONG", "")
	for turn := range of {
		t.Setenv("LONG_TURN", strconv.Itoa(turn))
		for i := range n {
			if Turn(i, of) {
				tried[i]++
			}
		}
		first, count := Part(n, of)
		for i := range count {
			drawn[first+i]++
		}
	}
	for i := range n {
		if tried[i] != 1 || drawn[i] != 1 {
			t.Errorf("member %d: tried %d times and drawn %d times, want once each", i, tried[i], drawn[i])
		}
	}
	t.Setenv("LONG", "1")
	if first, count := Part(n, of); first != 0 || count != n || !Turn(1, of) || !Turn(2, of) {
		t.Errorf("all: got %d from %d on", count, first)
	}
}
