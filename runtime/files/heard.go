package files

import (
	"context"
	"io"
)

// atOnce is how many bytes are read or written between two looks at whether that is still wanted: some hundred microseconds of work.
const atOnce = 1 << 20

// A HeardWriter writes until its context is done, whose cause is then its error.
type HeardWriter struct {
	Context context.Context
	To      io.Writer
}

func (h HeardWriter) Write(p []byte) (n int, err error) {
	return piecewise(h.Context, p, func(piece []byte) (int, error) { return h.To.Write(piece) })
}

// A HeardReader is read until its context is done, whose cause is then its error.
type HeardReader struct {
	Context context.Context
	From    interface {
		io.Reader
		io.ReaderAt
		io.Seeker
	}
}

func (h HeardReader) Read(p []byte) (int, error) {
	if h.Context.Err() != nil {
		return 0, context.Cause(h.Context)
	}
	return h.From.Read(p[:min(atOnce, len(p))])
}

func (h HeardReader) ReadAt(p []byte, at int64) (int, error) {
	return piecewise(h.Context, p, func(piece []byte) (int, error) {
		n, err := h.From.ReadAt(piece, at)
		at += int64(n)
		return n, err
	})
}

func (h HeardReader) Seek(offset int64, whence int) (int64, error) {
	return h.From.Seek(offset, whence)
}

// piecewise calls do with p, piece by piece.
func piecewise(ctx context.Context, p []byte, do func(piece []byte) (int, error)) (n int, err error) {
	for {
		if ctx.Err() != nil {
			return n, context.Cause(ctx)
		}
		k, err := do(p[n:min(n+atOnce, len(p))])
		n += k
		if err != nil || n == len(p) {
			return n, err
		}
	}
}
