package config

import (
	"encoding/json"
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

var iniTexts = []string{
	"", "# nothing\n", "[a]\n", "[a]\nx=1", "[a]\nX = 1\nx: 2\n", "[a]\nx = 1 ; not a comment\ny=2 # nor this\n", "[a]\nx =\n  one\n  two\n\n  three\ny = 1\n",
	"[a]\nx = 1\n\n\n", "[a]\n  x = 1\n  y = 2\n    more\n z = 3\n", "  [a]\n  x = 1\n[b]\nx = 2\n[a]\nx = 3\n", "[a]\nx = one\n# comment\n  two\n; comment\n three\n",
	"[a]\r\nx = 1\r\ny = 2\r\n", "[a]\rx = 1\ry = 2", "[a b]c]\nx=1\n", "[a] trailing\nx = 1\n", "[a]\nx = [b]\n[]=3\n", "[a]\nx = y = z : w\n", "[a]\nx = %(home)s/%%\n", "[a]\n\tx = 1\n\t\ttwo\n",
	"[a]\nä = ö\nK x = v\n", "[a]\nx:\n", "[global]\nfloatX = float32\ngcc.cxxflags = -O3 -march=native\n[DebugMode]\ncheck_c=True\n",
	"x = 1\n", "[a]\nx\n", "[a]\n=1\n", "[a]\n[\n", "[a]\n[]\n", "[a]\n[]x\n", "  x = 1", "[a]\nx=1\ny\n",
}

// TestINI compares with Python's configparser, without interpolation and its objection to what is
// there twice.
func TestINI(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	texts, err := json.Marshal(iniTexts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", `
import configparser, io, json, sys
out = []
for text in json.load(sys.stdin):
    p = configparser.RawConfigParser(strict=False)
    try:
        p.read_file(io.StringIO(text, newline=None))
        out.append({s: dict(p.items(s)) for s in p.sections() if p.items(s)})
    except configparser.Error:
        out.append(None)
json.dump(out, sys.stdout)`)
	cmd.Stdin = strings.NewReader(string(texts))
	answer, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []map[string]map[string]string
	if err := json.Unmarshal(answer, &want); err != nil {
		t.Fatal(err)
	}
	for i, text := range iniTexts {
		items, err := parseINI(text)
		if (err != nil) != (want[i] == nil) {
			t.Errorf("%q: got error %v, Python has %v", text, err, want[i])
			continue
		}
		got := map[string]map[string]string{}
		for _, item := range items {
			if got[item.section] == nil {
				got[item.section] = map[string]string{}
			}
			got[item.section][item.key] = item.value
		}
		if err == nil && !reflect.DeepEqual(got, want[i]) {
			t.Errorf("%q: got %v, Python has %v", text, got, want[i])
		}
	}
}

// FuzzINI: whatever the text is, every item is on a line that there is, in order, and has a key.
func FuzzINI(f *testing.F) {
	for _, text := range iniTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		items, err := parseINI(text)
		if err != nil {
			if len(items) != 0 {
				t.Errorf("got items with %v", err)
			}
			return
		}
		last, lines := 0, 1+strings.Count(text, "\n")+strings.Count(text, "\r")
		for _, item := range items {
			if item.key == "" || item.line <= last || item.line > lines {
				t.Errorf("got %+v after line %d of %d", item, last, lines)
			}
			last = item.line
			if strings.TrimRight(item.value, " \t\n") != item.value {
				t.Errorf("got the value %q", item.value)
			}
		}
	})
}
