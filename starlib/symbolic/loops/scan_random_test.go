package loops_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/starlib/starlibtest"
)

var (
	_         = flag.Int("scans", 40, "random loops that are compared with the graphs of their steps")
	scanSeed  = flag.Int("scans.seed", 1, "the first one's seed")
	scanDebug = flag.Int("scans.debug", 20, "one of so many runs in DebugMode, too; 0 for none")
)

// TestScansAtRandom compares random loops in loops, as users write them, with the graphs that their
// steps make when they are written one after the other: values, updates, gradients, and gradients
// of gradients.
func TestScansAtRandom(t *testing.T) {
	text, err := os.ReadFile("testdata/random/scans.py")
	if err != nil {
		t.Fatal(err)
	}
	first, n := long.Drawn("scans", 3)
	if testing.Short() {
		n = min(n, 5)
	}
	// 9076: first rows of what leaves the loop, whose number of steps is known.
	cells := fmt.Sprintf("%s\nwrong = try_programs(9076, 1) + try_programs(%d, %d, %d)\nassert not wrong, wrong\n", text, *scanSeed+first, n, *scanDebug)
	for _, problem := range starlibtest.RunSpec("testdata/random/scans.py", cells) {
		t.Error(problem)
	}
}
