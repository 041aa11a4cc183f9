package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/arignote/arignote/starlib"
)

// lines makes cells of the lines of a pipe, or of a terminal without an editor.
type lines struct {
	session   *starlib.Session
	prompting bool // somebody types the lines
	out       io.Writer
	in        chan line
	ahead     *string // the line that was read to see whether a block goes on
}

type line struct {
	text string
	err  error
}

// newLines reads on a goroutine of its own, so that an interrupt ends the waiting for a line, and
// not the line.
func newLines(s *starlib.Session, stdin io.Reader, stdout io.Writer, prompting bool) *lines {
	l := &lines{session: s, prompting: prompting, out: stdout, in: make(chan line)}
	go func() {
		r := bufio.NewReader(stdin)
		for {
			text, err := r.ReadString('\n')
			if text != "" {
				l.in <- line{text: strings.TrimRight(text, "\r\n")}
			}
			if err != nil {
				l.in <- line{err: err}
				if !errors.Is(err, io.EOF) {
					close(l.in)
					return
				}
			}
		}
	}()
	return l
}

// next returns the next line.
func (l *lines) next(ctx context.Context, prompt string) (string, error) {
	if text := l.ahead; text != nil {
		l.ahead = nil
		return *text, nil
	}
	if l.prompting {
		io.WriteString(l.out, prompt)
	}
	select {
	case x, ok := <-l.in:
		if !ok {
			return "", io.EOF
		}
		return x.text, x.err
	case <-ctx.Done():
		return "", errGivenUp
	}
}

func (l *lines) ask(ctx context.Context, prompt string, _ bool) (string, error) {
	io.WriteString(l.out, prompt)
	return l.next(ctx, "")
}

func (l *lines) read(ctx context.Context, count int) (string, error) {
	reading, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	prompt := fmt.Sprintf("In [%d]: ", count)
	cell, ends := "", false // ends: the cell may end before the next line
	for first := true; ; first = false {
		text, err := l.next(reading, prompt)
		switch {
		case errors.Is(err, io.EOF) && strings.TrimSpace(cell) != "":
			return cell, nil
		case err != nil:
			if l.prompting {
				io.WriteString(l.out, "\n")
			}
			return "", err
		case ends && !isContinuation(text):
			l.ahead = &text
			return cell, nil
		}
		if !first {
			cell += "\n"
		}
		cell += text
		prompt = continuation(count)
		ok, _ := complete(l.session, cell)
		if l.prompting || isMagic(cell) || !indented(cell) {
			if ok {
				return cell, nil
			}
			continue
		}
		// A block ends where the lines that were typed for it do, and not at an empty one:
		// functions have those in them.
		ends, _ = complete(l.session, cell+"\n")
	}
}

// indented reports whether the last line that is not blank begins with space.
func indented(cell string) bool {
	cell = strings.TrimRight(cell, " \t\n")
	last := cell[strings.LastIndex(cell, "\n")+1:]
	return last != strings.TrimLeft(last, " \t")
}

// isContinuation reports whether a line belongs to the block before it.
func isContinuation(text string) bool {
	word := strings.TrimLeft(text, " \t")
	return word == "" || word != text || strings.HasPrefix(word, "else:") || strings.HasPrefix(word, "elif ")
}

// continuation is the prompt of a cell's further lines, as wide as that of the first.
func continuation(count int) string {
	return fmt.Sprintf("%*s", len(fmt.Sprintf("In [%d]: ", count)), "...: ")
}
