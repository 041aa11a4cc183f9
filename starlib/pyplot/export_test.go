package pyplot

import (
	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/draw"
	"github.com/arignote/arignote/starlib/session"
)

// Ticks are the ticks of the current axes of a session, as they are drawn.
func Ticks(s *session.Session) (x, y []plot.Tick, commonX, commonY string, limits [4]float64) {
	st := stateOf(s)
	a := st.figures[len(st.figures)-1].f.Current
	f := a.Figure
	draw.Settle(f)
	w, h := draw.AxesSize(a)
	x, commonX = a.X.TicksOf(w)
	y, commonY = a.Y.TicksOf(h)
	return x, y, commonX, commonY, [4]float64{a.X.Lo, a.X.Hi, a.Y.Lo, a.Y.Hi}
}

// BeforeShow has f be called before the figures of the session are shown for the first time.
func BeforeShow(s *session.Session, f func()) { stateOf(s).before = f }
