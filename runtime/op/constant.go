package op

// every reports whether v is a constant, perhaps with more axes, all of whose elements are as they
// should be.
func every(v V, holds func(x float64) bool) bool {
	v = unshuffled(v)
	if !v.IsConstant() {
		return false
	}
	for _, x := range v.Data.Floats() {
		if !holds(x) {
			return false
		}
	}
	return v.Data.Size() > 0
}

// unshuffled is what v has the elements of, without the axes that a DimShuffle adds.
func unshuffled(v V) V {
	if _, ok := v.Op().(DimShuffle); ok {
		return v.Owner.Inputs[0]
	}
	return v
}
