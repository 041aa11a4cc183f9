package profile_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib"
)

// shownPrograms are programs whose panels and texts are compared with their data: the first cells,
// and one that is profiled.
var shownPrograms = map[string][2]string{
	"the example": {`x, y, z = T.vectors("xyz")
f = function([x, y, z], [(x + y + z) * 2], name = "f", mode = Mode().excluding("fusion", "inplace"))`, `for i in range(9):
    f(np.ones(1000), np.ones(1000), np.ones(1000))`},
	"a network": {`rng = np.random.RandomState(7)
sizes = [8, 12, 9, 7, 6, 5, 4]
x, y = T.dmatrix("x"), T.ivector("y")
params, h = [], x
for i in range(len(sizes) - 1):
    W, b = shared(rng.randn(sizes[i], sizes[i + 1]) * 0.1, name = "W%d" % i), shared(np.zeros(sizes[i + 1]), name = "b%d" % i)
    params += [W, b]
    h = T.nnet.softmax(T.dot(h, W) + b) if i == len(sizes) - 2 else T.tanh(T.dot(h, W) + b)
cost = T.nnet.categorical_crossentropy(h, y).mean()
updates = []
for w, g in zip(params, T.grad(cost, params)):
    v = shared(np.zeros_like(w.get_value()), name = "v_" + w.name)
    updates += [(v, 0.9 * v - 0.01 * g), (w, w + 0.9 * v - 0.01 * g)]
train = function([x, y], cost, updates = updates, name = "train")
X, Y = rng.randn(16, 8), rng.randint(0, 4, size = 16).astype("int32")`, `def epoch(n):
    for i in range(n):
        r = train(X, Y)
    return r
epoch(50)`},
	"three functions": {`a, b = T.dmatrices("a", "b")
mul = function([a, b], T.dot(a, b), name = "multiply")
act = function([a], 1 / (1 + T.exp(-a)), name = "squash")
red = function([a], (a - a.mean(axis = 0)) ** 2, name = "centre_and_square_the_columns_of_a_matrix_that_has_a_long_name")
A, B = np.ones((40, 30)), np.ones((30, 20))`, `for i in range(20):
    C = mul(A, B)
    D = act(C)
    E = red(D)
print(np.linalg.svd(E)[1][:2].round(3))`},
}

var (
	breakOf   = regexp.MustCompile(`<wbr[^>]*>`)
	tagOf     = regexp.MustCompile(`<[^>]*>`)
	nodeOf    = regexp.MustCompile(`#(\d+) ([^<]*)<`)
	sourceOf  = regexp.MustCompile(`<pre style="margin:0[^>]*>(?:<b>)?([^<]*)`)
	titleOf   = regexp.MustCompile(` title="([^"]*)"`)
	leftRows  = regexp.MustCompile(`and (\d+) more (?:class|op|row|line|node)(?:e?s)?, `)
	nothingAt = regexp.MustCompile(`⋮ \d+`)
)

// TestShown compares what is shown of three programs, in all levels, with the data: no node is
// lost, what is left out is said, and what is cut ends with dots.
func TestShown(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(shownPrograms)) {
		if !long.Turn(i, 1) {
			continue
		}
		program := shownPrograms[name]
		s := starlib.NewSession(starlib.Options{})
		if _, _, err := s.Execute(t.Context(), 1, program[0], new(bundles)); err != nil {
			t.Fatal(err)
		}
		for level, flags := range map[string]string{"default": "", "memory": "memory=True", "ten": "top=10", "hundred": "top=100", "all": "top=all", "all and memory": "top=all memory=True"} {
			out := new(bundles)
			if _, _, err := s.Execute(t.Context(), 2, "%%profile "+flags+"\n"+program[1], out); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			list := out.list()
			data := list[len(list)-1].data
			var stats []*profiler.Stats
			if err := json.Unmarshal(data[export.MIME].(json.RawMessage), &stats); err != nil {
				t.Fatal(err)
			}
			shown := shownProfile{T: t, name: name + ", " + level, of: profiler.Sum(stats...), page: breakOf.ReplaceAllString(data["text/html"].(string), ""), text: data["text/plain"].(string)}
			shown.panel(strings.Contains(flags, "hundred") || level == "hundred" || strings.HasPrefix(level, "all"))
			switch level {
			case "default":
				shown.brief()
			case "hundred", "all", "all and memory":
				shown.everyNode("the text", shown.text)
			}
		}
	}
}

// A shownProfile is a profile, its panel and its text.
type shownProfile struct {
	*testing.T
	name       string
	of         *profiler.Stats
	page, text string
}

// panel checks all of the panel; all says that its tree has every node too.
func (s *shownProfile) panel(all bool) {
	s.Helper()
	if all && len(s.page) > 2_000_000 || !all && len(s.page) > 100_000 {
		s.Errorf("%s: the panel has %d bytes", s.name, len(s.page))
	}
	_, rows, ok := strings.Cut(s.page, "<b>All rows</b>")
	rows, _, _ = strings.Cut(rows, "</pre>")
	if !ok {
		s.Errorf("%s: the panel has no table of all rows", s.name)
	}
	s.everyNode("all rows", html.UnescapeString(rows))
	ids := make(map[string]bool)
	nodes := s.of.Rows(profiler.ByApply)
	byID := make(map[string]profiler.Row)
	for _, r := range nodes {
		byID[strconv.Itoa(r.ID)] = r
	}
	_, tree, _ := strings.Cut(s.page, "<b>Class → Op → Apply</b>")
	tree, _, _ = strings.Cut(tree, "<b>All rows</b>")
	for _, m := range nodeOf.FindAllStringSubmatch(tree, -1) {
		ids[m[1]] = true
		s.cut("a node", html.UnescapeString(m[2]), byID[m[1]].Plain())
	}
	left := 0
	for _, m := range leftRows.FindAllStringSubmatch(strings.ReplaceAll(tree, units.NBSP, " "), -1) {
		n, _ := strconv.Atoi(m[1])
		left += n
	}
	if all && len(ids) < len(nodes) {
		s.Errorf("%s: the tree has %d of %d nodes", s.name, len(ids), len(nodes))
	}
	if !all && len(ids) < len(nodes) && left == 0 {
		s.Errorf("%s: the tree has %d of %d nodes, and does not say that it has no more", s.name, len(ids), len(nodes))
	}
	// Lines of the source.
	for _, m := range sourceOf.FindAllStringSubmatch(s.page, -1) {
		shown := html.UnescapeString(m[1])
		if nothingAt.MatchString(shown) {
			continue
		}
		s.cut("a line", strings.TrimLeft(shown, " "), s.sourceLines()...)
	}
	// What a function, a title or a note shows is whole, or says that it is not.
	for _, f := range s.of.Functions {
		if !strings.Contains(s.page, ">"+f.Title()+"<") && !strings.Contains(s.page, ">"+units.Short(f.Title(), 40)) {
			s.Errorf("%s: the panel does not name %s", s.name, f.Title())
		}
	}
	for _, m := range titleOf.FindAllStringSubmatch(s.page, -1) {
		s.balanced(html.UnescapeString(m[1]))
	}
	for _, note := range regexp.MustCompile(`<small>(.*?)</small>`).FindAllStringSubmatch(s.page, -1) {
		for part := range strings.SplitSeq(html.UnescapeString(note[1]), " · ") {
			s.balanced(part)
		}
	}
	if facts, _, _ := strings.Cut(tagOf.ReplaceAllString(s.page[:strings.Index(s.page, "</summary>")], ""), "\n"); !strings.Contains(facts, "of wall time") || !strings.Contains(facts, "%") {
		s.Errorf("%s: the head has no wall time, or no dearest line: %s", s.name, facts)
	}
}

func (s *shownProfile) sourceLines() (lines []string) {
	for _, text := range s.of.Sources {
		for line := range strings.Lines(text) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// cut checks that what is shown is one of whole, or ends with dots that stand for the rest of one.
func (s *shownProfile) cut(what, shown string, whole ...string) {
	s.Helper()
	shown = strings.TrimSpace(shown)
	for _, w := range whole {
		if before, ok := strings.CutSuffix(shown, "…"); shown == w || ok && strings.HasPrefix(w, before) {
			return
		}
	}
	s.Errorf("%s: %s is cut without a word: %s", s.name, what, shown)
}

// balanced checks that a text is not cut within brackets, unless it has dots.
func (s *shownProfile) balanced(text string) {
	s.Helper()
	for _, pair := range []string{"()", "{}", "[]"} {
		if strings.Count(text, pair[:1]) != strings.Count(text, pair[1:]) && !strings.Contains(text, "…") {
			s.Errorf("%s: cut without a word: %s", s.name, text)
		}
	}
}

// everyNode checks that a table of our own layout has a row for each node that ran, and that their
// shares add up to all.
func (s *shownProfile) everyNode(what, table string) {
	s.Helper()
	if at := strings.LastIndex(table, "\nApply\n"); at >= 0 { // of several, the sum
		table = table[at+len("\nApply\n"):]
	}
	header, rows, _ := strings.Cut(table, "\n")
	_, rows, _ = strings.Cut(rows, "\n") // dashes
	rows, _, _ = strings.Cut(rows, "\n\n")
	column := -1
	for i, name := range strings.Fields(header) {
		if name == "id" {
			column = i
		}
	}
	ids, sum := make(map[int]bool), 0.0
	for line := range strings.Lines(rows) {
		if strings.HasPrefix(line, "    ") { // a name of its own line
			s.balanced(line)
			continue
		}
		fields := strings.Fields(strings.NewReplacer("█", "", "▌", "").Replace(line))
		if len(fields) <= column || column < 0 {
			continue
		}
		id, err := strconv.Atoi(fields[column])
		share, err2 := strconv.ParseFloat(fields[0], 64)
		if err == nil && err2 == nil {
			ids[id] = true
			sum += share
		}
	}
	nodes := s.of.Rows(profiler.ByApply)
	if len(ids) != len(nodes) || sum < 99-0.05*float64(len(nodes)) || sum > 101+0.05*float64(len(nodes)) {
		s.Errorf("%s: %s has %d of %d nodes, with %.1f %% of the time", s.name, what, len(ids), len(nodes), sum)
	}
}

// brief checks the default text: short, with what to look at first, and every line in it or
// counted.
func (s *shownProfile) brief() {
	s.Helper()
	if n := strings.Count(s.text, "\n"); n > 36 {
		s.Errorf("%s: the brief text has %d lines:\n%s", s.name, n, s.text)
	}
	steady := s.of.Steady()
	_, table, ok := strings.Cut(s.text, "\nLines of the compiled functions\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Count(table, "\n") - 1
	left := 0
	if m := leftRows.FindStringSubmatch(table); m != nil {
		left, _ = strconv.Atoi(m[1])
		rows--
	}
	if want := len(steady.Lines(false)); !ok || rows+left != want {
		s.Errorf("%s: the brief text shows %d lines and leaves out %d, want %d together:\n%s", s.name, rows, left, want, s.text)
	}
	if len(steady.First(3, false)) > 0 && !strings.Contains(s.text, "\nfirst ") {
		s.Errorf("%s: the brief text names nothing to do first:\n%s", s.name, s.text)
	}
	for line := range strings.Lines(s.text) {
		if units.Width(line) > 121 {
			s.Errorf("%s: %d characters in %s", s.name, units.Width(line), line)
		}
	}
}

// TestShownCanFail: what TestShown looks for is found.
func TestShownCanFail(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Name: "p"})
	page := panel.HTML([]*profiler.Stats{s}, panel.Options{})
	fails := new(testing.T)
	shown := shownProfile{T: fails, name: "x", of: s, page: page}
	shown.cut("a node", "Elemwise{ad", "Elemwise{add}")
	if !fails.Failed() {
		t.Error("a name that is cut passes")
	}
	for i, text := range []string{"(3, 4", "Elemwise{"} {
		fails := new(testing.T)
		(&shownProfile{T: fails}).balanced(text)
		if !fails.Failed() {
			t.Error(fmt.Sprint(i, ": what is cut passes: ", text))
		}
	}
}
