#!/usr/bin/env bash
# Gonum's distance from a vector that has a nan is 0 in the maximum norm.
#
# Guess: floats.Distance(x, y, L) is floats.Norm(x - y, L) for each L, and nan if an element is.
# Seen, gonum v0.17.0: for L = 1 and 2 both are nan. For L = inf the norm of the difference is nan,
# and the distance skips the element: [1 nan] is at distance 0 from [1 2].
#
# It is how one asks whether an iteration still moves: one that has diverged has converged.
# Needs Go 1.25 or later and the module proxy; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export GOPATH=$dir/go GOMODCACHE=$dir/mod GOCACHE=$dir/cache GOFLAGS="-modcacherw -mod=mod"
go mod init probe 2>/dev/null
go get gonum.org/v1/gonum@v0.17.0 2>/dev/null
cat > main.go <<'GO'
package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

func main() {
	x, y := []float64{1, math.NaN()}, []float64{1, 2}
	difference := floats.SubTo(make([]float64, 2), x, y)
	for _, l := range []float64{1, 2, 3, math.Inf(1)} {
		fmt.Println("L", l, "distance", floats.Distance(x, y, l), "norm of the difference", floats.Norm(difference, l))
	}
	fmt.Println("all near", floats.EqualApprox(x, y, 1e-9))
}
GO
go run . | tee seen
diff seen - <<'SEEN' && echo "as it was"
L 1 distance NaN norm of the difference NaN
L 2 distance NaN norm of the difference NaN
L 3 distance NaN norm of the difference NaN
L +Inf distance 0 norm of the difference NaN
all near false
SEEN
