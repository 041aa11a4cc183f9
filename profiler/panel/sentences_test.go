package panel_test

import (
	"bytes"
	stdhtml "html"
	"regexp"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
)

var (
	noteOf    = regexp.MustCompile(`<div style="font-size:12px;margin:4px 0">Then: ([^<]*)</div>`)
	headOf    = regexp.MustCompile(`profile <b>[^<]*</b> · (?:running for [^·]* · )?[^·<]* · ([^<]*)</summary>`)
	elementOf = regexp.MustCompile(`<[^>]*>`)
	rowEnd    = strings.NewReplacer("\n", " ", "</td>", " ", "</tr>", "\n", "</summary>", "\n", "</pre>", "")
)

// TestSentences: what panels and pages say first of random profiles, of cells without functions
// too, stands in their rows.
func TestSentences(t *testing.T) {
	profilertest.Sentences(t, 80, 8, func(s *profiler.Stats) (spoken int, problems []string) {
		var page bytes.Buffer
		if err := panel.Page(&page, []*profiler.Stats{s}, panel.Options{}); err != nil {
			t.Fatal(err)
		}
		for name, shown := range map[string]string{"panel": html(s, panel.Options{Title: "In[3]"}),
			"panel of two rows": html(s, panel.Options{NApply: 2, NOps: 2}), "page": page.String()} {
			var notes []string
			if m := headOf.FindStringSubmatch(shown); m != nil && (strings.Contains(m[1], "takes ") || strings.Contains(m[1], " ran in ")) {
				notes = append(notes, stdhtml.UnescapeString(m[1]))
			}
			for _, m := range noteOf.FindAllStringSubmatch(shown, -1) {
				notes = append(notes, stdhtml.UnescapeString(m[1]))
			}
			spoken += len(notes)
			rows, _, _ := strings.Cut(headOf.ReplaceAllString(noteOf.ReplaceAllString(shown, ""), ""), "<b>Text</b>")
			rows = elementOf.ReplaceAllString(rowEnd.Replace(rows), "")
			for _, p := range profilertest.SentenceProblems(s, notes, stdhtml.UnescapeString(rows)) {
				problems = append(problems, "the "+name+" says "+p)
			}
			if strings.Contains(shown, "<b>Cell</b>") && len(s.Cell.Parts()) > 0 && !strings.Contains(shown, "What it was spent in") {
				problems = append(problems, "the "+name+" has no rows of functions")
			}
		}
		return spoken, problems
	})
}
