#!/usr/bin/env bash
# Arrow's float16 in Go cuts digits off instead of rounding, and has no subnormal numbers.
#
# Guess: float16.New(x) is the float16 nearest to x, ties to even, as IEEE 754 and NumPy have it.
# Seen, arrow-go v18.8.0: 2051 is 2050 (nearest by the rule: 2052), 65520 is 65504 (rounds to inf),
# and all below 2**-14 = 6.1e-5 is 0, though float16 reaches down to 6e-8. x448/float16 v0.8.4,
# which rounds, stands beside it. No error is returned.
#
# Who keeps gradients or weights as float16 through it loses the small ones whole, and is off by up
# to a whole step elsewhere, always towards zero: a bias, where rounding has none.
# Needs Go 1.25 or later and the module proxy; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export GOPATH=$dir/go GOMODCACHE=$dir/mod GOCACHE=$dir/cache GOFLAGS=-modcacherw
go mod init probe 2>/dev/null
go get github.com/apache/arrow-go/v18@v18.8.0 github.com/x448/float16@v0.8.4 2>/dev/null
cat > main.go <<'GO'
package main

import (
	"fmt"

	arrow "github.com/apache/arrow-go/v18/arrow/float16"
	nearest "github.com/x448/float16"
)

func main() {
	for _, x := range []float32{0.1, 2049, 2051, 65520, 5e-5, 1e-5, 1e-7} {
		fmt.Printf("%v arrow %v nearest %v\n", x, arrow.New(x).Float32(), nearest.Fromfloat32(x).Float32())
	}
}
GO
go run . | tee seen
diff seen - <<'SEEN' && echo "as it was"
0.1 arrow 0.099975586 nearest 0.099975586
2049 arrow 2048 nearest 2048
2051 arrow 2050 nearest 2052
65520 arrow 65504 nearest +Inf
5e-05 arrow 0 nearest 5.0008297e-05
1e-05 arrow 0 nearest 1.001358e-05
1e-07 arrow 0 nearest 1.1920929e-07
SEEN
