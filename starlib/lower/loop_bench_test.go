package lower_test

import (
	"context"
	"testing"

	"github.com/arignote/arignote/starlib"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// loops are programs of Starlark's own numbers, in the forms in which users write them.
var loops = []struct{ name, code string }{
	{"top", `
total = 0
mean = 0.0
for i in range(200000):
    if i % 3 == 0 and mean < 1e9:
        total += i
    mean = mean * 0.5 + i * 0.25
`},
	{"while", `
i, s = 0, 0.0
while i < 200000:
    s += 1.0 / (1 + i * i)
    i += 1
`},
	{"def", `
def sieve(n):
    total, mean = 0, 0.0
    for i in range(n):
        if i % 3 == 0 and mean < 1e9:
            total += i
        mean = mean * 0.5 + i * 0.25
    return total, mean
sieve(200000)
`},
	{"arguments", `
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps
longest = 0
for i in range(1, 2000):
    steps = collatz(i)
    if steps > longest:
        longest = steps
`},
	{"recursion", `
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
fib(20)
`},
	{"lists", `
xs = [i * 0.5 for i in range(50000)]
total = 0.0
for x in xs:
    if x > 100.0:
        total += x
ys = []
for i in range(len(xs)):
    ys.append(xs[i] * 2)
best = [y for y in ys if y >= 3 and y != 7]
`},
	{"subscripts", `
def sort(xs):
    for i in range(1, len(xs)):
        x, j = xs[i], i
        while j > 0 and xs[j-1] > x:
            xs[j] = xs[j-1]
            j -= 1
        xs[j] = x
sort([i * 7919 % 400 for i in range(400)])
`},
	{"matrix", `
n = 40
a = [[i + j for j in range(n)] for i in range(n)]
c = [[0] * n for i in range(n)]
for i in range(n):
    for j in range(n):
        t = 0
        for k in range(n):
            t += a[i][k] * a[k][j]
        c[i][j] = t
`},
	{"text", `
s = "the quick brown fox jumps over the lazy dog " * 2
def words(s):
    counts, start = {}, 0
    for i in range(len(s)):
        if s[i] == " ":
            w = s[start:i]
            counts[w] = counts.get(w, 0) + 1
            start = i + 1
    return counts
for i in range(20):
    n = words(s)
    p = s.find("lazy") + s.index("fox") + s.count("o")
`},
	{"nested", `
def g():
    for i in range(50000):
        for k in range(3):
            pass
g()
`},
	{"counts", `
d = {"a": 0}
def g():
    for i in range(50000):
        z = (i, 1, 2)
        for k in range(3):
            d["a"] += z[k]
g()
`},
	{"calls", `
def f(z):
    out = []
    d = {"a": 0}
    for k in range(3):
        out.append(z[k])
        d["a"] += z[k]
    return d["a"] + len(out)
s = 0
for i in range(20000):
    s += f((i, 1, 2))
`},
}

// BenchmarkLoops compares with an interpreter without our globals and operators, in the same run.
func BenchmarkLoops(b *testing.B) {
	options := &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}
	for _, l := range loops {
		b.Run(l.name+"/upstream", func(b *testing.B) {
			for range b.N {
				if _, err := starlark.ExecFileOptions(options, new(starlark.Thread), l.name, l.code, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(l.name+"/session", func(b *testing.B) {
			s := starlib.NewSession(starlib.Options{})
			for range b.N {
				if _, _, err := s.Execute(context.Background(), 1, l.code, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
