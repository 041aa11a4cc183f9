package intern

import (
	"runtime"
	"strconv"
	"testing"
	"time"
)

// TestTable: equal keys have one value, and values that are no longer in use leave nothing behind.
func TestTable(t *testing.T) {
	type value [4]int
	var all Table[string, value]
	a := all.One("a", &value{})
	if all.One("a", &value{}) != a || all.One("b", &value{}) == a {
		t.Error("values are not by their keys")
	}
	for i := range 1000 {
		all.One(strconv.Itoa(i), &value{})
	}
	left := func() (n int) {
		all.known.Range(func(any, any) bool { n++; return true })
		return n
	}
	for range 200 {
		if runtime.GC(); left() == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := left(); n != 1 {
		t.Errorf("%d keys are left, want the one in use", n)
	}
	if all.One("a", &value{}) != a {
		t.Error("a value in use is gone")
	}
	runtime.KeepAlive(a)
}
