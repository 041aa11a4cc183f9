package repl_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/arignote/arignote/starlib/repl"
)

// terminal is a session in a process of its own, on a pseudo-terminal, as somebody in front of it
// meets it.
type terminal struct {
	*testing.T
	cmd    *exec.Cmd
	master *os.File

	mu     sync.Mutex
	screen *screen
	raw    []byte // all that was written
	ended  chan struct{}
}

// start runs a session with options and further environment, and waits for its first prompt.
func start(t *testing.T, o repl.Options, env ...string) *terminal {
	t.Helper()
	return startOn(t, true, o, env...)
}

// startOn is start on a terminal that says where its cursor is, or does not.
func startOn(t *testing.T, answers bool, o repl.Options, env ...string) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 80}); err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	options, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{T: t, master: master, ended: make(chan struct{})}
	x.screen = newScreen(80, 30, func(report string) {
		if answers {
			master.WriteString(report)
		}
	})
	x.cmd = exec.Command(os.Args[0])
	x.cmd.Env = append(os.Environ(), child+"="+string(options), "TERM=xterm-256color", "NO_COLOR=", "INPUTRC=/dev/null")
	x.cmd.Env = append(x.cmd.Env, env...)
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = slave, slave, slave
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go x.watch()
	t.Cleanup(func() {
		x.cmd.Process.Kill()
		x.cmd.Wait()
		master.Close()
		<-x.ended
	})
	x.see("In [1]:")
	return x
}

func (x *terminal) watch() {
	defer close(x.ended)
	buf := make([]byte, 4096)
	for {
		n, err := x.master.Read(buf)
		x.mu.Lock()
		x.raw = append(x.raw, buf[:n]...)
		x.screen.Write(buf[:n])
		x.mu.Unlock()
		if err != nil { // the program has ended
			return
		}
	}
}

func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.text()
}

func (x *terminal) written() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.raw)
}

// patience is for machines with much else to do.
const patience = 15 * time.Second

// until waits for a state of the terminal.
func (x *terminal) until(what string, ok func() bool) {
	x.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			x.Fatalf("waited for %s; the screen is\n%s\n", what, x.text())
		}
	}
}

// see waits until the screen shows lines, one below the other, at its end.
func (x *terminal) see(lines ...string) {
	x.Helper()
	want := strings.Join(lines, "\n")
	x.until(fmt.Sprintf("%q", want), func() bool { return strings.HasSuffix("\n"+x.text(), "\n"+want) })
}

func (x *terminal) press(keys string) {
	x.Helper()
	if _, err := x.master.WriteString(keys); err != nil {
		x.Fatal(err)
	}
}

// enter types a line and waits for what follows it.
func (x *terminal) enter(line string, want ...string) {
	x.Helper()
	x.press(line + "\r")
	x.see(want...)
}

// leave waits for the end of the program.
func (x *terminal) leave(keys string) {
	x.Helper()
	x.press(keys)
	done := make(chan error, 1)
	go func() { done <- x.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			x.Errorf("the session ended with %v, want status 0", err)
		}
	case <-time.After(patience):
		x.Fatalf("%q does not leave; the screen is\n%s", keys, x.text())
	}
}

const (
	ctrlC, ctrlD, ctrlR = "\x03", "\x04", "\x12"
	up, backspace       = "\x1b[A", "\x7f"
)

func TestTerminal(t *testing.T) {
	x := start(t, repl.Options{Version: "1.2.3"})
	if got := x.text(); !strings.HasPrefix(got, "Arignote 1.2.3: x? or help(x) documents x, Tab completes, Ctrl-D leaves\n") {
		t.Errorf("got banner %q", got)
	}
	x.enter("6*7", "In [1]: 6*7", "Out[1]: 42", "In [2]:")
	x.enter("   ", "In [2]:", "In [2]:")
	x.enter("x = 1", "In [2]: x = 1", "In [3]:")
	// A block: the editor indents, Backspace takes a level away, an empty line ends it.
	x.enter("for i in range(2):", "In [3]: for i in range(2):", "   ...:")
	x.enter("if i:", "   ...:     if i:", "   ...:")
	x.enter("print('odd')", "   ...:         print('odd')", "   ...:")
	x.enter(backspace+"else:", "   ...:     else:", "   ...:")
	x.enter("print('even')", "   ...:         print('even')", "   ...:")
	x.enter("", "   ...:         print('even')", "   ...:", "even", "odd", "In [4]:")
	x.enter("(1 +", "In [4]: (1 +", "   ...:")
	x.enter("2)", "In [4]: (1 +", "   ...: 2)", "Out[4]: 3", "In [5]:")
	x.enter("np.ones((2, 2))", "Out[5]:", "array([[1., 1.],", "       [1., 1.]])", "In [6]:")
	// Errors and questions end nothing.
	x.enter("1//0", "In[6]:1:2", "-->   1 1//0", "         ^",
		"ZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.arra", "y(x) / y)", "In [7]:")
	x.enter("x", "In [7]: x", "Out[7]: 1", "In [8]:")
	x.enter("%%time", "In [8]: %%time", "   ...:")
	x.press("x + 1\r\r")
	x.see("Out[8]: 2", "In [9]:")
	x.enter("x?", "int: 1", "In [10]:")
	x.enter("[", "In [10]: [", "    ...:")
	x.enter("]", "Out[10]: []", "In [11]:")
	x.leave(ctrlD)
}

func TestEdit(t *testing.T) {
	x := start(t, repl.Options{Quiet: true})
	// Up goes up in the cell first, and Enter in the middle splits a line.
	x.press("if True:\ra = 1")
	x.see("In [1]: if True:", "   ...:     a = 1")
	x.press(up + "\x05" + "\rb = 2")
	x.see("In [1]: if True:", "   ...:     b = 2", "   ...:     a = 1")
	x.press("\x1b[B\x05\r\r")
	x.see("In [2]:")
	x.enter("a + b", "Out[2]: 3", "In [3]:")
	x.enter("s = 'é # ü'", "In [3]: s = 'é # ü'", "In [4]:")
	x.enter("len(s)", "Out[4]: 5", "In [5]:")
	// Whoever types ahead loses nothing, nor do programs that type.
	x.press("p = 1\rp + 1\rif p:\rp = 5\r\rp" + "\r")
	x.see("Out[6]: 2", "In [7]: if p:", "   ...:     p = 5", "   ...:", "In [8]: p", "Out[8]: 5", "In [9]:")
	// A line that is wider than the screen.
	long := "'" + strings.Repeat("ab", 45) + "'"
	x.press(long + "\x01(\x05)")
	x.see("In [9]: ("+long[:71], long[71:]+")")
	x.enter("", "Out[9]: \""+long[1:72], long[72:91]+"\"", "In [10]:")
	// The end of the screen.
	x.enter("for i in range(40): print(i)", "38", "39", "In [11]:")
	x.press("if a:\r1\r2")
	x.see("In [11]: if a:", "    ...:     1", "    ...:     2")
}

// A terminal that never says where its cursor is has completion too, at the bottom of the screen as
// well, and what is typed meanwhile is not lost.
func TestCompleteOnAMuteTerminal(t *testing.T) {
	x := startOn(t, false, repl.Options{Quiet: true})
	x.press("np.linsp\te") // e, while the answer is waited for
	x.see("In [1]: np.linspacee")
	x.press(ctrlC)
	x.see("In [1]: np.linspacee", "In [1]:")
	x.enter("def stretch(value, factor=2): return value * factor", "In [2]:")
	x.enter("stresses = 1.5", "In [3]:")
	x.press("stre\t")
	x.see("In [3]: stre", "stresses  float", "stretch(value, factor=2)")
	x.press("\t\t")
	x.see("In [3]: stretch", "stresses  float", "stretch(value, factor=2)")
	x.enter("(1)", "Out[3]: 2", "In [4]:")
	x.enter("for i in range(40): print(i)", "39", "In [5]:")
	x.press("stre\t")
	x.see("In [5]: stre", "stresses  float", "stretch(value, factor=2)")
	x.press("\t")
	x.see("In [5]: stresses", "stresses  float", "stretch(value, factor=2)")
	x.enter("", "Out[5]: 1.5", "In [6]:")
}

func TestComplete(t *testing.T) {
	x := start(t, repl.Options{Quiet: true})
	x.press("np.linsp\t")
	x.see("In [1]: np.linspace")
	x.press(ctrlC)
	x.see("In [1]: np.linspace", "In [1]:")
	x.enter("def stretch(value, factor=2): return value * factor", "In [2]:")
	x.enter("stresses = 1.5", "In [3]:")
	x.press("stre\t") // what is certain, and the choice
	x.see("In [3]: stre", "stresses  float", "stretch(value, factor=2)")
	x.press("\t\t")
	x.see("In [3]: stretch", "stresses  float", "stretch(value, factor=2)")
	x.press("(1, fac\t")
	x.see("In [3]: stretch(1, factor=")
	x.enter("4)", "Out[3]: 4", "In [4]:")
	x.enter("été = struct(jour=1)", "In [5]:")
	x.press("print(été.\t")
	x.see("In [5]: print(été.jour")
	x.enter(")", "1", "In [6]:")
	x.press("\tx")
	x.see("In [6]:     x") // where nothing stands, Tab indents
}

func TestInterrupt(t *testing.T) {
	x := start(t, repl.Options{Quiet: true})
	x.press("nonsense(" + ctrlC)
	x.see("In [1]: nonsense(", "In [1]:")
	x.press("if True:\rmore" + ctrlC)
	x.see("   ...:     more", "In [1]:")
	x.press("if True:\rprint('busy')\rwhile True: pass\r\r")
	x.see("   ...:", "busy")
	x.press(ctrlC)
	x.see("KeyboardInterrupt: interrupted", "In [2]:")
	x.enter("6*7", "Out[2]: 42", "In [3]:")
	x.enter("input('name? ')", "In [3]: input('name? ')", "name?")
	x.press("Mar" + ctrlC)
	x.see("KeyboardInterrupt: interrupted", "In [4]:")
	// A signal from elsewhere while nothing runs.
	if err := x.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	x.enter("6*8", "Out[4]: 48", "In [5]:")
	x.leave("quit()\r")
}

func TestQuestions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history")
	x := start(t, repl.Options{Quiet: true, History: file})
	x.enter("n = input('name? ')", "name?")
	x.enter("Ada", "name? Ada", "In [2]:")
	x.enter("p = getpass()", "Password:")
	x.press("s3cret")
	x.see("Password: ******")
	x.enter("", "In [3]:")
	x.enter("n, len(p)", `Out[3]: ("Ada", 6)`, "In [4]:")
	x.enter("input('wai' + 'ting')", "waiting") // which is not what is typed: the question was asked
	x.press(ctrlD)
	x.see("Error: input: EOF", "In [5]:")
	x.press(up + up)
	x.see("In [5]: n, len(p)") // answers are no cells
	x.press(ctrlC)
	x.see("In [5]: n, len(p)", "In [5]:")
	x.leave("exit\r")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "Ada") || strings.Contains(string(text), "s3cret") || strings.Contains(x.written(), "s3cret") {
		t.Errorf("an answer was kept:\n%s", text)
	}
}

func TestHistory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "history")
	x := start(t, repl.Options{Quiet: true, History: file})
	x.enter("def f(x):\rreturn x + 1\r", "In [2]:")
	x.enter("f(1)", "Out[2]: 2", "In [3]:")
	x.enter("f(1)", "Out[3]: 2", "In [4]:") // kept once
	x.leave(ctrlD)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want mode 0600", info.Mode(), err)
	}
	x = start(t, repl.Options{Quiet: true, History: file})
	x.press(up)
	x.see("In [1]: f(1)")
	x.press(up)
	x.see("In [1]: def f(x):", "   ...:     return x + 1")
	x.press(backspace + "2\r\r") // a cell that is changed is another cell
	x.see("In [2]:")
	x.press(up)
	x.see("In [2]: def f(x):", "   ...:     return x + 2")
	x.press(ctrlC)
	x.see("In [2]:")
	x.press(ctrlR + "f.1") // a regular expression
	x.until("the search", func() bool { return strings.Contains(x.text(), "In [2]: f(1)\n") })
	x.press("\r")
	x.see("Out[2]: 3", "In [3]:")
	x.leave(ctrlD)

	x = start(t, repl.Options{Quiet: true}) // no history
	x.press(up + "7\r")
	x.see("In [1]: 7", "Out[1]: 7", "In [2]:")
}

// TestHistoryNowhere: a session needs no history.
func TestHistoryNowhere(t *testing.T) {
	x := start(t, repl.Options{Quiet: true, History: "/dev/null/history"})
	x.see("history: mkdir /dev/null: not a directory; nothing is kept", "In [1]:")
	x.enter("6*7", "Out[1]: 42", "In [2]:")
	x.press(up)
	x.see("In [2]: 6*7")
}

// TestHistoryShortened: the file does not grow for ever, and what is no entry harms nothing.
func TestHistoryShortened(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history")
	var b strings.Builder
	b.WriteString("no entry\n{}\n\"\"\n")
	for i := range 4001 {
		fmt.Fprintf(&b, "\"x = %d\"\n", i)
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	x := start(t, repl.Options{Quiet: true, History: file})
	x.press(up)
	x.see("In [1]: x = 4000")
	x.press(ctrlC)
	x.see("In [1]: x = 4000", "In [1]:")
	x.enter("1", "Out[1]: 1", "In [2]:")
	x.leave(ctrlD)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 2001 || lines[0] != `"x = 2001"` || lines[2000] != `"1"` {
		t.Errorf("got %d entries from %s to %s, want 2001 from \"x = 2001\" to \"1\"", len(lines), lines[0], lines[len(lines)-1])
	}
}

func TestPaste(t *testing.T) {
	x := start(t, repl.Options{Quiet: true})
	x.press("\x1b[200~def g(a):\r    b = a\r\r    return b\r\rg(5)\x1b[201~")
	x.see("In [1]: def g(a):", "   ...:     b = a", "   ...:", "   ...:     return b", "   ...:", "   ...: g(5)")
	x.enter("", "Out[1]: 5", "In [2]:")
}

var colored = regexp.MustCompile(`\x1b\[[39][0-7]m`)

func TestTerminalColors(t *testing.T) {
	const code = `x = "a # b" + str(1.5e3) if not 0 else 'c' # d`
	x := start(t, repl.Options{Quiet: true})
	x.enter(code, "In [1]: "+code, "In [2]:")
	raw := x.written()
	for _, want := range []string{
		"\x1b[32mIn [1]: \x1b[0m", "\x1b[33m\"a # b\"\x1b[0m", "\x1b[36m1.5e3\x1b[0m", "\x1b[32mnot\x1b[0m", "\x1b[33m'c'\x1b[0m",
		"\x1b[90m# d\x1b[0m",
	} {
		if !strings.Contains(raw, want) {
			t.Errorf("nothing is painted %q", want)
		}
	}
	for _, off := range []struct {
		o   repl.Options
		env string
	}{{repl.Options{Quiet: true, Color: "never"}, ""}, {repl.Options{Quiet: true}, "NO_COLOR=1"}} {
		x := start(t, off.o, off.env)
		x.enter(code, "In [1]: "+code, "In [2]:")
		x.enter("1//0", "ZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.arra", "y(x) / y)", "In [3]:")
		if raw := x.written(); colored.MatchString(raw) {
			t.Errorf("%v %s: there are colours in %q", off.o, off.env, raw)
		}
	}
}

// TestDumb: a terminal that cannot move its cursor has prompts, and no escapes.
func TestDumb(t *testing.T) {
	x := start(t, repl.Options{Quiet: true}, "TERM=dumb")
	x.enter("if True:", "In [1]: if True:", "   ...:")
	x.enter("  print(5)", "   ...:   print(5)", "   ...:")
	x.enter("", "   ...:", "5", "In [2]:")
	x.press("half")
	x.see("In [2]: half")
	x.press(ctrlC)
	x.see("In [2]: half^C", "In [2]:")
	x.enter("input('? ')", "?")
	x.press(ctrlC)
	x.see("KeyboardInterrupt: interrupted", "In [3]:")
	x.enter("input('? ')", "?")
	x.enter("yes", "Out[3]: \"yes\"", "In [4]:")
	x.leave(ctrlD)
	if strings.Contains(x.written(), "\x1b") {
		t.Errorf("there are escapes in %q", x.written())
	}
}

// TestFileFirst: a script's globals stay, and its errors do not end the session.
func TestFileFirst(t *testing.T) {
	file := filepath.Join(t.TempDir(), "first.star")
	if err := os.WriteFile(file, []byte("a = 20\n# %%\na + 1\n# %%\n1//0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := start(t, repl.Options{Quiet: true, File: file})
	x.see("ZeroDivisionError: floored division by zero (of arrays it is inf or nan: np.arra", "y(x) / y)", "In [1]:")
	if !strings.HasPrefix(x.text(), "21\n") {
		t.Errorf("got %q, want 21 first", x.text())
	}
	x.enter("a + 2", "Out[1]: 22", "In [2]:")
	x.enter("exit = 5", "In [3]:")
	x.enter("exit", "Out[3]: 5", "In [4]:")
	x.leave("quit\r")
}
