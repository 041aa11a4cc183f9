//go:build unix

package repl

import (
	"os"
	"regexp"
	"time"

	"golang.org/x/sys/unix"
)

// cursorTime is how long a terminal may take to say where its cursor is: one at the other end of
// the world takes half of it.
const cursorTime = time.Second

var cursorReport = regexp.MustCompile(`\x1b\[\d+;\d+R`)

// tellsCursor asks the terminal where the cursor is, and reports whether it says so. typed is what
// else came from it meanwhile.
func tellsCursor() (tells bool, typed []byte) {
	os.Stdout.WriteString("\x1b[6n")
	fd := int(os.Stdin.Fd())
	for end := time.Now().Add(cursorTime); ; {
		left := time.Until(end)
		if left <= 0 {
			return false, typed
		}
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(ready, int(left.Milliseconds())+1)
		if err == unix.EINTR || err == nil && n == 0 {
			continue
		}
		buf := make([]byte, 1024)
		if err == nil {
			n, err = unix.Read(fd, buf)
		}
		if err != nil || n <= 0 {
			return false, typed // the editor will find the end of input itself
		}
		typed = append(typed, buf[:n]...)
		if at := cursorReport.FindIndex(typed); at != nil {
			return true, append(typed[:at[0]:at[0]], typed[at[1]:]...)
		}
	}
}
