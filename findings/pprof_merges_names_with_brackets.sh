#!/usr/bin/env bash
# pprof takes names like Elemwise<add> and Elemwise<mul> for C++, and makes one function of them.
#
# Guess: a profile that already has its functions' names shows them; only mangled ones (_Z...) are
# made readable.
# Seen, google/pprof of 2026-09-06: what has angle brackets, or :: and parentheses, and the same
# Name and SystemName, loses both, and -top adds the times up under one name; Conv(3x3) without ::
# stays. No file has to be found for it, and the profile says has_functions. A SystemName that
# differs from Name, or is empty, or -symbolize=none keeps the names.
#
# A profiler that writes the same text into both fields, as is natural, loses the operations' types.
# Needs Go 1.25 or later and the module proxy; changes nothing outside of a temporary folder.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export GOPATH=$dir/go GOMODCACHE=$dir/mod GOCACHE=$dir/cache GOFLAGS="-modcacherw -mod=mod"
go mod init probe 2>/dev/null
go get github.com/google/pprof@v0.0.0-20260906184651-6331bc6350fe 2>/dev/null
cat > main.go <<'GO'
package main

import (
	"os"

	"github.com/google/pprof/profile"
)

func write(file string, systemName func(string) string) {
	time := &profile.ValueType{Type: "time", Unit: "milliseconds"}
	mapping := &profile.Mapping{ID: 1, HasFunctions: true}
	p := &profile.Profile{SampleType: []*profile.ValueType{time}, PeriodType: time, Period: 1, Mapping: []*profile.Mapping{mapping}}
	for i, name := range []string{"Elemwise<add>", "Elemwise<mul>", "nn::Conv(3x3)", "nn::Conv(5x5)", "Conv(3x3)"} {
		f := &profile.Function{ID: uint64(i + 1), Name: name, SystemName: systemName(name)}
		l := &profile.Location{ID: f.ID, Mapping: mapping, Line: []profile.Line{{Function: f, Line: 1}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: []int64{int64(1 + i)}})
	}
	out, err := os.Create(file)
	if err == nil {
		err = p.Write(out)
	}
	if err != nil {
		panic(err)
	}
}

func main() {
	write("same.pb.gz", func(name string) string { return name })
	write("other.pb.gz", func(name string) string { return "of " + name })
}
GO
go run .
go build -o pprof github.com/google/pprof
for ask in same.pb.gz other.pb.gz "-symbolize=none same.pb.gz"; do
	echo "$ask"
	HOME=$dir ./pprof -top $ask 2>/dev/null | sed -n '/flat%/,$p' | awk '{ print $1, $6 }'
done | tee seen
diff seen - <<'SEEN' && echo "as it was"
same.pb.gz
flat 
7ms nn::Conv
5ms Conv(3x3)
3ms Elemwise
other.pb.gz
flat 
5ms Conv(3x3)
4ms nn::Conv(5x5)
3ms nn::Conv(3x3)
2ms Elemwise<mul>
1ms Elemwise<add>
-symbolize=none same.pb.gz
flat 
5ms Conv(3x3)
4ms nn::Conv(5x5)
3ms nn::Conv(3x3)
2ms Elemwise<mul>
1ms Elemwise<add>
SEEN
