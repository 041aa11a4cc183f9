package pyplot

import (
	"cmp"
	"encoding/base64"
	"errors"
	"path/filepath"

	"github.com/arignote/arignote/plot/draw"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
)

// blockColumns is how wide figures are as text.
const blockColumns = 72

// showAtEnd has what is open when the running cell is over shown then. A script in Python shows
// nothing that it does not call show() for.
func (st *state) showAtEnd(s *session.Session) {
	cell := s.Cell()
	if cell == nil || cell == st.cell {
		return
	}
	st.cell = cell
	if filepath.Ext(cell.Name) == ".py" {
		return
	}
	cell.Show(func() { st.show(s) })
	cell.AtEnd(func() { st.figures, st.cell = nil, nil }) // also if it was interrupted
}

// show shows the open figures, in the order of their numbers, and closes them.
func (st *state) show(s *session.Session) {
	list := st.figures
	st.figures = nil
	if quiet, ok := s.Output().(interface{ ShowsFigures() bool }); ok && !quiet.ShowsFigures() {
		return
	}
	for n := 0; len(list) > 0; n++ {
		first := 0
		for i, f := range list {
			if f.num < list[first].num {
				first = i
			}
		}
		f := list[first]
		list = append(list[:first:first], list[first+1:]...)
		if !f.shown && len(f.f.Axes)+len(f.f.Texts) > 0 {
			data, meta := value.Bundle(f)
			s.Output().Display(data, meta, "", false)
		}
		f.shown = false
	}
}

// MimeBundle is the figure as SVG, as PNG with two pixels for one of the screen, or as one of them,
// as config.figure_format says, and as text. What cannot be drawn is said as text. An interrupt
// ends it by a panic with tensor.ErrStopped.
func (f *figure) MimeBundle() map[string]any {
	f.shown = true
	b := map[string]any{"text/plain": f.String()}
	f.failed = nil
	if err := cmp.Or(f.draw(b), f.failed); errors.Is(err, draw.ErrStopped) {
		panic(tensor.ErrStopped)
	} else if err != nil {
		return map[string]any{"text/plain": err.Error()}
	}
	return b
}

// draw adds the figure's forms to a bundle.
func (f *figure) draw(b map[string]any) error {
	text, err := draw.Blocks(f.f, blockColumns)
	if err != nil {
		return err
	}
	if text != "" {
		b["text/plain"] = text
	}
	format := f.st.format()
	if format != "png" {
		svg, err := draw.SVG(f.f, draw.Output{Tight: true})
		if err != nil {
			return err
		}
		b["image/svg+xml"] = string(svg)
	}
	if format != "svg" {
		png, w, h, err := draw.PNG(f.f, draw.Output{Tight: true, DPI: 2 * screenDPI})
		switch {
		case errors.Is(err, draw.ErrStopped):
			return err
		case err == nil: // else it is too large for pixels
			b["image/png"] = base64.StdEncoding.EncodeToString(png)
			b["metadata:image/png"] = map[string]any{"width": w / 2, "height": h / 2}
		}
	}
	return nil
}

// screenDPI is how many pixels an inch has on the screen, as matplotlib's notebooks show it.
const screenDPI = 100

// write writes a file that a program names.
func (c *call) write(path string, data []byte) error {
	return c.s.Files().Write(c.s.Path(path), data)
}
