package sre_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/pylib/sre"
)

var (
	drawn = flag.Int("patterns", 2000, "how many patterns are drawn")
	seed  = flag.Int("patterns-seed", 1, "what they are drawn from")
)

// A drawnCase is a pattern and a text, with what CPython makes of them: places are characters, of
// the match, of its groups, and at the end stands the group that ended last.
type drawnCase struct {
	Pattern, Text, Template string
	Flags                   sre.Flags
	Error                   *string
	Pos                     int
	Found                   [][]any
	Match, Full, Middle     []any
	Groups                  int
	Names                   map[string]int
	Split                   []*string
	Sub                     []any
	SubError                *string
}

// chars turns bytes of a match into characters, in the form in which JSON is read.
func chars(text string, m *sre.Match) []any {
	if m == nil {
		return nil
	}
	out := []any{}
	for i := 0; i < len(m.Places); i += 2 {
		if m.Places[i] < 0 {
			out = append(out, []any{-1.0, -1.0})
			continue
		}
		out = append(out, []any{float64(utf8.RuneCountInString(text[:m.Places[i]])), float64(utf8.RuneCountInString(text[:m.Places[i+1]]))})
	}
	return append(out, float64(m.Last))
}

// at is where a character begins.
func at(text string, i int) int {
	for pos := range text {
		if i == 0 {
			return pos
		}
		i--
	}
	return len(text)
}

// differs says what differs from CPython, or nothing.
func differs(c *drawnCase) string {
	p, err := sre.Compile(c.Pattern, c.Flags, false)
	if c.Error != nil {
		if err == nil {
			return fmt.Sprintf("got no error, want %s", *c.Error)
		}
		if err.Error() != *c.Error {
			return fmt.Sprintf("got the error %s, want %s", err, *c.Error)
		}
		return ""
	}
	if err != nil {
		return fmt.Sprintf("got the error %s", err)
	}
	whole := sre.NewMatcher(p, c.Text, len(c.Text))
	var found [][]any
	var parts []*string
	last, splits := 0, 0
	part := func(from, to int) {
		if from < 0 {
			parts = append(parts, nil)
			return
		}
		s := c.Text[from:to]
		parts = append(parts, &s)
	}
	template, templateErr := sre.NewTemplate(p, c.Template)
	var out []byte
	gone := 0
	whole.Each(0, func(m *sre.Match) bool {
		found = append(found, chars(c.Text, m))
		if splits < 3 {
			part(last, m.Places[0])
			for i := 2; i < len(m.Places); i += 2 {
				part(m.Places[i], m.Places[i+1])
			}
			last = m.Places[1]
			splits++
		}
		if templateErr == nil {
			out = append(out, c.Text[gone:m.Places[0]]...)
			out = template.Append(out, c.Text, m)
			gone = m.Places[1]
		}
		return true
	})
	part(last, len(c.Text))
	out = append(out, c.Text[gone:]...)
	middle := sre.NewMatcher(p, c.Text, at(c.Text, 6))
	match, _ := whole.At(0, false)
	full, _ := whole.At(0, true)
	within, _ := middle.Find(at(c.Text, 2), false)
	for _, x := range []struct {
		what      string
		got, want any
	}{
		{"found", found, c.Found}, {"match", chars(c.Text, match), c.Match}, {"full", chars(c.Text, full), c.Full},
		{"groups", p.Groups, c.Groups}, {"split", parts, c.Split}, {"middle", chars(c.Text, within), c.Middle},
	} {
		if a, b := text(x.got), text(x.want); a != b && !(len(c.Found) == 0 && x.what == "found" && len(found) == 0) {
			return fmt.Sprintf("%s: got %s, want %s", x.what, a, b)
		}
	}
	if c.SubError != nil {
		if templateErr == nil || templateErr.Error() != *c.SubError {
			return fmt.Sprintf("template: got the error %v, want %s", templateErr, *c.SubError)
		}
	} else if len(c.Sub) == 2 && (templateErr != nil || string(out) != c.Sub[0].(string)) {
		return fmt.Sprintf("sub: got %q, %v, want %q", out, templateErr, c.Sub[0])
	}
	return ""
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// compare compares the cases of a file of JSON.
func compare(t *testing.T, lines []byte) (n int) {
	t.Helper()
	wrong := 0
	for s := bufio.NewScanner(bytes.NewReader(lines)); s.Scan(); n++ {
		var c drawnCase
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if d := differs(&c); d != "" {
			if wrong++; wrong <= 25 {
				t.Errorf("%q, flags %d, of %q: %s", c.Pattern, c.Flags, c.Text, d)
			}
		}
	}
	if wrong > 25 {
		t.Errorf("%d of %d differ", wrong, n)
	}
	return n
}

// TestDrawn: patterns that are drawn match, or are refused, as in CPython.
func TestDrawn(t *testing.T) {
	out, err := exec.Command("/usr/bin/python3", "testdata/battery.py", fmt.Sprint(*seed), fmt.Sprint(*drawn)).Output()
	if err != nil {
		t.Skipf("needs python3, whose re is compared with: %v", err)
	}
	if n := compare(t, out); n < *drawn*9/10 {
		t.Errorf("compared %d patterns of %d", n, *drawn)
	}
}

// TestFound: what differed once, with what CPython says.
func TestFound(t *testing.T) {
	lines, err := os.ReadFile("testdata/found.json")
	if err != nil {
		t.Fatal(err)
	}
	if n := compare(t, lines); n < 10 {
		t.Errorf("%d cases", n)
	}
}

// TestStops: a pattern that tries for ages asks whether it is to go on, and for memory.
func TestStops(t *testing.T) {
	for _, pattern := range []string{`(a+)+$`, `(a|aa)*b`, `(.*)*x(.*)*y`, `(?:a?){30}a{30}b`, `(?=(a+)+$)x`, `(\w*\s*)*!`} {
		p, err := sre.Compile(pattern, 0, false)
		if err != nil {
			t.Fatal(err)
		}
		m := sre.NewMatcher(p, strings.Repeat("a", 50)+"c", 51)
		asked := 0
		m.Ask = func(int) {
			if asked++; asked == 100 {
				panic("stop")
			}
		}
		began := time.Now()
		func() {
			defer func() { recover() }()
			if found, err := m.Find(0, false); found != nil || err != nil {
				t.Errorf("%s: got %v, %v", pattern, found, err)
			}
		}()
		if took := time.Since(began); asked < 100 && took > 10*time.Second {
			t.Errorf("%s: asked %d times in %v", pattern, asked, took)
		}
	}
	p, _ := sre.Compile(`(a|b)*c`, 0, false)
	m := sre.NewMatcher(p, strings.Repeat("ab", 1<<18), 1<<19)
	full := errors.New("full")
	m.Room = func(n int) error {
		if n > 1<<22 {
			return full
		}
		return nil
	}
	if _, err := m.At(0, false); err != full {
		t.Errorf("got %v, want the error of memory", err)
	}
}

// TestBytes: in a pattern of bytes a character is a byte.
func TestBytes(t *testing.T) {
	p, err := sre.Compile("[\x80-\xff].", 0, true)
	if err != nil {
		t.Fatal(err)
	}
	m, err := sre.NewMatcher(p, "a\xc3\xa9b", 4).Find(0, false)
	if err != nil || m == nil || !reflect.DeepEqual(m.Places, []int{1, 3}) {
		t.Errorf("got %v, %v", m, err)
	}
}
