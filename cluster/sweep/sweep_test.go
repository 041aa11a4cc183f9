package sweep

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/notebook"
)

func axes(t *testing.T, args ...string) (list []Axis) {
	t.Helper()
	for _, arg := range args {
		a, err := ParseAxis(arg)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	return list
}

// codes are the runs, each in a line.
func codes(runs [][]notebook.Parameter) (list []string) {
	for _, r := range runs {
		list = append(list, strings.ReplaceAll(codeOf(r), "\n", ", "))
	}
	return list
}

func TestGrid(t *testing.T) {
	runs, err := Grid(axes(t, "lr=0.1,1e-2", "name=a,True", "n=3"))
	want := []string{`lr = 0.1, name = "a", n = 3`, `lr = 0.1, name = True, n = 3`, `lr = 0.01, name = "a", n = 3`, `lr = 0.01, name = True, n = 3`}
	if got := codes(runs); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if runs, err := Grid(nil); err != nil || len(runs) != 1 {
		t.Errorf("no parameters: got %d runs, %v, want the one run", len(runs), err)
	}
}

func TestRandom(t *testing.T) {
	list := axes(t, "lr=1e-4..1e-1:log", "n=4..6", "k=1..1000:log", "x=-1..1.5", "name=a,b")
	runs, err := Random(list, 400, 7)
	if err != nil || len(runs) != 400 {
		t.Fatalf("got %d runs, %v", len(runs), err)
	}
	below, low, seen := 0, 0, map[string]int{}
	for _, r := range runs {
		v := map[string]float64{}
		for _, p := range r {
			v[p.Name], _ = strconv.ParseFloat(string(p.Value), 64)
		}
		seen[string(r[1].Value)]++
		seen[string(r[4].Value)]++
		if v["lr"] < 1e-4 || v["lr"] > 1e-1 || v["n"] < 4 || v["n"] > 6 || v["k"] < 1 || v["k"] > 1000 || v["x"] < -1 || v["x"] > 1.5 {
			t.Fatalf("out of its range: %s", codeOf(r))
		}
		if strings.ContainsAny(string(r[1].Value)+string(r[2].Value), ".e") || !strings.ContainsAny(string(r[0].Value), ".e") {
			t.Fatalf("want whole numbers for n and k, and a float for lr: %s", codeOf(r))
		}
		if v["lr"] < 3.1623e-3 { // the middle of the logarithms
			below++
		}
		if v["k"] < 32 {
			low++
		}
	}
	// 400 draws with probability 1/2: 5 standard deviations are 50.
	if below < 150 || below > 250 || low < 150 || low > 250 {
		t.Errorf("got %d and %d of 400 in the lower half of the logarithms", below, low)
	}
	for _, v := range []string{"4", "5", "6", `"a"`, `"b"`} {
		if seen[v] < 80 {
			t.Errorf("got %s %d times of 400", v, seen[v])
		}
	}
	again, err := Random(list, 400, 7)
	if err != nil || !slices.Equal(codes(runs), codes(again)) {
		t.Errorf("the same seed draws others, %v", err)
	}
	if other, _ := Random(list, 400, 8); slices.Equal(codes(runs), codes(other)) {
		t.Error("another seed draws the same")
	}
	few, err := Random(axes(t, "a=1,2", "b=1,2"), 10, 1)
	if got := codes(few); err != nil || len(got) != 4 || len(slices.Compact(slices.Sorted(slices.Values(got)))) != 4 {
		t.Errorf("got %q, %v, want each of the four once", got, err)
	}
}

func TestAxisErrors(t *testing.T) {
	for arg, want := range map[string]string{
		"lr":            `parameter: got "lr", want name=value,value,... or name=low..high`,
		"lr=":           `parameter: got "lr=", want name=value,value,... or name=low..high`,
		"1r=1":          `parameter: got "1r=1", want name=value`,
		"lr=2..1":       `parameter lr: got the range "2..1", want the low end first`,
		"lr=a..1":       `parameter lr: got the range "a..1", want low..high, two numbers`,
		"lr=0..1:log":   `parameter lr: got the range "0..1:log", want numbers above 0 for :log`,
		"lr=nan..1":     `parameter lr: got the range "nan..1", want low..high, two numbers`,
		"lr=1..inf:log": `parameter lr: got the range "1..inf:log", want low..high, two numbers`,
	} {
		if _, err := ParseAxis(arg); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", arg, err, want)
		}
	}
	if _, err := Grid(axes(t, "a=1..2")); err == nil || err.Error() != "parameter a: got a range, of which values are drawn: say how many runs, --random N" {
		t.Errorf("got %v", err)
	}
	if _, err := Random(axes(t, "a=1", "a=2"), 1, 0); err == nil || err.Error() != "parameter a: got it twice, want all its values in one" {
		t.Errorf("got %v", err)
	}
}

func TestTable(t *testing.T) {
	p := func(arg string) notebook.Parameter {
		p, err := notebook.ParseParameter(arg, false)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	runs := []*Run{
		{N: 0, Key: "k0", Parameters: []notebook.Parameter{p("lr=0.1"), p("name=a,\"b\"")}, Results: []Result{{"loss", json.RawMessage("0.123456789012")}}, Seconds: 1.5, Worker: "w"},
		{N: 1, Key: "k1", Parameters: []notebook.Parameter{p("lr=0.2"), p("name=c")}, Failure: &cluster.Failure{Class: "ValueError", Message: "no"}, Worker: "w"},
		{N: 2, Key: "k2", Parameters: []notebook.Parameter{p("lr=0.2"), p("name=d")}, Results: []Result{{"n", json.RawMessage("3")}, {"loss", json.RawMessage("1")}}, Worker: "w"},
	}
	var csv, js strings.Builder
	if err := WriteCSV(&csv, runs); err != nil {
		t.Fatal(err)
	}
	want := "run,lr,name,loss,n,seconds,worker,error\n" +
		"0,0.1,\"a,\"\"b\"\"\",0.123456789012,,1.500,w,\n1,0.2,c,,,0.000,w,ValueError: no\n2,0.2,d,1,3,0.000,w,\n"
	if csv.String() != want {
		t.Errorf("got\n%swant\n%s", csv.String(), want)
	}
	if got := strings.Join(Rows(runs, true)[1], "|"); got != `0|0.1|a,"b"|0.123457||1.500|w|` {
		t.Errorf("got %s", got)
	}
	if err := WriteJSON(&js, runs); err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Key        string
		Parameters map[string]any
		Results    map[string]float64
		Error      map[string]string
	}
	if err := json.Unmarshal([]byte(js.String()), &list); err != nil {
		t.Fatalf("%v\n%s", err, js.String())
	}
	if got := fmt.Sprint(list); got != `[{k0 map[lr:0.1 name:a,"b"] map[loss:0.123456789012] map[]} {k1 map[lr:0.2 name:c] map[] map[class:ValueError message:no]} {k2 map[lr:0.2 name:d] map[loss:1 n:3] map[]}]` {
		t.Errorf("got %s", got)
	}
}

// TestKey: a run is another one if any part of its content is.
func TestKey(t *testing.T) {
	first := Sweep{File: File{Name: "a.star", Text: []byte("x")}, Version: "1"}
	run := []notebook.Parameter{{Name: "n", Value: json.RawMessage("1")}}
	seen := map[string]string{first.key(run): "the first"}
	for name, c := range map[string]struct {
		s   Sweep
		run []notebook.Parameter
	}{
		"text":      {Sweep{File: File{Name: "a.star", Text: []byte("y")}, Version: "1"}, run},
		"kind":      {Sweep{File: File{Name: "a.py", Text: []byte("x")}, Version: "1"}, run},
		"flags":     {Sweep{File: File{Name: "a.star", Text: []byte("x"), Flags: []string{"floatX=float32"}}, Version: "1"}, run},
		"version":   {Sweep{File: first.File, Version: "2"}, run},
		"parameter": {first, []notebook.Parameter{{Name: "n", Value: json.RawMessage("2")}}},
		"none":      {first, nil},
	} {
		key := c.s.key(c.run)
		if seen[key] != "" {
			t.Errorf("%s has the key of %s", name, seen[key])
		}
		seen[key] = name
	}
	renamed := Sweep{File: File{Name: "b.star", Text: []byte("x")}, Version: "1"}
	if renamed.key(run) != first.key(run) {
		t.Error("a file that was renamed is another one")
	}
}
