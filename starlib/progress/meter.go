package progress

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A meter is what a bar shows at a moment.
type meter struct {
	n, total float64 // total is nan if it is unknown
	elapsed  float64 // seconds
	desc     string
	unit     string
	scale    bool // counts are written with k, M, G
	divisor  float64
	rate     float64 // a second; nan for n by elapsed
	initial  float64
	postfix  string
	ascii    bool
	width    int // of the bar, in characters
}

const barWidth = 10

// scaleBy is unit_scale: True has counts in three digits, another number multiplies them.
func (m *meter) scaleBy(v starlark.Value) {
	factor := 1.0
	if _, isBool := v.(starlark.Bool); !isBool && v != nil {
		factor, _ = starlark.AsFloat(value.NumberOf(v))
	}
	if m.scale = isTrue(v) && factor == 1; m.scale || factor == 0 {
		return
	}
	if !m.known() {
		m.total = math.NaN()
	}
	m.n, m.total, m.rate = m.n*factor, m.total*factor, m.rate*factor
}

// known reports whether there is a total that n has not passed.
func (m *meter) known() bool { return !math.IsNaN(m.total) && m.total > 0 && m.n < m.total+0.5 }

// counts are n and total as text.
func (m *meter) counts() (n, total string) {
	if m.scale {
		n, total = sizeOf(m.n, m.divisor), "?"
		if !math.IsNaN(m.total) {
			total = sizeOf(m.total, m.divisor)
		}
		return n, total
	}
	n, total = plainNumber(m.n), "?"
	if m.known() {
		total = plainNumber(m.total)
	}
	return n, total
}

func plainNumber(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// speed is a rate as text: steps a second, or seconds a step where that is more.
func (m *meter) speed(rate float64) string {
	switch {
	case !(rate > 0) || math.IsInf(rate, 0):
		return "?" + m.unit + "/s"
	case rate < 1:
		return fmt.Sprintf("%5.2fs/%s", 1/rate, m.unit)
	case m.scale:
		return sizeOf(rate, m.divisor) + m.unit + "/s"
	}
	return fmt.Sprintf("%5.2f%s/s", rate, m.unit)
}

// tail is what stands behind the bar, without the counts where there is no total.
func (m *meter) tail() string {
	rate := m.rate
	if math.IsNaN(rate) && m.elapsed > 0 {
		rate = (m.n - m.initial) / m.elapsed
	}
	n, total := m.counts()
	post := ""
	if m.postfix != "" {
		post = ", " + m.postfix
	}
	if !m.known() {
		return fmt.Sprintf("%s%s [%s, %s%s]", n, m.unit, interval(m.elapsed), m.speed(rate), post)
	}
	left := "?"
	if rate > 0 {
		left = interval((m.total - m.n) / rate)
	}
	return fmt.Sprintf("%s/%s [%s<%s, %s%s]", n, total, interval(m.elapsed), left, m.speed(rate), post)
}

// head is the description with a colon, "" if there is none.
func (m *meter) head() string {
	if m.desc == "" {
		return ""
	}
	return strings.TrimSuffix(m.desc, ": ") + ": "
}

// text is the line.
func (m *meter) text() string {
	if !m.known() {
		return m.head() + m.tail()
	}
	part := m.n / m.total
	return fmt.Sprintf("%s%3.0f%%|%s| %s", m.head(), 100*part, m.bar(part), m.tail())
}

// bar draws a part of 1.
func (m *meter) bar(part float64) string {
	signs := []rune(" ▏▎▍▌▋▊▉█")
	if m.ascii {
		signs = []rune(" 123456789#")
	}
	steps := len(signs) - 1
	full, rest := int(part*float64(m.width*steps))/steps, int(part*float64(m.width*steps))%steps
	full = min(max(full, 0), m.width)
	out := strings.Repeat(string(signs[steps]), full)
	if full < m.width {
		out += string(signs[max(rest, 0)]) + strings.Repeat(" ", m.width-full-1)
	}
	return out
}

// page is the line as HTML: the bar is the page's own.
func (m *meter) page() string {
	const mono = `style="font-family:monospace"`
	if !m.known() {
		return "<div " + mono + ">" + html.EscapeString(m.text()) + "</div>"
	}
	return fmt.Sprintf(`<div %s>%s%3.0f%% <progress value="%s" max="%s"></progress> %s</div>`, mono, html.EscapeString(m.head()), 100*m.n/m.total,
		plainNumber(m.n), plainNumber(m.total), html.EscapeString(m.tail()))
}

// interval is a time in seconds as text: minutes and seconds, with hours if there are any.
func interval(seconds float64) string {
	if math.IsNaN(seconds) || seconds > 1e9 {
		return "?"
	}
	t := int(seconds)
	if h := t / 3600; h > 0 {
		return fmt.Sprintf("%d:%02d:%02d", h, t/60%60, t%60)
	}
	return fmt.Sprintf("%02d:%02d", t/60, t%60)
}

// sizeOf is a number in three digits, with k for thousands and so on.
func sizeOf(x, divisor float64) string {
	for _, unit := range []string{"", "k", "M", "G", "T", "P", "E", "Z"} {
		switch a := math.Abs(x); {
		case a < 9.995:
			return fmt.Sprintf("%1.2f%s", x, unit)
		case a < 99.95:
			return fmt.Sprintf("%2.1f%s", x, unit)
		case a < 999.5:
			return fmt.Sprintf("%3.0f%s", x, unit)
		}
		x /= divisor
	}
	return fmt.Sprintf("%3.1fY", x)
}

// shortNumber is a number in three digits, or as repr writes it if that is shorter.
func shortNumber(x float64, repr string) string {
	text := strings.NewReplacer("e+0", "e+", "e-0", "e-").Replace(fmt.Sprintf("%.3g", x))
	if len(text) < len(repr) {
		return text
	}
	return repr
}
