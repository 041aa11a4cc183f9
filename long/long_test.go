package long

import (
	"flag"
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

var size = flag.Int("size", 100, "of the battery of TestDrawn")

func TestDrawn(t *testing.T) {
	t.Setenv("LONG", "")
	t.Setenv("LONG_TURN", "5")
	if first, n := Drawn("size", 4); first != 25 || n != 25 {
		t.Errorf("turn 5: got %d from %d on, want 25 from 25 on", n, first)
	}
	defer flag.Set("size", "100")
	flag.Set("size", "7")
	if first, n := Drawn("size", 4); first != 0 || n != *size {
		t.Errorf("-size 7: got %d from %d on, want 7", n, first)
	}
}
