package export_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/runtime/files"
)

// TestPanelsOfModels: the panels of the tutorials' networks have a picture of their memory and one
// of their dearest nodes, and the rows that there is room for.
func TestPanelsOfModels(t *testing.T) {
	for _, name := range []string{"lenet", "mlp"} {
		all, err := export.Read(files.Open(), "../../notebooks/tutorial/"+name+".ipynb")
		if err != nil {
			t.Fatal(err)
		}
		asked, filled := panel.HTML(all, panel.Options{Title: "In[4]"}), panel.HTML(all, panel.Options{Title: "In[4]", Fill: true})
		for _, want := range []string{`alt="Bytes that live`, `alt="The graph: the dearest 15 of`, "<b>All rows</b>", "<b>Cell</b>", "<b>Lines"} {
			if !strings.Contains(filled, want) {
				t.Errorf("%s: the panel has no %s", name, want)
			}
		}
		if a, b := strings.Count(asked, "<tr"), strings.Count(filled, "<tr"); a >= b {
			t.Errorf("%s: %d rows where there is room for more, and %d where not", name, b, a)
		}
		if len(filled) < 85_000 || len(filled) > 100_000 {
			t.Errorf("%s: got %d bytes, want nearly 100 000", name, len(filled))
		}
	}
}
