package main

import (
	gobuild "go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/arignote/arignote"

// layers is the import policy: a statement of what may import what, not a description of what does.
// Do not change it to make a build pass. Imports run one way, from the top of the list to the
// bottom.
var layers = []struct {
	room string
	may  []string // rooms of ours that it may import
}{
	{"long", nil},
	{"kernels", []string{"kernels/parallel", "kernels/special"}},
	{"kernels/c", nil},
	{"kernels/parallel", nil},
	{"kernels/linalg", nil},
	{"kernels/libm", nil},
	{"kernels/special", []string{"kernels/libm"}},
	{"kernels/random", []string{"kernels/libm"}},
	{"kernels/complexes", []string{"kernels/libm"}},
	{"kernels/sparse", []string{"kernels/parallel"}},
	{"kernels/native", []string{"kernels", "kernels/c", "kernels/parallel"}},
	{"runtime", nil},
	{"runtime/memory", nil},
	{"runtime/files", nil},
	{"runtime/tensor", []string{"runtime/memory", "kernels"}},
	{"runtime/safetensors", []string{"runtime/tensor", "kernels"}},
	{"runtime/graph/intern", nil},
	{"runtime/graph", []string{"runtime/graph/intern", "runtime/tensor", "kernels"}},
	{"runtime/graphfile", []string{"runtime/graph", "runtime/safetensors", "runtime/tensor"}},
	{"runtime/history", nil},
	{"runtime/op", []string{"runtime/graph", "runtime/graph/intern", "runtime/tensor", "kernels", "kernels/libm", "kernels/linalg", "kernels/random", "kernels/sparse"}},
	{"runtime/array", []string{"kernels/libm", "runtime/op", "runtime/tensor", "kernels", "kernels/linalg"}},
	{"runtime/formula", []string{"runtime/array", "runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"runtime/op/optest", []string{"runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"runtime/grad", []string{"runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"runtime/rewrite", []string{"runtime/op", "runtime/graph", "runtime/history", "runtime/tensor", "kernels"}},
	{"runtime/exec", []string{"runtime/op", "runtime/graph", "runtime/tensor", "kernels", "kernels/native"}},
	{"runtime/debugmode", []string{"runtime/exec", "runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"runtime/compile", []string{"runtime/debugmode", "runtime/exec", "runtime/grad", "runtime/rewrite", "runtime/op", "runtime/graph", "runtime/history", "runtime/tensor", "kernels"}},
	{"profiler/clock", nil},
	{"profiler/units", nil},
	{"profiler/picture/layout", nil},
	{"runtime/onnx/proto", []string{"runtime/tensor", "kernels"}},
	{"runtime/onnx", []string{"runtime/onnx/proto", "runtime/exec", "runtime/files", "runtime/formula", "runtime/grad", "runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"profiler/plain", []string{"profiler/units", "runtime/graph"}},
	{"profiler", []string{"profiler/plain", "profiler/units", "profiler/clock", "runtime/exec", "runtime/graph", "runtime/history", "runtime/tensor", "kernels"}},
	{"profiler/roofline", []string{"profiler", "runtime/exec", "runtime/memory", "runtime/op", "runtime/graph", "runtime/tensor", "kernels/native", "kernels/parallel", "kernels"}},
	{"profiler/advice", []string{"profiler", "profiler/units", "runtime/graph", "runtime/history"}},
	{"profiler/median", nil},
	{"profiler/whatif", []string{"profiler/median", "profiler/units", "runtime/tensor", "kernels"}},
	{"profiler/columns", []string{"profiler", "profiler/units", "runtime/graph", "runtime/tensor"}},
	{"profiler/text", []string{"profiler", "profiler/advice", "profiler/columns", "profiler/units", "runtime/tensor", "runtime/history"}},
	{"profiler/picture", []string{"profiler", "profiler/units", "profiler/picture/layout", "runtime/graph"}},
	{"profiler/panel", []string{"profiler", "profiler/advice", "profiler/columns", "profiler/picture", "profiler/text", "profiler/units", "runtime/tensor", "runtime/history"}},
	{"profiler/compare", []string{"profiler", "profiler/units", "runtime/graph"}},
	{"profiler/lock", []string{"profiler", "profiler/units", "runtime/graph"}},
	{"profiler/slower", []string{"profiler/median", "profiler/units"}},
	{"profiler/export", []string{"runtime/files", "profiler", "profiler/columns", "profiler/panel", "profiler/text", "runtime/graph"}},
	{"profiler/profilertest", []string{"profiler", "profiler/units", "runtime/exec", "runtime/graph", "runtime/history", "runtime/op", "runtime/tensor", "kernels"}},
	{"plot/palette", nil},
	{"plot/ticks", nil},
	{"plot", []string{"plot/palette", "plot/ticks"}},
	{"plot/draw", []string{"plot", "plot/palette"}},
	{"notebook", nil},
	{"notebook/headless", []string{"notebook", "kernel"}},
	{"notebook/page", []string{"notebook"}},
	{"starlib/config", []string{"runtime/files"}},
	{"starlib/visible", nil},
	{"starlib/habits", nil},
	{"starlib/upstream", nil},
	{"starlib/parse", []string{"starlib/habits"}},
	{"starlib/format", []string{"starlib/parse"}},
	{"starlib/scope", []string{"starlib/parse", "starlib/upstream"}},
	{"starlib/lower", []string{"starlib/scope", "starlib/parse"}},
	{"starlib/names", nil},
	{"starlib/value/bigint", []string{"runtime/tensor"}},
	{"starlib/value", []string{"kernels/complexes", "starlib/value/bigint", "starlib/slot", "runtime/files", "starlib/names", "starlib/config", "kernels/libm", "runtime/memory", "runtime/tensor"}},
	{"starlib/slot", nil},
	{"starlib/code", []string{"starlib/slot"}},
	{"starlib/compile", []string{"starlib/code", "starlib/slot", "starlib/lower", "starlib/scope", "starlib/parse"}},
	{"starlib/arith", []string{"starlib/code", "starlib/slot", "starlib/value"}},
	{"starlib/vm", []string{"starlib/arith", "starlib/code", "starlib/object", "starlib/slot", "starlib/value", "starlib/config"}},
	{"starlib/object", []string{"starlib/slot", "starlib/value", "starlib/config", "starlib/upstream"}},
	{"starlib/library", []string{"starlib/slot", "starlib/object", "starlib/value", "starlib/config", "kernels/libm"}},
	{"starlib/functions", []string{"starlib/slot", "starlib/value", "runtime/formula", "runtime/graph", "runtime/tensor", "kernels"}},
	{"starlib/np/npy", []string{"runtime/tensor", "kernels"}},
	{"starlib/np", []string{"starlib/slot", "runtime/files", "starlib/functions", "starlib/object", "runtime/formula", "starlib/value", "starlib/config", "runtime/exec", "runtime/op", "runtime/graph", "starlib/np/npy", "kernels/random", "runtime/tensor", "kernels/linalg", "kernels", "kernels/libm", "runtime/array"}},
	{"starlib/np/complexes", []string{"starlib/np", "starlib/slot", "starlib/value", "runtime/array", "runtime/tensor", "kernels/complexes", "kernels"}},
	{"starlib/np/printing", []string{"starlib/np", "starlib/functions", "starlib/slot", "starlib/value", "runtime/array", "runtime/tensor", "kernels"}},
	{"starlib/np/creation", []string{"starlib/np", "starlib/functions", "starlib/slot", "starlib/value", "runtime/formula", "runtime/array", "runtime/op", "runtime/tensor", "kernels"}},
	{"starlib/np/manipulation", []string{"starlib/np", "starlib/functions", "starlib/slot", "starlib/value", "runtime/formula", "runtime/array", "runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"starlib/np/linalg", []string{"starlib/np", "starlib/functions", "starlib/object", "starlib/value", "runtime/formula", "runtime/array", "runtime/op", "runtime/graph", "runtime/tensor", "kernels/linalg", "kernels"}},
	{"starlib/np/numeric", []string{"starlib/np/linalg", "starlib/np/manipulation", "starlib/np/creation", "starlib/np", "starlib/functions", "starlib/slot", "starlib/value", "runtime/formula", "runtime/array", "runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"starlib/np/random", []string{"starlib/np", "starlib/functions", "starlib/slot", "starlib/value", "runtime/graph", "runtime/tensor", "kernels/random", "kernels/linalg", "kernels"}},
	{"starlib/np/storage", []string{"starlib/np", "starlib/np/npy", "starlib/functions", "starlib/slot", "starlib/value", "runtime/tensor", "runtime/files", "kernels"}},
	{"starlib/sparse", []string{"starlib/np/random", "starlib/slot", "starlib/np", "starlib/value", "runtime/formula", "runtime/op", "runtime/graph", "runtime/tensor", "kernels", "kernels/sparse"}},
	{"starlib/session", []string{"notebook", "starlib/slot", "runtime/files", "starlib/visible", "starlib/library", "starlib/object", "starlib/value", "starlib/vm", "starlib/compile", "starlib/code", "starlib/lower", "starlib/scope", "starlib/parse", "starlib/config", "profiler/export", "runtime/memory", "runtime/graph", "runtime/tensor", "kernels/parallel", "starlib/names", "starlib/habits", "starlib/upstream"}},
	{"starlib/pylib/sre", nil},
	{"starlib/specials", []string{"starlib/session", "starlib/slot", "starlib/value"}},
	{"starlib/pylib/rows", []string{"starlib/session", "starlib/slot", "starlib/value"}},
	{"starlib/pylib/texts", []string{"starlib/pylib/rows", "starlib/pylib/sre", "starlib/session", "starlib/slot", "starlib/value"}},
	{"starlib/pylib/dates", []string{"starlib/pylib/rows", "starlib/pylib/sre", "starlib/value"}},
	{"starlib/pylib/binary", []string{"starlib/pylib/rows", "starlib/slot", "starlib/value"}},
	{"starlib/pylib/collected", []string{"starlib/pylib/rows", "starlib/session", "starlib/slot", "starlib/value"}},
	{"starlib/pylib/streams", []string{"starlib/pylib/rows", "starlib/slot", "starlib/value"}},
	{"starlib/pylib/paths", []string{"starlib/pylib/rows", "starlib/pylib/sre", "starlib/session", "starlib/slot", "starlib/value", "runtime/tensor"}},
	{"starlib/pylib", []string{"starlib/pylib/collected", "starlib/pylib/lib", "starlib/pylib/rows", "starlib/pylib/paths", "starlib/pylib/binary", "starlib/pylib/streams", "starlib/pylib/dates", "starlib/pylib/texts", "starlib/slot", "starlib/session", "starlib/np", "starlib/np/npy", "starlib/library", "starlib/value", "starlib/config", "runtime/tensor", "kernels/libm", "kernels/random"}},
	{"starlib/pylib/lib", nil},
	{"starlib/pylib/inside", []string{"runtime/graph", "starlib/slot", "starlib/session", "starlib/value", "starlib/parse"}},
	{"starlib/magic", []string{"starlib/library", "runtime/files", "starlib/slot", "starlib/session", "starlib/np", "starlib/value", "starlib/parse", "starlib/config", "runtime/tensor", "starlib/habits"}},
	{"starlib/pyplot", []string{"plot", "plot/draw", "plot/palette", "plot/ticks", "starlib/session", "starlib/np", "starlib/slot", "starlib/value", "starlib/config", "runtime/tensor", "kernels"}},
	{"starlib/symbolic", []string{"starlib/np/random", "starlib/slot", "starlib/session", "starlib/sparse", "starlib/np", "runtime/formula", "starlib/value", "starlib/config", "profiler", "profiler/picture", "profiler/units", "profiler/whatif", "runtime/compile", "runtime/debugmode", "runtime/exec", "runtime/rewrite", "runtime/op", "runtime/graph", "runtime/tensor", "kernels", "kernels/random"}},
	{"starlib/symbolic/operations", []string{"starlib/symbolic", "starlib/np/numeric", "starlib/np", "starlib/names", "starlib/functions", "starlib/slot", "starlib/value", "runtime/formula", "runtime/grad", "runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"starlib/symbolic/nn", []string{"starlib/symbolic/operations", "starlib/symbolic", "starlib/np", "starlib/functions", "starlib/value", "runtime/formula", "runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"starlib/symbolic/random", []string{"starlib/symbolic/operations", "starlib/np/random", "starlib/symbolic", "starlib/np", "starlib/functions", "starlib/slot", "starlib/value", "runtime/formula", "runtime/op", "runtime/graph", "runtime/tensor", "kernels/random", "kernels"}},
	{"starlib/symbolic/graphs", []string{"starlib/symbolic", "starlib/np", "starlib/slot", "starlib/value", "profiler/picture", "profiler", "profiler/units", "runtime/grad", "runtime/op", "runtime/graph", "runtime/tensor"}},
	{"starlib/symbolic/loops", []string{"starlib/symbolic", "starlib/slot", "starlib/value", "runtime/formula", "runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"starlib/symbolic/userops", []string{"starlib/symbolic", "starlib/np", "starlib/slot", "starlib/value", "runtime/formula", "runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"starlib/symbolic/theano", []string{"starlib/symbolic/userops", "starlib/symbolic/loops", "starlib/symbolic/graphs", "starlib/symbolic/random", "starlib/symbolic/nn", "starlib/symbolic/operations", "starlib/symbolic", "starlib/np", "starlib/slot", "starlib/value", "runtime/grad", "runtime/formula", "runtime/op", "runtime/graph", "runtime/tensor", "kernels"}},
	{"starlib/saving", []string{"starlib/np/random", "starlib/slot", "starlib/symbolic", "starlib/np", "starlib/np/npy", "starlib/value", "runtime/files", "runtime/graphfile", "runtime/safetensors", "runtime/op", "runtime/graph", "runtime/tensor"}},
	{"starlib/onnx", []string{"starlib/symbolic", "starlib/np", "starlib/slot", "starlib/value", "runtime/onnx", "runtime/formula", "runtime/graph", "runtime/tensor", "kernels"}},
	{"starlib/profile", []string{"runtime/memory", "starlib/np", "starlib/object", "starlib/slot", "starlib/symbolic", "starlib/magic", "starlib/session", "starlib/value", "starlib/config", "profiler", "profiler/advice", "profiler/columns", "profiler/compare", "profiler/export", "profiler/panel", "profiler/text", "profiler/units", "profiler/whatif", "runtime/compile", "runtime/history", "runtime/graph", "runtime/tensor", "plot", "plot/palette", "starlib/pyplot"}},
	{"starlib/display", []string{"starlib/magic", "starlib/session", "starlib/np", "starlib/object", "starlib/slot", "starlib/value", "starlib/visible", "runtime/tensor", "kernels"}},
	{"starlib/evaluate", []string{"starlib/scope", "starlib/session", "starlib/value", "starlib/vm"}},
	{"starlib/progress", []string{"starlib/session", "starlib/slot", "starlib/value"}},
	{"cluster", nil},
	{"cluster/hub", nil},
	{"cluster/sweep", []string{"cluster", "notebook"}},
	{"starlib/fleet", []string{"cluster", "cluster/sweep", "notebook", "starlib/np", "starlib/progress", "starlib/saving", "starlib/symbolic", "starlib/session", "starlib/slot", "starlib/value", "starlib/config", "runtime/graph", "runtime/graphfile", "runtime/op", "runtime/tensor", "kernels/parallel", "kernels/random"}},
	{"starlib/assist", []string{"starlib/vm", "runtime/files", "starlib/slot", "starlib/visible", "starlib/magic", "starlib/session", "starlib/np", "starlib/library", "starlib/value", "starlib/parse", "starlib/config", "kernels", "starlib/habits", "starlib/upstream"}},
	{"starlib/check", []string{"runtime/files", "starlib/visible", "starlib/session", "starlib/value", "starlib/scope", "starlib/parse"}},
	{"starlib", []string{"starlib/specials", "starlib/np/complexes", "starlib/library", "starlib/symbolic/operations", "starlib/np/storage", "starlib/np/random", "starlib/np/numeric", "starlib/np/linalg", "starlib/np/manipulation", "starlib/np/creation", "starlib/np/printing", "starlib/symbolic/userops", "starlib/symbolic/graphs", "starlib/symbolic/theano", "starlib/symbolic/random", "starlib/symbolic/loops", "starlib/sparse", "starlib/pylib", "starlib/pylib/lib", "starlib/pylib/inside", "starlib/display", "starlib/progress", "starlib/evaluate", "starlib/saving", "starlib/assist", "starlib/profile", "starlib/symbolic", "starlib/magic", "starlib/session", "starlib/np", "starlib/value", "starlib/config", "profiler", "starlib/pyplot", "starlib/onnx", "starlib/fleet"}},
	{"starlib/starlibtest", []string{"notebook", "starlib", "starlib/session", "starlib/slot", "starlib/value"}},
	{"starlib/repl", []string{"starlib"}},
	{"kernel", nil},
	{"install", nil},
	{"install/arignote-hub", []string{"cluster/hub"}},
	{"doctor", []string{"install", "kernels/native", "kernels/parallel", "profiler", "profiler/roofline", "starlib/config", "starlib/visible"}},
	{"notebooks", nil},
	{"", []string{"doctor", "notebook", "notebook/headless", "notebook/page", "runtime/files", "starlib/visible", "install", "kernel", "kernels/native", "kernels/parallel", "profiler", "profiler/compare", "profiler/export", "profiler/lock", "profiler/roofline", "profiler/slower", "profiler/text", "profiler/units", "runtime/compile", "runtime/graph", "runtime/onnx", "runtime/memory", "starlib", "starlib/check", "starlib/config", "starlib/format", "starlib/repl", "cluster", "cluster/sweep", "starlib/fleet"}},
}

// only lists imports from outside that some rooms alone may make.
var only = []struct {
	prefix string
	rooms  []string
	why    string
}{
	{"go.starlark.net", []string{"starlib", "starlib/specials", "starlib/pylib/collected", "starlib/evaluate", "starlib/upstream", "starlib/starlibtest", "starlib/session", "starlib/magic", "starlib/symbolic", "starlib/symbolic/operations", "starlib/symbolic/userops", "starlib/symbolic/graphs", "starlib/symbolic/theano", "starlib/symbolic/loops", "starlib/symbolic/random", "starlib/symbolic/nn", "starlib/onnx", "starlib/saving", "starlib/profile", "starlib/assist", "starlib/display", "starlib/progress", "starlib/functions", "starlib/library", "starlib/object", "starlib/pylib", "starlib/pylib/inside", "starlib/pylib/rows", "starlib/pylib/texts", "starlib/pylib/dates", "starlib/pylib/binary", "starlib/pylib/streams", "starlib/pylib/paths", "starlib/np", "starlib/np/complexes", "starlib/np/printing", "starlib/np/creation", "starlib/np/manipulation", "starlib/np/storage", "starlib/np/random", "starlib/np/linalg", "starlib/np/numeric", "starlib/sparse", "starlib/parse", "starlib/scope", "starlib/lower", "starlib/format", "starlib/check", "starlib/value", "starlib/slot", "starlib/code", "starlib/compile", "starlib/arith", "starlib/vm", "starlib/pyplot", "starlib/fleet"}, "the runtime knows no language"},
	{"github.com/nats-io/nats.go", []string{"cluster"}, "one room speaks with the hub"},
	{"github.com/nats-io/nats-server", []string{"cluster/hub"}, "the notebook's program has no server"},
	{"github.com/go-zeromq", []string{"kernel"}, "sockets stand behind the guard"},
	{"github.com/reeflective/readline", []string{"starlib/repl"}, "one front end owns the terminal"},
	{"github.com/yuin/goldmark", []string{"notebook/page"}, "markdown is read in one room"},
	{"C", []string{"kernels/c"}, "everything else builds without a C compiler"},
	{"github.com/spf13/cobra", []string{""}, "the command line is wired in main.go"},
	{"google.golang.org/protobuf", []string{"runtime/onnx/proto"}, "the bytes of a format are read in one room"},
	{"golang.org/x/perf", []string{"profiler/median"}, "one room judges measurements"},
	{"github.com/google/pprof", []string{"profiler/export"}, "one room writes for other programs"},
	{"golang.org/x/image", []string{"plot/draw"}, "pixels and letters are drawn in one room"},
	{"codeberg.org/go-fonts", []string{"plot/draw"}, "there is one font"},
	{"gonum.org/v1/gonum", []string{"kernels", "kernels/linalg", "kernels/complexes"}, "numbers are computed in kernels"},
}

// oneFile lists imports that one file of a room may make.
var oneFile = map[[2]string]string{{"runtime/exec", "kernels/native"}: "sets.go"}

// violations checks one package of room against the policy.
func violations(room string, imports []string) []string {
	i := slices.IndexFunc(layers, func(l struct {
		room string
		may  []string
	}) bool {
		return l.room == room || strings.HasPrefix(room, l.room+"/internal/")
	})
	if i < 0 {
		return []string{"package " + room + " is not in the policy"}
	}
	var bad []string
	for _, imp := range imports {
		if mine, ok := strings.CutPrefix(imp, module); ok {
			mine = strings.TrimPrefix(mine, "/")
			inRoom := mine == layers[i].room || strings.HasPrefix(mine, layers[i].room+"/internal/")
			if !slices.Contains(layers[i].may, mine) && !inRoom {
				bad = append(bad, room+" may not import "+mine)
			}
		}
		for _, o := range only {
			if (imp == o.prefix || strings.HasPrefix(imp, o.prefix+"/")) && !slices.Contains(o.rooms, layers[i].room) {
				bad = append(bad, room+" may not import "+imp+": "+o.why)
			}
		}
	}
	return bad
}

// packages lists the folders with Go files, with their imports outside tests, for builds with and
// without cgo.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	imports := make(map[string][]string)
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); dir != "." && (strings.HasPrefix(name, ".") || name == "testdata") {
			return fs.SkipDir
		}
		for _, cgo := range []bool{false, true} {
			ctx := gobuild.Default
			ctx.CgoEnabled = cgo
			p, err := ctx.ImportDir(dir, 0)
			if err != nil {
				continue
			}
			room := strings.TrimPrefix(path.Clean(filepath.ToSlash(dir)), ".")
			imports[room] = append(imports[room], p.Imports...)
			for file, allowed := range oneFile {
				if file[0] != room {
					continue
				}
				for _, pos := range p.ImportPos[module+"/"+file[1]] {
					if filepath.Base(pos.Filename) != allowed {
						t.Errorf("%s: only %s may import %s", pos, allowed, file[1])
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

func TestLayers(t *testing.T) {
	found := packages(t)
	for room, imports := range found {
		for _, v := range violations(room, imports) {
			t.Error(v)
		}
	}
	for _, l := range layers {
		if _, ok := found[l.room]; !ok {
			t.Errorf("the policy names %q, which does not exist", l.room)
		}
	}
}

// TestLayersCanFail: the policy finds what it forbids.
func TestLayersCanFail(t *testing.T) {
	for _, c := range []struct{ room, imp string }{
		{"kernels", module + "/runtime/tensor"},
		{"runtime/rewrite", module + "/runtime/exec"},
		{"starlib", module + "/runtime"},
		{"kernel", module + "/starlib"},
		{"profiler", "go.starlark.net/starlark"},
		{"starlib", "C"},
		{"nowhere", "fmt"},
	} {
		if v := violations(c.room, []string{c.imp}); len(v) == 0 {
			t.Errorf("%s may import %s, want a violation", c.room, c.imp)
		}
	}
}

// TestPackageDocs: every room opens with what it is, in a sentence of its own.
func TestPackageDocs(t *testing.T) {
	seen := make(map[string]string)
	for room := range packages(t) {
		if strings.Contains(room, "internal/") {
			continue
		}
		p, err := gobuild.Default.ImportDir(filepath.Join(".", room), 0)
		if err != nil && p.Doc == "" {
			t.Fatal(err)
		}
		switch {
		case p.Doc == "":
			t.Errorf("package %s has no documentation", room)
		case seen[p.Doc] != "":
			t.Errorf("packages %s and %s begin with the same sentence: %s", room, seen[p.Doc], p.Doc)
		}
		seen[p.Doc] = room
	}
	for _, room := range []string{"kernel", "kernels", "install", "runtime"} {
		if _, err := os.Stat(filepath.Join(room, "doc.go")); err != nil {
			t.Error(err)
		}
	}
}
