package vm_test

import (
	"flag"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
)

var (
	_         = flag.Int("programs", 2000, "how many random programs to run")
	firstSeed = flag.Uint64("seed", 1, "the seed of the first of them")
)

// ofBools is what upstream says of a bool among numbers.
var ofBools = regexp.MustCompile(`\bbool (<|<=|>|>=) \w+ not implemented|\w+ (<|<=|>|>=) bool not implemented|unknown (binary|unary) op: .*\bbool\b|got bool, want int|cannot convert bool`)

// TestRandomPrograms runs programs that a generator writes on both sides.
func TestRandomPrograms(t *testing.T) {
	var fail int
	first, n := long.Drawn("programs", 2)
	for i := range n {
		seed := *firstSeed + uint64(first+i)
		src := generate(seed)
		got, want := ours(src).unplaced().unsigned(), upstream(src).unplaced().unsigned()
		if ofBools.MatchString(want.failed) { // see differences: True is 1
			continue
		}
		// In Python x in {...} asks for the hash of x.
		if strings.HasPrefix(got.failed, "unhashable type") && got.failed != want.failed {
			continue
		}
		if got != want {
			t.Errorf("seed %d:\n%s\ngot %s\nwant %s", seed, src, got, want)
		}
		if got.failed != "" {
			fail++
		}
		if got.failed != "" && got.stack == "" {
			t.Errorf("seed %d:\n%s\nis no program: %s", seed, src, got.failed)
		}
	}
	if fail > n*3/4 {
		t.Errorf("%d of %d programs fail: the generator makes too many such", fail, n)
	}
}

// TestRandomProgramsThatAreWatched runs programs whose lines are counted, which changes nothing.
func TestRandomProgramsThatAreWatched(t *testing.T) {
	first, n := long.Drawn("programs", 2)
	for i := range n {
		seed := *firstSeed + uint64(first+i)
		src := generate(seed)
		if got, want := run(src, true), run(src, false); got != want {
			t.Errorf("seed %d:\n%s\ngot %s\nwant %s", seed, src, got, want)
		}
	}
}

// unsigned takes the sign of zeros: see differences.
func (o outcome) unsigned() outcome {
	o.printed = strings.ReplaceAll(o.printed, "-0.0", "0.0")
	o.globals = strings.ReplaceAll(o.globals, "-0.0", "0.0")
	return o
}
