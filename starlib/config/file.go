package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"unicode/utf8"
)

// maxFile is more than any file of flags has; what is larger is something else.
const maxFile = 1 << 20

// isAbsent reports whether an error of a file says that there is none, also because a folder of its
// path is none.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// readText returns the text of a file of flags. A file that is not there is an error of
// fs.ErrNotExist; whatever else stands in its place is told: flags that are silently not in force
// are worse than none.
func readText(path string) ([]byte, error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%s: "+format+": mend it, rename it or take it away", append([]any{path}, args...)...)
	}
	info, err := os.Stat(path)
	if err != nil {
		link, linkErr := os.Readlink(path)
		switch {
		case errors.Is(err, syscall.ELOOP):
			return nil, wrong("links that lead to each other, want a file of flags")
		case isAbsent(err) && linkErr == nil:
			return nil, wrong("a link to %s, which is not there", link)
		case isAbsent(err):
			return nil, fs.ErrNotExist
		}
		return nil, wrong("%w", cause(err))
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return nil, wrong("a directory, want a file of flags")
	case !mode.IsRegular():
		return nil, wrong("a pipe, socket or device, want a file of flags") // which may have no end
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, wrong("%w", cause(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch bad := firstInvalid(text); {
	case err != nil:
		return nil, wrong("%w", cause(err))
	case len(text) > maxFile:
		return nil, wrong("%d bytes, want at most %d of flags", max(info.Size(), int64(len(text))), maxFile)
	case bad >= 0:
		line, col := position(text[:bad])
		return nil, fmt.Errorf("%s:%d:%d: byte 0x%02x is not UTF-8: save the file as UTF-8", path, line, col, text[bad])
	}
	return text, nil
}

// cause is what the system says, without the path, which the message has.
func cause(err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return at.Err
	}
	return err
}

// firstInvalid is where the first byte is that is not UTF-8, or -1.
func firstInvalid(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// position is the line and column behind a text, counted from 1.
func position(before []byte) (line, col int) {
	line, col = 1, 1
	for _, r := range string(before) {
		if col++; r == '\n' {
			line, col = line+1, 1
		}
	}
	return line, col
}
