#!/usr/bin/env bash
# Gonum's normal distribution has a Survival of exactly 0 from 8.3 standard deviations on.
#
# Guess: Survival is there because 1 - CDF cancels: that of 9 is 1.1e-19, and 0 beyond 38 only.
# Seen, gonum v0.17.0: distuv's Normal and Logistic cancel like 1 - CDF. At 8 the second digit is
# wrong, from 9 on all is 0; the logistic one is 0 at 40, where it should be 4e-18. Exponential
# beside them is accurate to the smallest numbers: a look at one says nothing of the next.
#
# Small p-values of a z-test are all 0, and sort as ties; their logarithms are -inf.
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

	"gonum.org/v1/gonum/stat/distuv"
)

func main() {
	for _, x := range []float64{5, 8, 9, 20} {
		fmt.Printf("normal(%v) %.3g, half of erfc %.3g\n", x, distuv.UnitNormal.Survival(x), math.Erfc(x/math.Sqrt2)/2)
	}
	for _, x := range []float64{30, 40, 400} {
		fmt.Printf("logistic(%v) %.3g, exact %.3g; exponential %.3g\n", x,
			distuv.Logistic{S: 1}.Survival(x), 1/(1+math.Exp(x)), distuv.Exponential{Rate: 1}.Survival(x))
	}
}
GO
go run . | tee seen
diff seen - <<'SEEN' && echo "as it was"
normal(5) 2.87e-07, half of erfc 2.87e-07
normal(8) 6.11e-16, half of erfc 6.22e-16
normal(9) 0, half of erfc 1.13e-19
normal(20) 0, half of erfc 2.75e-89
logistic(30) 9.35e-14, exact 9.36e-14; exponential 9.36e-14
logistic(40) 0, exact 4.25e-18; exponential 4.25e-18
logistic(400) 0, exact 1.92e-174; exponential 1.92e-174
SEEN
