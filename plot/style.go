package plot

import (
	"maps"
	"slices"

	"github.com/arignote/arignote/plot/palette"
)

// A Style is the defaults of new figures: what plt.rcParams and plt.style.use set.
type Style struct {
	Width, Height, DPI float64
	Tight              bool
	FigureFace         Color
	AxesFace           Color
	Text               Color
	Edge               Color
	Cycle              []Color
	Line               *Color // of lines that take none of the cycle; nil: the first of it
	LineWidth          float64
	LineStyle          string
	Marker             string
	MarkerSize         float64
	Size               float64 // of fonts
	TitleSize          float64 // of axes; 0: 1.2 sizes
	LabelSize          float64 // 0: Size
	TickSize           float64 // 0: Size
	LegendSize         float64
	TitleBold          bool
	SpineWidth         float64
	NoSpines           []string
	TickWidth          float64
	TickColor          Color
	TickDirection      string
	NoTickMarks        bool
	MinorTicks         bool
	Grid               bool
	GridPen            Pen
	Margin             float64
	Map                string
	Smooth             bool // images
	OriginBelow        bool
	Bins               int
	CapSize            float64
	PatchEdge          *Pen
	LegendFrame        bool
	AxesBelow          bool
}

func (s *Style) tickSize() float64 {
	if s.TickSize == 0 || s.Size == 0 {
		return 1
	}
	return s.TickSize / s.Size
}

// LineColor is the colour of lines that take none of the cycle.
func (s *Style) LineColor() Color {
	if s.Line != nil {
		return *s.Line
	}
	return s.Cycle[0]
}

// Cloned is a copy that may be changed.
func (s *Style) Cloned() *Style {
	c := *s
	c.Cycle = slices.Clone(s.Cycle)
	return &c
}

// DefaultStyle is matplotlib's.
func DefaultStyle() *Style {
	return &Style{Width: 6.4, Height: 4.8, DPI: 100, FigureFace: palette.White, AxesFace: palette.White, Text: palette.Black, Edge: palette.Black,
		Cycle: palette.Cycle, LineWidth: 1.5, LineStyle: "-", MarkerSize: 6, Size: 10, SpineWidth: 0.8, TickWidth: 0.8, TickColor: palette.Black,
		TickDirection: "out", GridPen: Pen{Color: hex("b0b0b0"), Width: 0.8}, Margin: 0.05, Map: "viridis", Bins: 10, LegendFrame: true}
}

func hex(s string) Color {
	c, _ := palette.Parse("#" + s)
	return c
}

func hexes(list ...string) []Color {
	out := make([]Color, len(list))
	for i, s := range list {
		out[i] = hex(s)
	}
	return out
}

// styles are what a style's name changes of the default.
var styles = map[string]func(s *Style){
	"default": func(s *Style) { *s = *DefaultStyle() },
	"fast":    func(*Style) {},
	"classic": func(s *Style) {
		s.Cycle = []Color{hex("0000ff"), hex("008000"), hex("ff0000"), hex("00bfbf"), hex("bf00bf"), hex("bfbf00"), hex("000000")}
		s.Width, s.Height, s.LineWidth, s.TickDirection, s.Map, s.Margin = 8, 6, 1, "in", "jet", 0
		s.FigureFace = hex("bfbfbf")
	},
	"ggplot": func(s *Style) {
		s.Cycle = hexes("e24a33", "348abd", "988ed5", "777777", "fbc15e", "8eba42", "ffb5b8")
		s.AxesFace, s.Edge, s.SpineWidth, s.Grid, s.AxesBelow = hex("e5e5e5"), palette.White, 1, true, true
		s.GridPen = Pen{Color: palette.White, Width: 0.8}
		s.TickColor, s.TitleSize = hex("555555"), 14.4
	},
	"dark_background": func(s *Style) {
		s.Cycle = hexes("8dd3c7", "feffb3", "bfbbd9", "fa8174", "81b1d2", "fdb462", "b3de69", "bc82bd", "ccebc4", "ffed6f")
		s.FigureFace, s.AxesFace, s.Text, s.Edge, s.TickColor = palette.Black, palette.Black, palette.White, palette.White, palette.White
		s.GridPen.Color, s.Line = palette.White, &palette.White
	},
	"fivethirtyeight": func(s *Style) {
		s.Cycle = hexes("008fd5", "fc4f30", "e5ae38", "6d904f", "8b8b8b", "810f7c")
		s.FigureFace, s.AxesFace, s.Edge = hex("f0f0f0"), hex("f0f0f0"), hex("f0f0f0")
		s.LineWidth, s.Size, s.SpineWidth, s.Grid, s.NoTickMarks, s.AxesBelow = 4, 14, 3, true, true, true
		s.GridPen = Pen{Color: hex("cbcbcb"), Width: 1}
		s.TitleSize = 17
	},
	"bmh": func(s *Style) {
		s.Cycle = hexes("348abd", "a60628", "7a68a6", "467821", "d55e00", "cc79a7", "56b4e9", "009e73", "f0e442", "0072b2")
		s.AxesFace, s.Edge, s.LineWidth, s.Grid = hex("eeeeee"), hex("bcbcbc"), 2, true
		s.GridPen = Pen{Color: hex("b2b2b2"), Width: 0.5, Dash: dashes["--"]}
	},
	"grayscale": func(s *Style) {
		s.Cycle = []Color{hex("000000"), hex("666666"), hex("999999"), hex("b3b3b3")}
		s.FigureFace, s.Map = hex("bfbfbf"), "gray"
	},
	"tableau-colorblind10": func(s *Style) {
		s.Cycle = hexes("006ba4", "ff800e", "ababab", "595959", "5f9ed1", "c85200", "898989", "a2c8ec", "ffbc79", "cfcfcf")
	},
	"seaborn-v0_8": func(s *Style) {
		styleSeaborn(s)
		s.AxesFace, s.GridPen.Color = hex("eaeaf2"), palette.White
		s.Edge = palette.White
	},
	"seaborn-v0_8-darkgrid": func(s *Style) {
		styleSeaborn(s)
		s.AxesFace, s.GridPen.Color, s.Edge = hex("eaeaf2"), palette.White, palette.White
	},
	"seaborn-v0_8-whitegrid": func(s *Style) {
		styleSeaborn(s)
		s.GridPen.Color, s.Edge = hex("cccccc"), hex("cccccc")
	},
	"seaborn-v0_8-colorblind": func(s *Style) {
		s.Cycle = hexes("0072b2", "009e73", "d55e00", "cc79a7", "f0e442", "56b4e9")
	},
}

func styleSeaborn(s *Style) {
	s.Cycle = hexes("4c72b0", "55a868", "c44e52", "8172b2", "ccb974", "64b5cd")
	s.Grid, s.NoTickMarks, s.AxesBelow = true, true, true
	s.GridPen.Width, s.TickColor, s.Text = 1, hex("262626"), hex("262626")
}

// StyleNames are the names that Use knows, sorted.
func StyleNames() []string {
	return slices.Sorted(maps.Keys(styles))
}

// Use changes the style as its name says; it reports whether there is such a style.
func (s *Style) Use(name string) bool {
	for _, prefix := range []string{"", "seaborn-v0_8-"} {
		full := prefix + name
		if prefix != "" && len(name) > 8 && name[:8] == "seaborn-" {
			full = prefix + name[8:]
		}
		if change, ok := styles[full]; ok {
			change(s)
			return true
		}
	}
	if name == "seaborn" {
		styles["seaborn-v0_8"](s)
		return true
	}
	return false
}
