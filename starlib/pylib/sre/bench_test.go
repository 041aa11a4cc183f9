package sre_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/pylib/sre"
)

// BenchmarkFindAll goes through the matches of a megabyte of text; cpython is how often CPython's
// findall does the same in that time.
func BenchmarkFindAll(b *testing.B) {
	const line = "The quick brown fox, id=4711, jumps over lazy@dog.example.com on 2024-05-06.\n"
	text := strings.Repeat(line, 13000)
	for _, pattern := range []string{`\w+`, `([A-Za-z]+)=([0-9]+)`, `\b[A-Za-z]+@[a-z.]+\b`, `(?:fox|dog|cat)`, `.*jumps`, `(?i)FOX`, `(\d+)-(\d+)-(\d+)`, `"[^"]*"|\S+`} {
		b.Run(pattern, func(b *testing.B) {
			p, err := sre.Compile(pattern, 0, false)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				sre.NewMatcher(p, text, len(text)).Each(0, func(m *sre.Match) bool { return true })
			}
			b.StopTimer()
			out, err := exec.Command("/usr/bin/python3", "-c", `import re, sys, time
r, text, best = re.compile(sys.argv[1]), sys.argv[2] * 13000, 9
for _ in range(5):
    t = time.perf_counter(); r.findall(text); best = min(best, time.perf_counter() - t)
print(best)`, pattern, line).Output()
			if err != nil {
				b.Skip("needs python3")
			}
			theirs, _ := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/theirs, "x_cpython")
		})
	}
}
