package profilertest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Report is what a text says of a profile, read back from it. Times are seconds. Inner are the
// blocks of loops in the classic layouts.
type Report struct {
	Layout               string // "arignote", "profilemode" or "classic"
	Calls, Nodes         int64
	Call, Run, Thunks    float64
	Peak                 [3]float64 // kilobytes: as it is, without inplace, without freeing
	Sections             []Section
	Inner                []*Report
	Bytes, RestBytes     int64 // of the memory list, and those of it that are not listed
	ListedBytes          int64
	memory, peaks, hints int
}

// A Section is a table. Left rows, which took Rest of the percentages, are not shown.
type Section struct {
	Name string
	Rows []Row
	Left int
	Rest float64
}

// A Row of a table. Rows of what is inside a node have an id with a dot; rows of files have neither
// a line nor calls.
type Row struct {
	Percent, Sum float64
	Time         float64 // of all calls; from the time of one where that is shown, which has more digits
	Calls        int64
	Applies      int64
	ID           string
	Name         string
	Cells        map[string]string // by header, in our own layout
}

// Section returns the table of that name, nil if there is none.
func (r *Report) Section(name string) *Section {
	for i := range r.Sections {
		if strings.HasPrefix(r.Sections[i].Name, name) {
			return &r.Sections[i]
		}
	}
	return nil
}

// TableRow matches a row of a classic table, TableRows all of a text.
var (
	TableRow  = regexp.MustCompile(`^ *([0-9.]+)% +([0-9.]+)% +([0-9.]+)s +([0-9.e+-]+)s +(?:(C Go|C|Go) +)?(\d+) +(\d+) `)
	TableRows = regexp.MustCompile(`(?m)` + TableRow.String())

	footer      = regexp.MustCompile(`^   \.\.\. \(remaining (\d+) .* account for +([0-9.]+)%\(`)
	callLine    = regexp.MustCompile(`^  Time in (\d+) calls to Function\.__call__: (\S+)s$`)
	stepLine    = regexp.MustCompile(`^  Time in (\d+) calls of the op \(for a total of (\d+) steps\) (\S+)s$`)
	runLine     = regexp.MustCompile(`^  (?:Time in Function\.[vf][mn]\.__call__:|Total time spent in calling the VM) (\S+)s \((\S+)%\)$`)
	thunkLine   = regexp.MustCompile(`^  Time in thunks: (\S+)s \((\S+)%\)$`)
	nodesLine   = regexp.MustCompile(`^    Number of Apply nodes: (\d+)$`)
	bytesLine   = regexp.MustCompile(`^ +(\d+)B  \[`)
	restBytes   = regexp.MustCompile(`^   \.\.\. \(remaining \d+ Apply account for +(\d+)B/(\d+)B`)
	modeRow     = regexp.MustCompile(`^\t(-?[0-9.]+)\t(?:(\d+)\t|[* ] )(.*)$`)
	modeFooter  = regexp.MustCompile(`^   \.\.\. \(remaining (\d+) .* account for (\S+) of the runtime\)$`)
	mode2011Row = regexp.MustCompile(`^ +(-?[0-9.]+)%  +(-?[0-9.]+)%  +\S+s  +\S+s +\S+s  ?[* ] +(.*)$`)
	mode2011End = regexp.MustCompile(`^   \.\.\. \(remaining (\d+) .* account for +(\S+)%\(`)
	ownMore     = regexp.MustCompile(`^  \.\.\. ([0-9 ]+) more(?: lines?)?(?:: (\S+) %, .*)?$`)
	ownCalls    = regexp.MustCompile(`^calls     (\d+) in ([0-9. ]+ \S+?);?( |$)`)
	ownAmount   = regexp.MustCompile(`(\S+ \S+) \((\S+) %\)`)
	ownDashes   = regexp.MustCompile(`^-[- ]*$`)
	unitSeconds = map[string]float64{"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
)

// Parse reads a text that package text wrote, of any layout.
func Parse(text string) *Report {
	lines := strings.Split(text, "\n")
	switch {
	case strings.HasPrefix(text, "ProfileMode"):
		return parseProfileMode(lines)
	case strings.HasPrefix(text, "Function profiling\n"):
		return parseClassic(lines)
	}
	return parseOwn(lines)
}

func number(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}

func integer(s string) int64 {
	n, _ := strconv.ParseInt(strings.ReplaceAll(s, " ", ""), 10, 64)
	return n
}

func parseClassic(lines []string) *Report {
	r := &Report{Layout: "classic"}
	var section *Section
	for i, line := range lines {
		if i > 0 && strings.HasPrefix(line, "Scan Op profiling ( ") {
			r.Inner = append(r.Inner, parseClassic(append([]string{"inner"}, lines[i+1:]...)))
			return r
		}
		switch line {
		case "Class", "Ops", "Apply":
			r.Sections = append(r.Sections, Section{Name: line})
			section = &r.Sections[len(r.Sections)-1]
			continue
		}
		if m := TableRow.FindStringSubmatch(line); m != nil && section != nil {
			row := Row{Percent: number(m[1]), Sum: number(m[2]), Calls: integer(m[6]), Time: number(m[4]) * float64(integer(m[6])),
				Name: strings.TrimSpace(line[len(m[0]):])}
			if section.Name == "Apply" {
				row.ID = m[7]
			} else {
				row.Applies = integer(m[7])
			}
			section.Rows = append(section.Rows, row)
		} else if m := restBytes.FindStringSubmatch(line); m != nil {
			r.memory++
			r.RestBytes, r.Bytes = integer(m[1]), integer(m[2])
		} else if m := footer.FindStringSubmatch(line); m != nil && section != nil {
			section.Left, section.Rest = int(integer(m[1])), number(m[2])
			section = nil
		} else if m := callLine.FindStringSubmatch(line); m != nil {
			r.Calls, r.Call = integer(m[1]), number(m[2])
		} else if m := stepLine.FindStringSubmatch(line); m != nil {
			r.Calls, r.Call = integer(m[1]), number(m[3])
		} else if m := runLine.FindStringSubmatch(line); m != nil {
			r.Run = number(m[1])
		} else if m := thunkLine.FindStringSubmatch(line); m != nil {
			r.Thunks = number(m[1])
		} else if m := nodesLine.FindStringSubmatch(line); m != nil {
			r.Nodes = integer(m[1])
		} else if m := bytesLine.FindStringSubmatch(line); m != nil {
			r.ListedBytes += integer(m[1])
		} else if s, ok := strings.CutPrefix(line, "        CPU: "); ok && r.peaks < len(r.Peak) {
			kilobytes, _, _ := strings.Cut(s, "KB")
			r.Peak[r.peaks] = number(kilobytes)
			r.peaks++
		}
	}
	return r
}

func parseProfileMode(lines []string) *Report {
	r := &Report{Layout: "profilemode"}
	var section *Section
	for _, line := range lines {
		if name, _, ok := strings.Cut(line, "-wise summary:"); ok {
			r.Sections = append(r.Sections, Section{Name: name})
			section = &r.Sections[len(r.Sections)-1]
		} else if m := modeRow.FindStringSubmatch(line); m != nil && section != nil {
			section.Rows = append(section.Rows, Row{Percent: 100 * number(m[1]), ID: m[2], Name: m[3]})
		} else if m := mode2011Row.FindStringSubmatch(line); m != nil && section != nil {
			section.Rows = append(section.Rows, Row{Percent: number(m[1]), Sum: number(m[2]), Name: m[3]})
		} else if m := mode2011End.FindStringSubmatch(line); m != nil && section != nil {
			section.Left, section.Rest = int(integer(m[1])), number(m[2])
		} else if m := modeFooter.FindStringSubmatch(line); m != nil && section != nil {
			section.Left, section.Rest = int(integer(m[1])), 100*number(m[2])
		}
	}
	return r
}

// parseOwn reads our own layout: dashes under the header of a table say where its columns are.
func parseOwn(lines []string) *Report {
	r := &Report{Layout: "arignote"}
	lines = joinHead(lines)
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if m := ownCalls.FindStringSubmatch(line); m != nil && r.Calls == 0 {
			r.Calls, r.Call = integer(m[1]), seconds(m[2])
		} else if strings.HasPrefix(line, "time      ") && strings.Contains(line, " = ") && r.Thunks == 0 {
			if parts := ownAmount.FindAllStringSubmatch(line, -1); len(parts) == 3 {
				r.Thunks = seconds(parts[2][1])
				r.Run = seconds(parts[1][1]) + r.Thunks
			}
		} else if i >= 2 && ownDashes.MatchString(line) && !strings.HasPrefix(lines[i-2], "  ") {
			var section Section
			section, i = parseTable(lines, i)
			r.Sections = append(r.Sections, section)
		} else if strings.HasPrefix(line, "  (hint: ") {
			r.hints++
		}
	}
	if s := r.Section("Outputs"); s != nil {
		r.memory++
	}
	return r
}

// joinHead makes one line of each field of the head, which ends with the first empty line.
func joinHead(lines []string) []string {
	end := slices.Index(lines, "")
	var joined []string
	for i, line := range lines[:max(end, 0)] {
		if rest, ok := strings.CutPrefix(line, "          "); ok && i > 2 {
			joined[len(joined)-1] += " " + rest
			continue
		}
		joined = append(joined, line)
	}
	return append(joined, lines[max(end, 0):]...)
}

// parseTable reads the table whose dashes are line i, and returns the number of its last line.
func parseTable(lines []string, i int) (Section, int) {
	section := Section{Name: lines[i-2]}
	var spans [][2]int
	for at, c := range lines[i] {
		switch {
		case c == ' ':
		case at == 0 || lines[i][at-1] == ' ':
			spans = append(spans, [2]int{at, at + 1})
		default:
			spans[len(spans)-1][1] = at + 1
		}
	}
	header := []rune(lines[i-1])
	cut := func(line []rune, k int) string {
		from, to := spans[k][0], spans[k][1]
		if k == len(spans)-1 {
			to = len(line)
		}
		return strings.TrimSpace(string(line[min(from, len(line)):max(min(to, len(line)), min(from, len(line)))]))
	}
	listing := strings.HasPrefix(section.Name, "Listing")
	for i++; i < len(lines) && lines[i] != ""; i++ {
		line := lines[i]
		if m := ownMore.FindStringSubmatch(line); m != nil {
			section.Left, section.Rest = int(integer(m[1])), number(m[2])
			continue
		}
		if n := len(section.Rows); !listing && n > 0 && section.Rows[n-1].Name == "" && strings.HasPrefix(line, "    ") {
			section.Rows[n-1].Name = strings.TrimSpace(line)
			continue
		}
		if strings.HasPrefix(line, "      ") && (section.Name == "Apply" || strings.HasSuffix(line, ": left out")) {
			continue // what is under a row
		}
		row := Row{Cells: make(map[string]string)}
		for k := range spans {
			name := cut(header, k)
			value := cut([]rune(line), k)
			row.Cells[name] = value
			switch {
			case name == "time%" || name == "bytes%":
				row.Percent = number(value)
			case name == "sum%":
				row.Sum = number(value)
			case name == "calls":
				row.Calls = integer(value)
			case name == "nodes":
				row.Applies = integer(value)
			case name == "id":
				row.ID = value
			case unitSeconds[name] > 0 && row.Time == 0:
				row.Time = number(value) * unitSeconds[name]
			case name == "each":
				row.Time = seconds(value) * float64(integer(row.Cells["calls"]))
			case k == len(spans)-1:
				row.Name = value
			}
		}
		if each := seconds(row.Cells["each"]); each > 0 {
			row.Time = each * float64(row.Calls)
		}
		section.Rows = append(section.Rows, row)
	}
	return section, i
}

// seconds reads 5.43 ms or 5.43ms.
func seconds(s string) float64 {
	s = strings.ReplaceAll(s, " ", "")
	at := strings.IndexFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if at < 0 {
		return 0
	}
	return number(s[:at]) * unitSeconds[s[at:]]
}

// LongestLine is the number of characters of the longest line.
func LongestLine(text string) int {
	longest := 0
	for line := range strings.Lines(text) {
		longest = max(longest, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
	}
	return longest
}
