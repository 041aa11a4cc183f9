package palette

import (
	_ "embed"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Color is not multiplied by its alpha, which is 0 where nothing is drawn.
type Color = color.NRGBA

// Colours that everything uses; None is drawn by nothing.
var (
	Black = Color{A: 255}
	White = rgba(255, 255, 255, 255)
	None  = Color{}
)

func rgba(r, g, b, a uint8) Color { return Color{R: r, G: g, B: b, A: a} }

//go:embed names.txt
var namesText string

// names are the colours of names.txt.
var names = sync.OnceValue(func() map[string]Color {
	m := make(map[string]Color, 200)
	for line := range strings.Lines(namesText) {
		name, hex, _ := strings.Cut(strings.TrimSpace(line), " ")
		c, _ := parseHex(hex)
		m[name] = c
		if strings.Contains(name, "gray") { // both spellings
			m[strings.Replace(name, "gray", "grey", 1)] = c
		}
	}
	return m
})

// Names are the colours that have names, sorted.
func Names() []string {
	var list []string
	for name := range names() {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// Cycle are the colours that lines without one take in turn, C0 to C9.
var Cycle = []Color{
	rgba(0x1f, 0x77, 0xb4, 255), rgba(0xff, 0x7f, 0x0e, 255), rgba(0x2c, 0xa0, 0x2c, 255), rgba(0xd6, 0x27, 0x28, 255), rgba(0x94, 0x67, 0xbd, 255),
	rgba(0x8c, 0x56, 0x4b, 255), rgba(0xe3, 0x77, 0xc2, 255), rgba(0x7f, 0x7f, 0x7f, 255), rgba(0xbc, 0xbd, 0x22, 255), rgba(0x17, 0xbe, 0xcf, 255),
}

var errColor = errors.New("no colour")

// Parse reads a colour that a text names: "red", "k", "C3", "tab:blue", "#1f77b4", "#08f", with an
// alpha "#1f77b480", a grey from "0" to "1", or "none".
func Parse(s string) (Color, error) {
	if c, ok := names()[s]; ok {
		return c, nil
	}
	if c, ok := names()[strings.ToLower(s)]; ok && len(s) > 1 {
		return c, nil
	}
	switch {
	case strings.EqualFold(s, "none"):
		return None, nil
	case len(s) > 1 && s[0] == 'C':
		if n, err := strconv.Atoi(s[1:]); err == nil && n >= 0 {
			return Cycle[n%len(Cycle)], nil
		}
	case strings.HasPrefix(s, "#"):
		if c, ok := parseHex(s[1:]); ok {
			return c, nil
		}
	default:
		if g, err := strconv.ParseFloat(s, 64); err == nil && g >= 0 && g <= 1 {
			return Of(g, g, g, 1), nil
		}
	}
	return None, errColor
}

func parseHex(s string) (Color, bool) {
	if len(s) == 3 || len(s) == 4 {
		var twice []byte
		for i := range len(s) {
			twice = append(twice, s[i], s[i])
		}
		s = string(twice)
	}
	n, err := strconv.ParseUint(s, 16, 32)
	switch {
	case err != nil:
		return None, false
	case len(s) == 6:
		return rgba(uint8(n>>16), uint8(n>>8), uint8(n), 255), true
	case len(s) == 8:
		return rgba(uint8(n>>24), uint8(n>>16), uint8(n>>8), uint8(n)), true
	}
	return None, false
}

// Of is the colour of so much red, green, blue and alpha, each from 0 to 1.
func Of(r, g, b, a float64) Color {
	level := func(x float64) uint8 { return uint8(math.Round(255 * min(max(x, 0), 1))) }
	return rgba(level(r), level(g), level(b), level(a))
}

// Faded is c with its alpha multiplied.
func Faded(c Color, alpha float64) Color {
	c.A = uint8(math.Round(float64(c.A) * min(max(alpha, 0), 1)))
	return c
}

// Hex is how texts name c: "#1f77b4".
func Hex(c Color) string {
	if c.A == 255 {
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
}

// Luminance is how bright c is, from 0 to 1.
func Luminance(c Color) float64 {
	return (0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)) / 255
}
