package np_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var update = flag.Bool("update", false, "rewrite known.txt")

const (
	numpyCases = "testdata/numpy/*.jsonl" // written by generate.py beside them
	knownHead  = `# The cases of TestAgainstNumPy that fail: family, hash of the program, its beginning. The
# test fails if another case does and if one of these passes; this writes what is left:
#
#	go test ./starlib/np -run TestAgainstNumPy -update
`
)

// A numpyCase is a line of a file of numpyCases.
type numpyCase struct {
	family, kind, code string
	want               json.RawMessage // of common.Family's kind
}

// numpyKnown lists the cases that fail: for each set of kernels its own, since last bits differ.
var numpyKnown = map[bool]string{false: "testdata/numpy/known.txt", true: "testdata/numpy/known_go.txt"}[goKernels]

// id names a case in numpyKnown: what follows the second word is for readers.
func (c numpyCase) id() string {
	h := fnv.New32a()
	h.Write([]byte(c.kind + c.code))
	return fmt.Sprintf("%s %08x", c.family, h.Sum32())
}

func (c numpyCase) known() string {
	text := strings.ReplaceAll(c.code, "\n", "\\n")
	if runes := []rune(text); len(runes) > 90 {
		text = string(runes[:90]) + "..."
	}
	return c.id() + " " + text
}

func readNumpyCases(t *testing.T) []numpyCase {
	t.Helper()
	files, err := filepath.Glob(numpyCases)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s", numpyCases)
	}
	var cases []numpyCase
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		family := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			var parts []json.RawMessage
			c := numpyCase{family: family}
			if err := json.Unmarshal(lines.Bytes(), &parts); err != nil || len(parts) < 2 {
				t.Fatalf("%s:%d: %v", file, n, err)
			}
			if len(parts) > 2 {
				c.want = parts[2]
			}
			if json.Unmarshal(parts[0], &c.kind) != nil || json.Unmarshal(parts[1], &c.code) != nil || (c.want == nil) != (c.kind == "fails") {
				t.Fatalf("%s:%d: want [kind, program, result]", file, n)
			}
			cases = append(cases, c)
		}
		if err := lines.Err(); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return cases
}

// readKnown returns the identifiers in numpyKnown.
func readKnown(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(numpyKnown)
	if err != nil && !(*update && os.IsNotExist(err)) {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] != "#" {
			known[words[0]+" "+words[1]] = true
		}
	}
	return known
}

// TestAgainstNumPy runs programs that NumPy, and Python where they have no arrays, ran
// before, all in one session, and compares results.
func TestAgainstNumPy(t *testing.T) {
	cases, known := readNumpyCases(t), readKnown(t)
	s := starlib.NewSession(starlib.Options{})
	var failing []string
	passed, total := map[string]int{}, map[string]int{}
	complaints := map[string]int{}
	for _, c := range cases {
		problem := c.check(s)
		total[c.family]++
		if problem == "" {
			passed[c.family]++
		} else {
			failing = append(failing, c.known())
		}
		listed := known[c.id()]
		delete(known, c.id())
		if *update || listed == (problem != "") {
			continue
		}
		if complaints[c.family]++; complaints[c.family] > 10 {
			continue
		}
		if listed {
			t.Errorf("%s: %s\npasses: remove %q from %s, or run with -update", c.family, c.code, c.id(), numpyKnown)
		} else {
			t.Errorf("%s: %s\n%s", c.family, c.code, problem)
		}
	}
	for _, family := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%-14s %5d of %5d pass", family, passed[family], total[family])
		if n := complaints[family]; n > 10 {
			t.Errorf("%s: %d more", family, n-10)
		}
	}
	t.Logf("%d of %d cases pass", len(cases)-len(failing), len(cases))
	if *update {
		slices.Sort(failing)
		if err := os.WriteFile(numpyKnown, []byte(knownHead+strings.Join(append(failing, ""), "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for id := range known {
		t.Errorf("%s: %s is no case: remove it, or run with -update", numpyKnown, id)
	}
}

// absence is how a name that is not there is answered.
var absence = regexp.MustCompile(`is not in Arignote yet|has no (attribute )?\.`)

// check runs the case and says what is wrong.
func (c numpyCase) check(s *starlib.Session) string {
	_, _, err := s.Execute(context.Background(), 1, c.code, nil)
	if c.kind == "fails" {
		if err == nil {
			return "no error"
		}
		// Not because what the case is about is not there.
		name, text := err.(*starlib.Error).Name(), err.Error()
		if slices.Contains([]string{"InternalError", "SyntaxError", "NameError"}, name) || absence.MatchString(text) {
			return name + ": " + text
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	v, _ := s.Lookup("v")
	if c.kind == "near" {
		return checkNear(v, c.want)
	}
	var want string
	if err := json.Unmarshal(c.want, &want); err != nil {
		return err.Error()
	}
	v = value.PlainDeep(v) // NumPy's scalars were written as Python's numbers; scalars_test.go has how they print
	got := value.Repr(v)
	if c.kind == "str" {
		got = value.Str(v)
	}
	if got != want {
		return fmt.Sprintf("got  %s\nwant %s", got, want)
	}
	return ""
}

// checkNear compares with NumPy's dtype, shape and elements: each to a few units in its
// last place or, with a fourth part, to that part of the largest.
func checkNear(v starlark.Value, data json.RawMessage) string {
	var dtype, text string
	var shape []int
	var tolerance float64
	if err := json.Unmarshal(data, &[]any{&dtype, &shape, &text, &tolerance}); err != nil {
		return err.Error()
	}
	d, err := np.ToDense(v)
	if err != nil {
		return err.Error()
	}
	if _, isArray := v.(*np.Array); isArray && d.DType().String() != dtype || !slices.Equal(d.Shape(), shape) {
		return fmt.Sprintf("got %v %v, want %v %v", d.DType(), d.Shape(), dtype, shape)
	}
	var want []float64
	largest := 0.0
	for word := range strings.FieldsSeq(text) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return err.Error()
		}
		want = append(want, x)
		if !math.IsInf(x, 0) {
			largest = math.Max(largest, math.Abs(x))
		}
	}
	epsilon := 0x1p-52
	if dtype == "float32" {
		epsilon = 0x1p-23
	}
	for i, x := range d.Floats() {
		bound := 4*epsilon*math.Abs(want[i]) + 1e-300
		if tolerance > 0 {
			bound = tolerance * math.Max(largest, 1)
		}
		if math.IsNaN(want[i]) != math.IsNaN(x) || !(math.Abs(x-want[i]) <= bound) && x != want[i] && !math.IsNaN(want[i]) {
			return fmt.Sprintf("element %d: got %v, want %v", i, x, want[i])
		}
	}
	return ""
}
