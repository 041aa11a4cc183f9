package np_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/arignote/arignote/starlib"
	"go.starlark.net/starlark"
)

// TestPrinting compares with what NumPy prints: testdata/printing.py says how.
func TestPrinting(t *testing.T) {
	text, err := os.ReadFile("testdata/printing.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s := starlib.NewSession(starlib.Options{})
	run := func(code string) error {
		_, _, err := s.Execute(context.Background(), 1, code, nil)
		return err
	}
	if err := run("standard = np.get_printoptions()"); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	count, failures := 0, 0
	for lines.Scan() && failures < 20 {
		var c [6]string
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		options, array, arguments := c[0], c[1], c[4]
		count++
		code := "np.set_printoptions(**standard)\nnp.set_printoptions(%s)\nx = %s\nv = [repr(x), str(x), np.array2string(x, %s)]"
		if err := run(fmt.Sprintf(code, options, array, arguments)); err != nil {
			t.Errorf("%s: %v", array, err)
			failures++
			continue
		}
		v, _ := s.Lookup("v")
		for i, want := range []string{c[2], c[3], c[5]} {
			if got := string(v.(*starlark.List).Index(i).(starlark.String)); got != want {
				t.Errorf("%s, options %s; array2string with %s\n%s:\n%s\nwant\n%s",
					array, options, arguments, []string{"repr", "str", "array2string"}[i], got, want)
				failures++
			}
		}
	}
	if err := lines.Err(); err != nil || count == 0 {
		t.Fatal(count, err)
	}
	t.Logf("%d arrays", count)
}
