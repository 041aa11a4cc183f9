package profilertest

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
)

// TableRow matches a row of a classic table, TableRows all of a text.
var TableRow = regexp.MustCompile(`^ *([0-9.]+)% +([0-9.]+)% +([0-9.]+)s +([0-9.e+-]+)s +(?:(C Go|C|Go) +)?(\d+) +(\d+) `)

// TableRow matches a row of a classic table, TableRows all of a text.
var TableRows = regexp.MustCompile(`(?m)` + TableRow.String())
var footer = regexp.MustCompile(`\.\.\. \(remaining (\d+) .* account for +([0-9.]+)%`)

// CheckText reads the tables of a text back: each must add up to the whole and agree with the others.
func CheckText(t *testing.T, s *profiler.Stats, text string) {
	t.Helper()
	calls := map[string]int64{}
	full := map[string]bool{}
	section := ""
	var sum, cumulative float64
	for _, line := range strings.Split(text, "\n") {
		switch line {
		case "Class", "Ops", "Apply":
			section, sum, cumulative = line, 0, 0
			continue
		}
		if section == "" {
			continue
		}
		if m := TableRow.FindStringSubmatch(line); m != nil {
			fraction, _ := strconv.ParseFloat(m[1], 64)
			cumulative, _ = strconv.ParseFloat(m[2], 64)
			sum += fraction
			n, _ := strconv.ParseInt(m[6], 10, 64)
			calls[section] += n
			if d := cumulative - sum; d > 1 || d < -1 {
				t.Errorf("%s: rows add up to %.1f%%, the sum column says %.1f%%: %s", section, sum, cumulative, line)
			}
		}
		if m := footer.FindStringSubmatch(line); m != nil {
			rest, _ := strconv.ParseFloat(m[2], 64)
			full[section] = m[1] == "0"
			if total := cumulative + rest; total < 99.8 || total > 100.2 {
				t.Errorf("%s: shown and remaining rows add up to %.2f%%, want 100%%", section, total)
			}
			section = ""
		}
	}
	if full["Class"] && full["Apply"] && (calls["Class"] != calls["Ops"] || calls["Ops"] != calls["Apply"]) {
		t.Errorf("the tables count different numbers of calls: %v", calls)
	}
	if total := s.Clone().Total(); total.ThunkTime() > 0 && len(full) == 0 {
		t.Errorf("no tables in\n%s", text)
	}
}
