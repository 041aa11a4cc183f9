#!/usr/bin/env bash
# Gonum's log-normal distribution says nan of numbers below zero, where its neighbours say 0.
#
# Guess: CDF and Prob of what lies below the support are 0, LogProb -inf and Survival 1.
# Seen, gonum v0.17.0: they are for Gamma and Weibull. LogNormal's Prob and LogProb are too, but its
# CDF and Survival are nan at -1.
#
# A mixture's CDF, or a test of fit, is nan as soon as one sample is negative, though densities of
# the same samples are fine and another component may explain them.
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

	"gonum.org/v1/gonum/stat/distuv"
)

func main() {
	for _, d := range []interface {
		CDF(float64) float64
		Prob(float64) float64
		LogProb(float64) float64
		Survival(float64) float64
	}{distuv.LogNormal{Mu: 0, Sigma: 1}, distuv.Gamma{Alpha: 2, Beta: 1}, distuv.Weibull{K: 2, Lambda: 1}} {
		fmt.Printf("%T at -1: CDF %v, Prob %v, LogProb %v, Survival %v\n", d, d.CDF(-1), d.Prob(-1), d.LogProb(-1), d.Survival(-1))
	}
}
GO
go run . | tee seen
diff seen - <<'SEEN' && echo "as it was"
distuv.LogNormal at -1: CDF NaN, Prob 0, LogProb -Inf, Survival NaN
distuv.Gamma at -1: CDF 0, Prob 0, LogProb -Inf, Survival 1
distuv.Weibull at -1: CDF 0, Prob 0, LogProb -Inf, Survival 1
SEEN
