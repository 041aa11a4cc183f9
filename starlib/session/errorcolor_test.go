package session_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
)

// TestColoredTraceback: colours change no word, and mark the name of the error, the places and the
// caret.
func TestColoredTraceback(t *testing.T) {
	s := starlib.NewSession(starlib.Options{})
	_, _, err := s.Execute(t.Context(), 1, "def f(n):\n    return np.ones(3) + np.ones(n)\nf(4)", nil)
	var failed *starlib.Error
	if !errors.As(err, &failed) {
		t.Fatalf("got %v, want an error of the cell", err)
	}
	colored := strings.Join(failed.ColoredTraceback(), "\n")
	plain := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(colored, "")
	if want := strings.Join(failed.Traceback(), "\n"); plain != want {
		t.Errorf("without colours: got\n%s\nwant\n%s", plain, want)
	}
	for _, want := range []string{
		"\x1b[31mShapeError\x1b[0m    ", "\x1b[36mIn[1]:3:2\x1b[0m\n", "\x1b[36m-->   2\x1b[0m     return", "\n\x1b[31m         ^\x1b[0m",
		"\x1b[31mShapeError\x1b[0m: +: operands",
	} {
		if !strings.Contains(colored, want) {
			t.Errorf("got no %q in\n%q", want, colored)
		}
	}
}
