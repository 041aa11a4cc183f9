package profilertest

import "testing"

// TestCheckText makes sure that CheckText can fail.
func TestCheckText(t *testing.T) {
	m := TableRow.FindStringSubmatch("  65.4%    65.4%       0.000s       2.03e-06s     C        2        2   Elemwise{add,no_inplace}")
	if m == nil || m[6] != "2" {
		t.Errorf("row of ops: got %q", m)
	}
	m = TableRow.FindStringSubmatch("  50.0%    50.0%       0.000s       3.10e-06s      7     0   Elemwise{add,no_inplace}(x, y)")
	if m == nil || m[6] != "7" {
		t.Errorf("row of apply nodes: got %q", m)
	}
}
