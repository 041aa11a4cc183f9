package repl_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/repl"
)

// child makes the test program a session with the options that it has, as JSON.
const child = "ARIGNOTE_TEST_REPL"

func TestMain(m *testing.M) {
	options := os.Getenv(child)
	if options == "" {
		os.Exit(m.Run())
	}
	var o repl.Options
	if err := json.Unmarshal([]byte(options), &o); err != nil {
		panic(err)
	}
	s := starlib.NewSession(starlib.Options{})
	if err := repl.Run(context.Background(), s, os.Stdin, os.Stdout, os.Stderr, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run feeds text to a session that has no terminal.
func run(text string, o repl.Options) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	s := starlib.NewSession(starlib.Options{})
	err = repl.Run(context.Background(), s, strings.NewReader(text), &out, &errs, o)
	return out.String(), errs.String(), err
}

func TestPiped(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"values", "1 + 1\nx = 2\nx\n", "2\n2\n"},
		{"no newline at the end", "6*7", "42\n"},
		{"carriage returns", "1\r\n2\r\n", "1\n2\n"},
		{"a block ends before a line that is not indented", "def f(x):\n  return x\nf(1)\nf(2)\n", "1\n2\n"},
		{"and not at an empty line", "def f(x):\n  y = x\n\n\n  return y\n\nf(1)\n", "1\n"},
		{"else belongs to its block", "if 0:\n  1\nelif 0:\n  2\n\nelse:\n  print(3)\n4\n", "3\n4\n"},
		{"blocks after each other", "for i in range(2):\n  print(i)\nfor i in range(2):\n  print(i)\n", "0\n1\n0\n1\n"},
		{"the end of the input ends a block", "if 1:\n  print(5)", "5\n"},
		{"brackets", "[1,\n  2,\n]\n7\n", "[1, 2]\n7\n"},
		{"brackets that end in an indented line", "f = lambda x: [x,\n  2]\nf(1)\n", "[1, 2]\n"},
		{"strings", "s = '''a\n\nb'''\ns\n", "\"a\\n\\nb\"\n"},
		{"comments", "# one\n1  # two\n", "1\n"},
		{"a magic goes on to an empty line", "%%markdown\n# (a\nb\n\n3\n", "# (a\nb\n3\n"},
		{"a magic ends a block", "if 1:\n  print(5)\n%%html\n<b>\n", "5\n<b>\n"},
		{"answers follow their question", "x = input('? ')\nhello\nx\n", "? \"hello\"\n"},
		{"exit", "1\nexit\n2\n", "1\n"},
		{"quit()", "1\nquit()\n2\n", "1\n"},
	} {
		stdout, stderr, err := run(tt.in, repl.Options{})
		if err != nil || stdout != tt.want || stderr != "" {
			t.Errorf("%s: got %q, %q, %v, want %q", tt.name, stdout, stderr, err, tt.want)
		}
	}
}

// TestPipedError: the first error ends the session, and was shown.
func TestPipedError(t *testing.T) {
	for _, tt := range []struct{ in, stdout, stderr, err string }{
		{"1\n1//0\n2\n", "1\n",
			"In[2]:1:2\n-->   1 1//0\n         ^\nZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.array(x) / y)\n",
			"floored division by zero"},
		{"f(\n", "", "SyntaxError: got end of file", "got end of file"},
		{"x = = 1\n2\n", "", "SyntaxError: got '=', want primary expression", "got '=', want primary expression"},
		{"%%tmie\n1\n\n", "", "SyntaxError: unknown magic %%tmie (did you mean %%time?)", "unknown magic"},
		{"input('? ')", "? ", "Error: input: EOF", "input: EOF"},
	} {
		stdout, stderr, err := run(tt.in, repl.Options{})
		var failed *starlib.Error
		if !errors.As(err, &failed) || !strings.Contains(failed.Error(), tt.err) || stdout != tt.stdout ||
			!strings.Contains(stderr, tt.stderr) {
			t.Errorf("%q: got %q, %q, %v, want %q, %q, %q", tt.in, stdout, stderr, err, tt.stdout, tt.stderr, tt.err)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		o    repl.Options
		want string
	}{
		{repl.Options{Color: "blue"}, `color: got "blue", want auto, always or never`},
		{repl.Options{File: "nowhere.star"}, "run: open nowhere.star: no such file or directory"},
	} {
		if _, _, err := run("1\n", tt.o); err == nil || err.Error() != tt.want {
			t.Errorf("%+v: got %v, want %s", tt.o, err, tt.want)
		}
	}
}

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// TestErrorColors: a traceback in colours has the words of a plain one.
func TestErrorColors(t *testing.T) {
	for _, code := range []string{"def f(x):\n  y = x\n  return 1//y\n\nf(0)\n", "x = = 1\n", "[1,2][7]\n", "nmae\n"} {
		_, plain, _ := run(code, repl.Options{Color: "never"})
		_, auto, _ := run(code, repl.Options{})
		_, painted, _ := run(code, repl.Options{Color: "always"})
		if auto != plain || strings.Contains(plain, "\x1b") {
			t.Errorf("%q: without a terminal got %q, want %q", code, auto, plain)
		}
		if got := escapes.ReplaceAllString(painted, ""); got != plain {
			t.Errorf("%q: got\n%s\nwant\n%s", code, got, plain)
		}
		for _, want := range []string{"\x1b[31mError\x1b[0m", "\x1b[31mSyntaxError\x1b[0m", "\x1b[31mNameError\x1b[0m"} {
			if word := escapes.ReplaceAllString(want, "") + ": "; strings.Contains(plain, "\n"+word) && !strings.Contains(painted, want) {
				t.Errorf("%q: no %q in %q", code, want, painted)
			}
		}
		if !strings.Contains(painted, "\x1b[36m-->") {
			t.Errorf("%q: the arrow has no colour in %q", code, painted)
		}
	}
}

// TestInterruptedPipe: an interrupt while input is awaited ends the session.
func TestInterruptedPipe(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, feed := io.Pipe()
	defer feed.Close()
	go func() {
		feed.Write([]byte("1\n"))
		cancel()
	}()
	var out, errs bytes.Buffer
	err := repl.Run(ctx, starlib.NewSession(starlib.Options{}), in, &out, &errs, repl.Options{})
	if err == nil {
		t.Error("got no error, want that of the interrupt")
	}
}
