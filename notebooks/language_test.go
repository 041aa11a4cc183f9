package notebooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib"
)

// TestLanguage: without a front end the script prints what the notebook shows, to the letter.
func TestLanguage(t *testing.T) {
	nb, _ := read(t, "language.ipynb")
	var want strings.Builder
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			switch {
			case o.Type == "stream" && o.Name == "stdout":
				want.WriteString(string(o.Text))
			case o.Type == "execute_result":
				text, ok := o.Data.Text("text/plain")
				if !ok {
					t.Fatalf("cell %s: got no text", c.ID)
				}
				want.WriteString(string(text) + "\n")
			default:
				t.Errorf("cell %s: got an output %s %s%s, want values and printed text", c.ID, o.Type, o.Name, o.Class)
			}
		}
	}
	text, err := os.ReadFile("language.star")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "language.star") // where cells write their files
	if err := os.WriteFile(script, text, 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	s := starlib.NewSession(starlib.Options{})
	if err := s.RunFile(t.Context(), script, &starlib.Terminal{Out: &stdout, Err: &stderr}); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if stdout.String() != want.String() || want.Len() == 0 {
		t.Errorf("got\n%s\nwant\n%s", stdout.String(), want.String())
	}
	for _, part := range []string{"[ 4, 21]", "no progress any more", "0.66524096"} {
		if !strings.Contains(want.String(), part) {
			t.Errorf("got no %q in\n%s", part, want.String())
		}
	}
}
