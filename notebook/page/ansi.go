package page

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
)

// escape is a sequence for terminals: of colours if it ends with m and begins with [.
var escape = regexp.MustCompile("\x1b(?:\\[([0-9;:]*)([ -/]*[@-~])|\\][^\a\x1b]*(?:\a|\x1b\\\\)?|[ -/]+[0-~]|[@-Z\\\\^_]|$)")

// A look is how text on a terminal looks.
type look struct {
	fore, back                               colour
	bold, faint, italic, underlined, inverse bool
}

// A colour is one of the terminal's sixteen by its class, or any other by its value.
type colour struct{ class, value string }

// terminal is the HTML of text that was written for a terminal: with its colours, and of lines that
// were written over what remained.
func terminal(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		lines[i] = line[strings.LastIndexByte(line, '\r')+1:]
	}
	text = strings.Join(lines, "\n")
	var b strings.Builder
	var now look
	end := 0
	for _, m := range escape.FindAllStringSubmatchIndex(text, -1) {
		now.write(&b, text[end:m[0]])
		end = m[1]
		if m[4] >= 0 && text[m[4]:m[5]] == "m" {
			now.set(strings.FieldsFunc("0"+text[m[2]:m[3]], func(r rune) bool { return r == ';' || r == ':' }))
			if text[m[2]:m[3]] == "" {
				now = look{}
			}
		}
	}
	now.write(&b, text[end:])
	return b.String()
}

// write writes text in its look, without what no page may have.
func (l look) write(b *strings.Builder, text string) {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text)
	if text == "" {
		return
	}
	text = html.EscapeString(text)
	if attributes := l.attributes(); attributes != "" {
		text = "<span" + attributes + ">" + text + "</span>"
	}
	b.WriteString(text)
}

func (l look) attributes() string {
	fore, back := l.fore, l.back
	var classes, styles []string
	for _, has := range []struct {
		is   bool
		name string
	}{{l.bold, "bold"}, {l.faint, "faint"}, {l.italic, "italic"}, {l.underlined, "underlined"}} {
		if has.is {
			classes = append(classes, has.name)
		}
	}
	if l.inverse {
		fore, back = back, fore
		if fore == (colour{}) {
			classes = append(classes, "inverse-fore")
		}
		if back == (colour{}) {
			classes = append(classes, "inverse-back")
		}
	}
	for _, c := range []struct {
		colour
		class, style string
	}{{fore, "fore-", "color"}, {back, "back-", "background"}} {
		if c.colour.class != "" {
			classes = append(classes, c.class+c.colour.class)
		}
		if c.value != "" {
			styles = append(styles, c.style+":"+c.value)
		}
	}
	text := ""
	if len(classes) > 0 {
		text += ` class="` + strings.Join(classes, " ") + `"`
	}
	if len(styles) > 0 {
		text += ` style="` + strings.Join(styles, ";") + `"`
	}
	return text
}

// set applies the numbers of a sequence.
func (l *look) set(codes []string) {
	for len(codes) > 0 {
		n, _ := strconv.Atoi(codes[0]) // digits; what is too large is nothing that is known
		codes = codes[1:]
		switch {
		case n == 0:
			*l = look{}
		case n == 1:
			l.bold = true
		case n == 2:
			l.faint = true
		case n == 3:
			l.italic = true
		case n == 4:
			l.underlined = true
		case n == 7:
			l.inverse = true
		case n == 22:
			l.bold, l.faint = false, false
		case n == 23:
			l.italic = false
		case n == 24:
			l.underlined = false
		case n == 27:
			l.inverse = false
		case n >= 30 && n <= 37, n >= 90 && n <= 97:
			l.fore = sixteen(n%10 + (n/90)*8)
		case n >= 40 && n <= 47, n >= 100 && n <= 107:
			l.back = sixteen(n%10 + (n/100)*8)
		case n == 38:
			l.fore, codes = extended(codes)
		case n == 48:
			l.back, codes = extended(codes)
		case n == 39:
			l.fore = colour{}
		case n == 49:
			l.back = colour{}
		}
	}
}

func sixteen(n int) colour { return colour{class: strconv.Itoa(n)} }

// extended reads 5;n, one of 256 colours, or 2;r;g;b.
func extended(codes []string) (colour, []string) {
	n := make([]int, len(codes))
	for i, c := range codes {
		n[i], _ = strconv.Atoi(c)
		n[i] = min(n[i], 255)
	}
	switch {
	case len(n) >= 4 && n[0] == 2:
		return colour{value: fmt.Sprintf("#%02x%02x%02x", n[1], n[2], n[3])}, codes[4:]
	case len(n) >= 2 && n[0] == 5 && n[1] < 16:
		return sixteen(n[1]), codes[2:]
	case len(n) >= 2 && n[0] == 5 && n[1] >= 232:
		grey := 8 + 10*(n[1]-232)
		return colour{value: fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)}, codes[2:]
	case len(n) >= 2 && n[0] == 5:
		step := func(i int) int { return []int{0, 95, 135, 175, 215, 255}[i%6] }
		return colour{value: fmt.Sprintf("#%02x%02x%02x", step((n[1]-16)/36), step((n[1]-16)/6), step(n[1]-16))}, codes[2:]
	}
	return colour{}, nil
}
