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
			if work += 16 * cols; work >= patience {
				work = 0
				if stopped(stop) {
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

var (
	crossentropies    = [NumDTypes]CrossentropyFunc{Float32: crossentropy[float32], Float64: crossentropy[float64]}
	crossentropyGrads = [NumDTypes]CrossentropyGradFunc{Float32: crossentropyGrad[float32], Float64: crossentropyGrad[float64]}
)

// BadLabel is the first position of a label that is not in [0, n), or -1.
func BadLabel(labels []int64, n int) int {
	for i, label := range labels {
		if uint64(label) >= uint64(n) {
			return i
		}
	}
	return -1
}

func crossentropy[T float](rows, cols int, loss, p, x unsafe.Pointer, labels []int64, stop Stop) (bad int, done bool) {
	if bad = BadLabel(labels, cols); bad >= 0 {
		return bad, true
	}
	z, in := vec[T](loss, rows), vec[T](x, rows*cols)
	for i := range rows {
		row := in[i*cols : (i+1)*cols]
		m := float64(maxRow(row))
		z[i] = T(math.Log(sumExp(row, m)) - (float64(row[labels[i]]) - m))
		if p != nil {
			softmax(vec[T](p, rows*cols)[i*cols:(i+1)*cols], row)
		}
		if i*cols/patience != (i+1)*cols/patience && stopped(stop) {
			return -1, false
		}
	}
	return -1, true
}

func crossentropyGrad[T float](rows, cols int, dx, p, g unsafe.Pointer, gStep int, labels []int64, stop Stop) (bad int, done bool) {
	if bad = BadLabel(labels, cols); bad >= 0 {
		return bad, true
	}
	z, x := vec[T](dx, rows*cols), vec[T](p, rows*cols)
	for i := range rows {
		by, at := *(*T)(unsafe.Add(g, i*gStep)), i*cols+int(labels[i])
		own := by * (x[at] - 1)
		for j := i * cols; j < (i+1)*cols; j++ {
			z[j] = by * x[j]
		}
		z[at] = own
		if i*cols/patience != (i+1)*cols/patience && stopped(stop) {
			return -1, false
		}
	}
	return -1, true
}
