package export

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
)

//go:embed flame.html
var flamePage string

//go:embed flame.css
var flameStyle string

//go:embed flame.js
var flameScript string

var flameTemplate = template.Must(template.New("flame").Parse(flamePage))

// flamePolicy lets a browser run the page's own script, and load nothing.
var flamePolicy = func() string {
	sum := sha256.Sum256([]byte(flameScript))
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}()

// flameData is what the page's script draws.
type flameData struct {
	Title    string         `json:"title"`
	Was      string         `json:"was,omitempty"` // the title before, of a graph of what changed
	Measures []flameMeasure `json:"measures"`
	Names    []string       `json:"names"`
	Kinds    []levelKind    `json:"kinds"`
	Root     flameFrame     `json:"root"`
}

type flameMeasure struct {
	Name  string      `json:"name"`
	Sizes []flameSize `json:"sizes"`
}

type flameSize struct {
	Name string  `json:"name"`
	Size float64 `json:"size"`
}

// A flameFrame is a list: the numbers of its name and kind, its values by measure, the frames in
// it; see also differ.frame.
type flameFrame []any

// Flame writes a page with a flame graph of the stacks, in each of their measures. It needs nothing
// from outside, and what a profile says is never part of its script.
func Flame(w io.Writer, all []*profiler.Stats) error {
	stacks := stacksOf(all)
	by := measures(stacks)
	d := flameData{Title: printable(titleOf(all)), Measures: sizesOf(by)}
	names, kinds := numbered[string]{}, numbered[levelKind]{}
	d.Root = grow(stacks, by).flame(names, kinds)
	d.Names, d.Kinds = names.list(), kinds.list()
	return writeFlame(w, d)
}

// sizesOf are the units of measures.
func sizesOf(by []measure) []flameMeasure {
	list := []flameMeasure{}
	for _, m := range by {
		unit := columns.Time
		if m.unit == "bytes" {
			unit = columns.Bytes
		}
		fm := flameMeasure{Name: m.name}
		for _, u := range unit.Sizes() {
			fm.Sizes = append(fm.Sizes, flameSize(u))
		}
		list = append(list, fm)
	}
	return list
}

func writeFlame(w io.Writer, d flameData) error {
	if err := flameTemplate.Execute(w, struct {
		Policy string
		Style  template.CSS
		Script template.JS
		Data   flameData
	}{flamePolicy, template.CSS(flameStyle), template.JS(flameScript), d}); err != nil {
		return fmt.Errorf("flame graph: %w", err)
	}
	return nil
}

func (b *branch) flame(names numbered[string], kinds numbered[levelKind]) flameFrame {
	inside := []flameFrame{}
	name, kind := names.of(b.name), kinds.of(b.kind)
	for _, in := range b.branches {
		inside = append(inside, in.flame(names, kinds))
	}
	return flameFrame{name, kind, b.values, inside}
}

// numbered gives each value a number, from 0 on.
type numbered[T comparable] map[T]int

func (n numbered[T]) of(v T) int {
	i, ok := n[v]
	if !ok {
		i = len(n)
		n[v] = i
	}
	return i
}

func (n numbered[T]) list() []T {
	list := make([]T, len(n))
	for v, i := range n {
		list[i] = v
	}
	return list
}
