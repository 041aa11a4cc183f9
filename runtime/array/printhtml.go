package array

import (
	"fmt"
	"html"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
)

// HTML writes a matrix as a table that looks the same where styles and scripts are removed.
func (o *Printer) HTML(d *tensor.Dense) string {
	format := o.Element(d)
	var s strings.Builder
	s.WriteString("<table>\n")
	for i := range d.Dim(0) {
		s.WriteString("<tr>")
		for j := range d.Dim(1) {
			e, err := d.Subscript(tensor.Index{At: &i}, tensor.Index{At: &j})
			if err != nil {
				panic("BUG: " + err.Error())
			}
			fmt.Fprintf(&s, "<td align=\"right\">%s</td>", html.EscapeString(aligned(format(e))))
		}
		s.WriteString("</tr>\n")
	}
	fmt.Fprintf(&s, "</table>\n<div>%s %s</div>", d.DType(), tensor.ShapeString(d.Shape()))
	return s.String()
}

// aligned is an element's text without the spaces before it. Those behind it stand for digits, and
// keep the points of a column in line: they become spaces of the width of a digit, which HTML does
// not collapse.
func aligned(text string) string {
	text = strings.TrimLeft(text, " ")
	number := strings.TrimRight(text, " ")
	return number + strings.Repeat("\u2007", len(text)-len(number))
}
