package kernels

import (
	"math"
	"unsafe"
)

// rows holds the Go kernels over rows by operation and element type.
var rows = map[string][NumDTypes]RowsFunc{
	"softmax":    {Float32: eachRow(softmax[float32]), Float64: eachRow(softmax[float64])},
	"logsoftmax": {Float32: eachRow(logSoftmax[float32]), Float64: eachRow(logSoftmax[float64])},
}

// eachRow maps rows; an element costs about as much as sixteen additions.
func eachRow[T float](row func(z, x []T)) RowsFunc {
	return func(rows, cols int, dst, src unsafe.Pointer, stop Stop) bool {
		z, x := vec[T](dst, rows*cols), vec[T](src, rows*cols)
		work := 0
		for i := range rows {
			row(z[i*cols:(i+1)*cols], x[i*cols:(i+1)*cols])
			if work += 16 * cols; work >= pollInterval {
				work = 0
				if Stopped(stop) {
					return false
				}
			}
		}
		return true
	}
}

// softmax is exp(x - max(x)) / sum(exp(x - max(x))).
func softmax[T float](z, x []T) {
	m := float64(maxRow(x))
	sum := sumExp(x, m)
	for i, v := range x {
		z[i] = T(math.Exp(float64(v)-m) / sum)
	}
}

// logSoftmax is x - max(x) - log(sum(exp(x - max(x)))).
func logSoftmax[T float](z, x []T) {
	m := float64(maxRow(x))
	logSum := math.Log(sumExp(x, m))
	for i, v := range x {
		z[i] = T((float64(v) - m) - logSum)
	}
}

// sumExp is sum(exp(x - m)), as the sum of sums of leaf elements.
func sumExp[T float](x []T, m float64) float64 {
	sum := 0.0
	for len(x) > 0 {
		n := min(leaf, len(x))
		part := 0.0
		for _, v := range x[:n] {
			part += math.Exp(float64(v) - m)
		}
		sum += part
		x = x[n:]
	}
	return sum
}

var logSoftmaxAts = [NumDTypes]LogSoftmaxAtFunc{Float32: logSoftmaxAt[float32], Float64: logSoftmaxAt[float64]}

// BadLabel is the first position of a label that is not in [0, n), or -1.
func BadLabel(labels []int64, n int) int {
	for i, label := range labels {
		if uint64(label) >= uint64(n) {
			return i
		}
	}
	return -1
}

func logSoftmaxAt[T float](rows, cols int, logp, x unsafe.Pointer, labels []int64, z LogSoftmaxOut, stop Stop) (bad int, done bool) {
	if bad = BadLabel(labels, cols); bad >= 0 {
		return bad, true
	}
	l, in := vec[T](logp, rows), vec[T](x, rows*cols)
	for i := range rows {
		row := in[i*cols : (i+1)*cols]
		m := float64(maxRow(row))
		l[i] = T((float64(row[labels[i]]) - m) - math.Log(sumExp(row, m)))
		if z.To != nil {
			p := vec[T](z.To, rows*cols)[i*cols : (i+1)*cols]
			softmax(p, row)
			if z.By != nil {
				labelGradient(p, *(*T)(unsafe.Add(z.By, i*z.Step)), labels[i])
			}
		}
		if i*cols/pollInterval != (i+1)*cols/pollInterval && Stopped(stop) {
			return -1, false
		}
	}
	return -1, true
}

// labelGradient makes g*(j == label) - g*p[j] of p. Where g is infinite both are as a sum of terms
// would have them.
func labelGradient[T float](p []T, g T, label int64) {
	own := g - g*p[label]
	for j, v := range p {
		p[j] = 0 - g*v
	}
	p[label] = own
}
