package palette

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// levels is how many colours a map of many has.
const levels = 256

// A Map gives colours to numbers from 0 to 1.
type Map struct {
	Name   string
	colors []Color
	Bad    Color // of nan
}

//go:embed maps.txt
var mapsText string

// mapLines are the lines of maps.txt by the names that they begin with.
var mapLines = sync.OnceValue(func() map[string]string {
	m := make(map[string]string, 100)
	for line := range strings.Lines(mapsText) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		m[strings.TrimPrefix(name, "@")] = name + " " + rest
	}
	m["grey"] = m["gray"]
	m["gist_grey"] = m["gist_gray"]
	m["Grays"] = m["Greys"]
	return m
})

// MapNames are the names of the colour maps, sorted. Each has its reverse, whose name ends in _r.
func MapNames() []string {
	var list []string
	for name := range mapLines() {
		list = append(list, name, name+"_r")
	}
	slices.Sort(list)
	return list
}

// MapOf returns the colour map of a name, nil if there is none.
func MapOf(name string) *Map {
	line, ok := mapLines()[name]
	reversed := false
	if !ok {
		if line, reversed = mapLines()[strings.TrimSuffix(name, "_r")]; !reversed || !strings.HasSuffix(name, "_r") {
			return nil
		}
	}
	fields := strings.Fields(line)
	anchors := fields[1:]
	m := &Map{Name: name}
	if strings.HasPrefix(fields[0], "@") {
		for _, hex := range anchors {
			c, _ := parseHex(hex)
			m.colors = append(m.colors, c)
		}
	} else {
		m.colors = interpolated(anchors)
	}
	if reversed {
		slices.Reverse(m.colors)
	}
	return m
}

// NewMap is a map between colours that are evenly apart, or, if single is set, of these alone.
func NewMap(name string, colors []Color, single bool) *Map {
	if single {
		return &Map{Name: name, colors: slices.Clone(colors)}
	}
	m := &Map{Name: name, colors: make([]Color, levels)}
	for i := range m.colors {
		at := float64(i) / (levels - 1) * float64(len(colors)-1)
		k := min(int(at), max(len(colors)-2, 0))
		m.colors[i] = between(colors[k], colors[min(k+1, len(colors)-1)], at-float64(k))
	}
	return m
}

// interpolated are the colours between anchors, "0.25:ff0000" with a place, or "ff0000".
func interpolated(anchors []string) []Color {
	places, colors := make([]float64, len(anchors)), make([]Color, len(anchors))
	for i, a := range anchors {
		place, hex, with := strings.Cut(a, ":")
		if with {
			places[i], _ = strconv.ParseFloat(place, 64)
		} else {
			places[i], hex = float64(i)/float64(len(anchors)-1), a
		}
		colors[i], _ = parseHex(hex)
	}
	out := make([]Color, levels)
	k := 0
	for i := range out {
		x := float64(i) / (levels - 1)
		for k < len(places)-2 && x >= places[k+1] {
			k++
		}
		out[i] = between(colors[k], colors[k+1], (x-places[k])/(places[k+1]-places[k]))
	}
	return out
}

func between(a, b Color, t float64) Color {
	mix := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + t*(float64(y)-float64(x)))) }
	return rgba(mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), mix(a.A, b.A))
}

// At is the colour of x from 0 to 1; what lies outside has that of the nearer end.
func (m *Map) At(x float64) Color {
	if math.IsNaN(x) {
		return m.Bad
	}
	n := float64(len(m.colors))
	return m.colors[int(min(max(math.Floor(x*n), 0), n-1))]
}

// N is how many colours the map has.
func (m *Map) N() int { return len(m.colors) }

// Color is one of them.
func (m *Map) Color(i int) Color { return m.colors[min(max(i, 0), len(m.colors)-1)] }

// Reversed is the map from its last colour to its first.
func (m *Map) Reversed() *Map {
	out := &Map{Name: m.Name + "_r", Bad: m.Bad, colors: slices.Clone(m.colors)}
	slices.Reverse(out.colors)
	return out
}

// Resampled is the map in n colours.
func (m *Map) Resampled(n int) *Map {
	out := &Map{Name: m.Name, Bad: m.Bad}
	for i := range n {
		out.colors = append(out.colors, m.At(float64(i)/float64(max(n-1, 1))))
	}
	return out
}
