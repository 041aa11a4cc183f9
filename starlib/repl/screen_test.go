package repl_test

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// screen is what a terminal of so many columns and rows shows: enough of one for the sequences that
// the line editor writes.
type screen struct {
	rows    [][]rune
	x, y    int
	pending []byte              // of a sequence that has not ended
	answer  func(report string) // to questions of the program
}

func newScreen(width, height int, answer func(string)) *screen {
	s := &screen{answer: answer}
	for range height {
		s.rows = append(s.rows, blankRow(width))
	}
	return s
}

func blankRow(width int) []rune { return []rune(strings.Repeat(" ", width)) }

// text returns the rows without the space at their ends, and without the empty ones at the bottom.
func (s *screen) text() string {
	var lines []string
	for _, row := range s.rows {
		lines = append(lines, strings.TrimRight(string(row), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func (s *screen) Write(p []byte) (int, error) {
	b := append(s.pending, p...)
	for len(b) > 0 {
		n := s.step(b)
		if n == 0 {
			break
		}
		b = b[n:]
	}
	s.pending = append([]byte(nil), b...)
	return len(p), nil
}

// step obeys the first character or sequence of b and returns its length, 0 if there is more to
// come.
func (s *screen) step(b []byte) int {
	width := len(s.rows[0])
	switch c := b[0]; {
	case c == '\r':
		s.x = 0
	case c == '\n':
		s.down()
	case c == '\b':
		s.x = max(s.x-1, 0)
	case c == '\x1b':
		return s.escape(b)
	case c < ' ':
	default:
		if !utf8.FullRune(b) {
			return 0
		}
		r, n := utf8.DecodeRune(b)
		if s.x == width { // the cursor waits behind the last column
			s.x = 0
			s.down()
		}
		s.rows[s.y][s.x] = r
		s.x++
		return n
	}
	return 1
}

func (s *screen) down() {
	if s.y++; s.y == len(s.rows) {
		s.y--
		s.rows = append(s.rows[1:], blankRow(len(s.rows[0])))
	}
}

func (s *screen) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	if b[1] != '[' {
		if b[1] == 'D' {
			s.down()
		}
		return 2
	}
	end := 2
	for end < len(b) && (b[end] < '@' || b[end] > '~') {
		end++
	}
	if end == len(b) {
		return 0
	}
	args := string(b[2:end])
	first, err := strconv.Atoi(args)
	count := first
	if err != nil {
		first, count = 0, 1
	}
	width, height := len(s.rows[0]), len(s.rows)
	switch b[end] {
	case 'A':
		s.y = max(s.y-count, 0)
	case 'B':
		s.y = min(s.y+count, height-1)
	case 'C':
		s.x = min(s.x+count, width-1)
	case 'D':
		s.x = max(min(s.x, width-1)-count, 0)
	case 'H':
		s.x, s.y = 0, 0
	case 'K':
		from, to := s.x, width
		if first == 1 {
			from, to = 0, s.x+1
		}
		s.clear(s.y, from, to)
	case 'J':
		if first == 0 {
			s.clear(s.y, s.x, width)
		}
		for y := range s.rows {
			if first != 0 || y > s.y {
				s.clear(y, 0, width)
			}
		}
	case 'n':
		s.answer("\x1b[" + strconv.Itoa(s.y+1) + ";" + strconv.Itoa(min(s.x, width-1)+1) + "R")
	}
	return end + 1
}

func (s *screen) clear(y, from, to int) {
	row := s.rows[y]
	for x := min(from, len(row)); x < min(to, len(row)); x++ {
		row[x] = ' '
	}
}
