package draw

import (
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The font's measures in sizes.
const (
	ascent     = 0.729 // of capital letters and figures
	descent    = 0.212
	lineHeight = 1.2
)

// typeface is the one font of figures, read when it is first needed.
type typeface struct {
	mu     sync.Mutex
	font   *sfnt.Font
	buf    sfnt.Buffer
	widths map[rune]float64
	paths  map[rune]trace
}

var face = sync.OnceValue(func() *typeface {
	f, err := sfnt.Parse(liberationsansregular.TTF)
	if err != nil {
		panic("BUG: the font is broken: " + err.Error())
	}
	return &typeface{font: f, widths: map[rune]float64{}, paths: map[rune]trace{}}
})

// unit is the size at which glyphs are read.
const unit = 1000

// width is how wide text is in one size.
func (t *typeface) width(s string) float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := 0.0
	for _, r := range s {
		x, ok := t.widths[r]
		if !ok {
			g, _ := t.font.GlyphIndex(&t.buf, r)
			a, err := t.font.GlyphAdvance(&t.buf, g, fixed.I(unit), font.HintingNone)
			if x = float64(a) / 64 / unit; err != nil {
				x = 0.5
			}
			t.widths[r] = x
		}
		w += x
	}
	return w
}

// boldness is how much wider letters are that are drawn bold, in sizes.
const boldness = 0.05

// advance is how wide text is in one size, bold or not.
func advance(s string, bold bool) float64 {
	w := face().width(s)
	if bold {
		w += boldness * float64(utf8.RuneCountInString(s))
	}
	return w
}

// outline is the shape of a letter in one size, its baseline beginning at the origin.
func (t *typeface) outline(r rune) trace {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p, ok := t.paths[r]; ok {
		return p
	}
	var p trace
	if g, err := t.font.GlyphIndex(&t.buf, r); err == nil {
		segments, err := t.font.LoadGlyph(&t.buf, g, fixed.I(unit), nil)
		if err == nil {
			p = outlineOf(segments)
		}
	}
	t.paths[r] = p
	return p
}

func outlineOf(segments sfnt.Segments) trace {
	var p trace
	point := func(q fixed.Point26_6) pt { return at(float64(q.X)/64/unit, -float64(q.Y)/64/unit) }
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				p.Close()
			}
			p.Move(point(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			p.Line(point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			p.QuadTo(point(s.Args[0]), point(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			p.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
		}
	}
	if p != nil {
		p.Close()
	}
	return p
}

// path is the outline of a run, for canvases that have no letters. Bold letters are drawn three
// times, side by side, and italic ones lean.
func (r run) path() trace {
	var p trace
	lean := 0.0
	if r.italic {
		lean = 0.2
	}
	sin, cos := math.Sincos(r.angle)
	times := []float64{0}
	if r.bold {
		times = []float64{0, boldness / 2, boldness}
	}
	x := 0.0
	for _, c := range r.text {
		for _, shift := range times {
			place := func(q pt) pt {
				u := (x + shift + q.X + lean*q.Y) * r.size
				v := q.Y * r.size
				return at(r.x+u*cos-v*sin, r.y+u*sin+v*cos)
			}
			for _, s := range face().outline(c) {
				s.Pos = place(s.Pos)
				control := make([]pt, len(s.Control))
				for i, q := range s.Control {
					control[i] = place(q)
				}
				s.Control = control
				p = append(p, s)
			}
		}
		x += advance(string(c), r.bold)
	}
	return p
}

// A piece is a part of a line: text at a size and a height, in sizes of the line.
type piece struct {
	text   string
	x, y   float64
	scale  float64
	italic bool
}

// A line of text, measured in one size.
type textLine struct {
	pieces []piece
	bold   bool
	width  float64
	high   float64 // how far above the baseline it reaches
}

// layout splits text into lines, and lines into pieces: $...$ holds formulas, of which powers,
// indexes, Greek letters and signs are known.
func layout(s string, bold bool) []textLine {
	var lines []textLine
	for line := range strings.SplitSeq(s, "\n") {
		l := textLine{high: ascent, bold: bold}
		for i, part := range splitMath(line) {
			if i%2 == 0 {
				l.add(part, 0, 1, false)
			} else {
				l.formula(part, 0, 1)
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// splitMath are the parts of a line, of which the odd ones stood between dollars.
func splitMath(s string) []string {
	s = strings.ReplaceAll(s, `\$`, "\x00")
	parts := strings.Split(s, "$")
	if len(parts)%2 == 0 { // a single dollar is one
		parts = []string{s}
	}
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], "\x00", "$")
	}
	return parts
}

func (l *textLine) add(text string, y, scale float64, italic bool) {
	if text == "" {
		return
	}
	l.pieces = append(l.pieces, piece{text, l.width, y, scale, italic})
	l.width += advance(text, l.bold) * scale
	l.high = max(l.high, y+ascent*scale)
}

// formula adds what is between dollars.
func (l *textLine) formula(s string, y, scale float64) {
	for s != "" {
		var token string
		token, s = nextToken(s)
		switch token {
		case "^", "_":
			var arg string
			arg, s = nextToken(s)
			up := 0.38
			if token == "_" {
				up = -0.16
			}
			l.formula(inner(arg), y+up*scale, scale*0.7)
		case `\frac`, `\dfrac`, `\tfrac`:
			var a, b string
			a, s = nextToken(s)
			b, s = nextToken(s)
			l.formula(inner(a), y+0.38*scale, scale*0.7)
			l.add("/", y, scale, false)
			l.formula(inner(b), y-0.16*scale, scale*0.7)
		case `\sqrt`:
			var a string
			a, s = nextToken(s)
			l.add("\u221a", y, scale, false)
			l.formula(inner(a), y, scale)
		case `\mathrm`, `\mathdefault`, `\mathbf`, `\text`, `\mathit`, `\mathcal`, `\mathbb`, `\operatorname`, `\mathsf`, `\mathtt`:
			var a string
			a, s = nextToken(s)
			l.add(inner(a), y, scale, token == `\mathit`)
		case `\left`, `\right`, `\displaystyle`, " ":
		default:
			l.symbol(token, y, scale)
		}
	}
}

func (l *textLine) symbol(token string, y, scale float64) {
	if sign, ok := symbols[token]; ok {
		l.add(sign, y, scale, false)
		return
	}
	if strings.HasPrefix(token, "{") {
		l.formula(inner(token), y, scale)
		return
	}
	if strings.HasPrefix(token, `\`) { // \sin, \log
		l.add(token[1:], y, scale, false)
		return
	}
	switch token {
	case "-":
		token = "\u2212"
	case "*":
		token = "\u2217"
	}
	letter := len(token) == 1 && (token[0]|0x20 >= 'a' && token[0]|0x20 <= 'z')
	spaced := strings.Contains("=<>+\u2212", token) && scale == 1
	if spaced {
		token = "\u2009" + token + "\u2009"
	}
	l.add(token, y, scale, letter)
}

// nextToken takes a group in braces, a command or a character.
func nextToken(s string) (token, rest string) {
	switch {
	case s == "":
		return "", ""
	case s[0] == '{':
		depth := 0
		for i := range len(s) {
			switch s[i] {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					return s[:i+1], s[i+1:]
				}
			}
		}
		return s + "}", ""
	case s[0] == '\\':
		n := 1
		for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
			n++
		}
		if n == 1 && len(s) > 1 {
			n = 2
		}
		return s[:n], strings.TrimPrefix(s[n:], " ")
	}
	for i := range s {
		if i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

func inner(token string) string {
	if strings.HasPrefix(token, "{") {
		return token[1 : len(token)-1]
	}
	return token
}

// symbols are commands of formulas.
var symbols = map[string]string{
	`\alpha`: "α", `\beta`: "β", `\gamma`: "γ", `\delta`: "δ", `\epsilon`: "ε", `\varepsilon`: "ε", `\zeta`: "ζ", `\eta`: "η", `\theta`: "θ",
	`\vartheta`: "ϑ", `\iota`: "ι", `\kappa`: "κ", `\lambda`: "λ", `\mu`: "μ", `\nu`: "ν", `\xi`: "ξ", `\pi`: "π", `\rho`: "ρ", `\sigma`: "σ",
	`\tau`: "τ", `\upsilon`: "υ", `\phi`: "φ", `\varphi`: "φ", `\chi`: "χ", `\psi`: "ψ", `\omega`: "ω", `\Gamma`: "Γ", `\Delta`: "Δ",
	`\Theta`: "Θ", `\Lambda`: "Λ", `\Xi`: "Ξ", `\Pi`: "Π", `\Sigma`: "Σ", `\Phi`: "Φ", `\Psi`: "Ψ", `\Omega`: "Ω",
	`\times`: "×", `\cdot`: "·", `\pm`: "±", `\mp`: "∓", `\div`: "÷", `\leq`: "≤", `\le`: "≤", `\geq`: "≥", `\ge`: "≥", `\neq`: "≠", `\ne`: "≠",
	`\approx`: "≈", `\sim`: "~", `\equiv`: "≡", `\propto`: "∝", `\infty`: "∞", `\partial`: "∂", `\nabla`: "∇", `\sum`: "∑", `\prod`: "∏",
	`\int`: "∫", `\to`: "→", `\rightarrow`: "→", `\leftarrow`: "←", `\in`: "∈", `\ll`: "≪", `\gg`: "≫", `\langle`: "⟨", `\rangle`: "⟩",
	`\degree`: "°", `\circ`: "∘", `\ldots`: "…", `\dots`: "…", `\prime`: "′", `\%`: "%", `\,`: "\u2009", `\;`: " ", `\ `: " ", `\quad`: "  ",
	`\{`: "{", `\}`: "}", `\|`: "‖", `\_`: "_", `\#`: "#", `\&`: "&", `\hbar`: "ħ", `\ell`: "ℓ", `\ast`: "∗", `\star`: "★",
}
