#!/usr/bin/env bash
# In Gonum's product of matrices zero times nan or inf is 0 on one side, and nan on the other.
#
# Guess: 0 * nan and 0 * inf are nan wherever they stand, as in NumPy.
# Seen, gonum v0.17.0: zeros of the left factor are skipped, so that zeros @ [nan inf] is 0; zeros
# of the right factor are not, and neither are those of the left where the right one is transposed.
# So the same numbers give 0 or nan by how the factors lie in memory.
#
# A mask of zeros hides a network that has diverged, until somebody swaps or transposes factors.
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

	"gonum.org/v1/gonum/mat"
)

func main() {
	zeros := mat.NewDense(2, 2, nil)
	broken := mat.NewDense(2, 2, []float64{math.NaN(), math.Inf(1), math.Inf(1), math.NaN()})
	for _, c := range []struct {
		what string
		a, b mat.Matrix
	}{
		{"zeros @ broken", zeros, broken},
		{"broken @ zeros", broken, zeros},
		{"zeros @ transpose of the same", zeros, broken.T()},
		{"transpose of zeros @ broken", zeros.T(), broken},
	} {
		var product mat.Dense
		product.Mul(c.a, c.b)
		fmt.Println(c.what, product.RawMatrix().Data)
	}
}
GO
go run . | tee seen
diff seen - <<'SEEN' && echo "as it was"
zeros @ broken [0 0 0 0]
broken @ zeros [NaN NaN NaN NaN]
zeros @ transpose of the same [NaN NaN NaN NaN]
transpose of zeros @ broken [0 0 0 0]
SEEN
