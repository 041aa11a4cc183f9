package compile

import "testing"

// TestChecks: which modes check, and what.
func TestChecks(t *testing.T) {
	sanity, err := NamedMode("SANITY_CHECK", Mode{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name                     string
		mode                     Mode
		any, c, rewrites, finite bool
	}{
		{"c|go", Mode{Linker: "c|go"}, false, false, false, false},
		{"c&go", Mode{Linker: "c&go"}, true, true, false, false},
		{"c&go_nogc", Mode{Linker: "c&go_nogc"}, true, true, false, false},
		{"SANITY_CHECK", sanity, true, true, true, false},
		{"DebugMode of c&go", Mode{Linker: "c&go", Debug: &debugDefault}, true, true, true, true},
	} {
		o := c.mode.checks()
		if o == nil {
			if c.any {
				t.Errorf("%s checks nothing", c.name)
			}
			continue
		}
		if !c.any || o.Check() != nil || o.CheckC != c.c || o.CheckGo != c.c || o.CheckRewrites != c.rewrites || o.CheckFinite != c.finite || o.Patience < 1 {
			t.Errorf("%s: got %+v, %v", c.name, *o, o.Check())
		}
	}
	for _, name := range LinkerNames() {
		kernels, ending := splitLinker(name)
		if kernels+ending != name || (Mode{Linker: name}).kernels() != kernels {
			t.Errorf("%s: got %s and %s", name, kernels, ending)
		}
	}
}
