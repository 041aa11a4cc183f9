package op_test

import (
	"strings"
	"testing"

	_ "github.com/arignote/arignote/runtime/exec" // links the bodies of loops
	"github.com/arignote/arignote/runtime/op"
)

// TestScanText: what is no loop is refused when it is read.
func TestScanText(t *testing.T) {
	const body = `body="func(x float64\x2c h float64)\n c = add x h\n return c\n"`
	for params, want := range map[string]string{
		"sequences=1,states=-1,until=false,truncate=0,label=\"\"," + body: "",
		"sequences=1,states=-1":                             "got no body",
		"sequences=x,states=-1," + body:                     "parameter sequences: ",
		"sequences=1,states=0," + body:                      `parameter states: got tap "0", want a negative integer`,
		"sequences=1,states=-2!," + body:                    "a state that is not kept has taps [-2], want -1",
		"sequences=3,states=-1," + body:                     "the body has 2 inputs, want 3 rows and 1 taps",
		"sequences=1,states=-1 -1," + body:                  "the body has 2 inputs, want 1 rows and 2 taps",
		"sequences=0,states=-1 -2," + body:                  "the body has 1 outputs, want those of 2 states",
		"sequences=1,states=-1,truncate=-1," + body:         "got -1 steps to differentiate",
		"sequences=1,states=-1,until=maybe," + body:         "parameter until: ",
		"sequences=1,states=-1,body=\"func(x float64)\\n\"": "parameter body: ",
		"depth=1," + body:                                   `parameter depth: no parameter "depth"`,
	} {
		_, err := op.Lookup("scan{" + params + "}")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", params, err, want)
		}
	}
}
