package special

import "math"

// twice is a number with twice the digits, of which low is what high lacks.
type twice struct{ high, low float64 }

// sumOf is x+y.
func sumOf(x, y float64) twice {
	s := x + y
	v := s - x
	return twice{s, (x - (s - v)) + (y - v)}
}

// joined is high+low, where low is small beside high.
func joined(high, low float64) twice {
	s := high + low
	return twice{s, low - (s - high)}
}

func (x twice) plus(y twice) twice {
	s := sumOf(x.high, y.high)
	return joined(s.high, s.low+(x.low+y.low))
}

func (x twice) times(y twice) twice {
	p := float64(x.high * y.high)
	return joined(p, math.FMA(x.high, y.high, -p)+(float64(x.high*y.low)+float64(x.low*y.high)))
}

// by is x times a single number.
func (x twice) by(y float64) twice { return x.times(twice{high: y}) }

func (x twice) over(y twice) twice {
	q := x.high / y.high
	r := math.FMA(-q, y.high, x.high) - float64(q*y.low) + x.low
	return joined(q, r/y.high)
}
