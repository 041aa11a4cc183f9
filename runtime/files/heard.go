package files

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// atOnce is how many bytes are read or written between two looks at whether that is still wanted:
// some hundred microseconds of work.
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
	return Heard{h.Context, h.From}.Read(p)
}

// ReadAt reads from a place on, in parts between which an interrupt is heard.
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

// A Heard reads what can only be read on, until its context is done, whose cause is then its error.
type Heard struct {
	Context context.Context
	From    io.Reader
}

func (h Heard) Read(p []byte) (int, error) {
	if h.Context.Err() != nil {
		return 0, context.Cause(h.Context)
	}
	n, err := h.From.Read(p[:min(atOnce, len(p))])
	if errors.Is(err, os.ErrDeadlineExceeded) && h.Context.Err() != nil {
		err = context.Cause(h.Context)
	}
	return n, err
}

// Listen makes reads of a file that wait, for what another program writes to a pipe, end when the
// context is done. Nothing waits for the context once stop was called.
func Listen(ctx context.Context, f *os.File) (stop func() bool) {
	return context.AfterFunc(ctx, func() { f.SetReadDeadline(time.Unix(1, 0)) }) // files on a disk have none, and do not wait
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
