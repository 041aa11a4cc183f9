package draw

import "github.com/arignote/arignote/plot/palette"

func faded(c Color, alpha float64) Color {
	if alpha >= 1 {
		return c
	}
	return palette.Faded(c, alpha)
}
