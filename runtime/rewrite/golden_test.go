package rewrite

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

var update = flag.Bool("update", false, "write the files in testdata and rewrite.md anew")

// goldenPasses are what a file's "passes:" line may name: the functions, and the groups of rules up
// to and including one.
var goldenPasses = map[string]func(*graph.FunctionGraph, *PassProfile) (*graph.FunctionGraph, error){
	"merge":              Merge,
	"blas":               Blas,
	"inplace_blas":       InplaceBlas,
	"fuse":               Fuse,
	"inplace_increments": InplaceIncrements,
	"inplace":            Inplace,
}

// TestGolden rewrites the graphs of testdata/*.txtar, which come in pairs "name before" and "name
// after", and runs both. The comment of a file says which passes: "passes: merge stabilize".
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, line, _ := strings.Cut(string(a.Comment), "passes:")
		line, _, _ = strings.Cut(line, "\n")
		out := &txtar.Archive{Comment: a.Comment}
		var after map[string]string = make(map[string]string)
		for _, f := range a.Files {
			if name, ok := strings.CutSuffix(f.Name, " after"); ok {
				after[name] = string(f.Data)
			}
		}
		for _, f := range a.Files {
			name, ok := strings.CutSuffix(f.Name, " before")
			if !ok {
				continue
			}
			t.Run(filepath.Base(file)+"/"+strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
				fg := mustParse(t, string(f.Data))
				got, err := runPasses(fg, strings.Fields(line))
				if err != nil {
					t.Fatal(err)
				}
				if err := got.Check(); err != nil {
					t.Errorf("%v\n%s", err, got)
				}
				compareGraphs(t, fg, got)
				if !*update && got.String() != after[name] {
					t.Errorf("got\n%s\nwant\n%s", got, after[name])
				}
				out.Files = append(out.Files, f, txtar.File{Name: name + " after", Data: []byte(got.String())})
			})
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(out), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func runPasses(fg *graph.FunctionGraph, passes []string) (*graph.FunctionGraph, error) {
	for _, name := range passes {
		var err error
		if pass, ok := goldenPasses[name]; ok {
			fg, err = pass(fg, &PassProfile{})
		} else {
			last := slices.Index(groupOrder, name)
			if last < 0 {
				return nil, fmt.Errorf("unknown pass %q", name)
			}
			var rules []*Rule
			for _, r := range Rules() {
				if slices.Index(groupOrder, r.Group) <= last {
					rules = append(rules, r)
				}
			}
			p := &PassProfile{}
			fg, err = FixedPoint(fg, rules, p)
			if err == nil && p.Warning != "" {
				err = fmt.Errorf("%s", p.Warning)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return fg, nil
}

// compareGraphs runs two graphs of the same inputs. Unknown lengths are 3, 4, 2, ... by axis.
func compareGraphs(t *testing.T, before, after *graph.FunctionGraph) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 3))
	values := make(map[*graph.Variable]*tensor.Dense)
	for _, v := range append(slices.Clone(before.Inputs), before.SharedVariables()...) {
		dims := v.Type.Dims()
		for i, d := range dims {
			if d == graph.Unknown {
				dims[i] = []int{3, 4, 2, 5}[i%4]
			}
		}
		a := tensor.New(kernels.Float64, dims...)
		for i := range tensor.Elements[float64](a) {
			tensor.Elements[float64](a)[i] = 0.25 + 2.5*rng.Float64()
		}
		values[v] = a.AsType(v.Type.DType)
	}
	want, err := evaluate(before.Results(), values)
	if err != nil {
		t.Fatal(err)
	}
	got, err := evaluate(after.Results(), copies(values))
	if err != nil {
		t.Fatalf("%v\n%s", err, after)
	}
	for i := range want {
		if diff := difference(got[i], want[i], tolerance(before.Results()[i])); diff != "" {
			t.Errorf("result %d: %s\n%s", i, diff, after)
		}
	}
}
