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
	for turn := range of * share {
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
	of := 4 * share
	count := (100 + of - 1) / of
	if first, n := Drawn("size", 4); first != 5%of*count || n != count {
		t.Errorf("turn 5: got %d from %d on, want %d from %d on", n, first, count, 5%of*count)
	}
	defer flag.Set("size", "100")
	flag.Set("size", "7")
	if first, n := Drawn("size", 4); first != 0 || n != *size {
		t.Errorf("-size 7: got %d from %d on, want 7", n, first)
	}
}
