#!/usr/bin/env bash
# Gorgonia's product of a column with a column is taken over all that lies between its elements.
#
# Guess: a column that Slice gives is a vector, and its Dot with itself the sum of its squares.
# Seen, gorgonia.org/tensor v0.9.24: the middle column of [[1 2 3] [4 5 6]] prints as [2 5], sums to
# 7 and doubles to [4 10], but its Dot is 54: 2*2 + 3*3 + 4*4 + 5*5, the memory from its first
# element to its last, without regard to the stride. A copy of the column gives 29.
#
# Whoever computes norms or projections of columns gets plausible, larger numbers and no error.
# Needs Go 1.25 or later and the module proxy; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export GOPATH=$dir/go GOMODCACHE=$dir/mod GOCACHE=$dir/cache GOFLAGS="-modcacherw -mod=mod"
go mod init probe 2>/dev/null
go get gorgonia.org/tensor@v0.9.24 go4.org/unsafe/assume-no-moving-gc@v0.0.0-20231121144256-b99613f794b6 2>/dev/null
cat > main.go <<'GO'
package main

import (
	"fmt"

	"gorgonia.org/tensor"
)

func show(what string, v any, err error) {
	if err != nil {
		v = err
	}
	fmt.Printf("%s %v\n", what, v)
}

func main() {
	m := tensor.New(tensor.WithShape(2, 3), tensor.WithBacking([]float64{1, 2, 3, 4, 5, 6}))
	view, err := m.Slice(nil, tensor.S(1))
	show("column", view, err)
	column := view.(*tensor.Dense)
	sum, err := column.Sum()
	show("sum", sum, err)
	double, err := tensor.Add(column, column)
	show("doubled", double, err)
	dot, err := tensor.Dot(column, column)
	show("dot", dot, err)
	inner, err := tensor.Inner(column, column)
	show("inner", inner, err)
	copied := tensor.New(tensor.WithShape(2), tensor.WithBacking([]float64{2, 5}))
	dot, err = tensor.Dot(copied, copied)
	show("dot of a copy", dot, err)
}
GO
go run . | tee seen
diff seen - <<'SEEN' && echo "as it was"
column [2  5]
sum 7
doubled [ 4  10]
dot 54
inner 54
dot of a copy 29
SEEN
