package np

import (
	"fmt"
	"html"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
)

// htmlMost is the largest number of rows and columns that are shown as a table.
const htmlMost = 20

// MimeBundle shows a small matrix as a table, and every array as text.
func (a *Array) MimeBundle() map[string]any {
	bundle := map[string]any{"text/plain": a.String()}
	if a.d.Rank() == 2 && a.d.Size() > 0 && a.d.Dim(0) <= htmlMost && a.d.Dim(1) <= htmlMost {
		bundle["text/html"] = htmlMatrix(a.d, a.printing())
	}
	return bundle
}

// htmlMatrix writes a table that looks the same where styles and scripts are removed.
func htmlMatrix(d *tensor.Dense, o *printOptions) string {
	format := o.elementFormat(d)
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

// aligned is an element's text without the spaces before it. Those behind it stand for digits, and keep the points of a column in line:
// they become spaces of the width of a digit, which HTML does not collapse.
func aligned(text string) string {
	text = strings.TrimLeft(text, " ")
	number := strings.TrimRight(text, " ")
	return number + strings.Repeat("\u2007", len(text)-len(number))
}
