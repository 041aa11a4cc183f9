package panel_test

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
)

var pieceOf = regexp.MustCompile(`<td width="(\d+)%" title="([^"]*) ([\d.]+)\x{a0}%, [^"]*" style="padding:1px 6px;background`)

// TestHead: the bar has the parts of the cell's time, as wide as they are; with its head alone a
// panel has all that it has else, folded.
func TestHead(t *testing.T) {
	bars := 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 11))
		s := profilertest.Random(r)
		s.Cell = profilertest.RandomCell(r, s)
		page := html(s, panel.Options{Title: "In[3]", Open: true})
		parts := map[string]float64{}
		for _, p := range s.Cell.Parts() {
			parts[string(p.Kind)] = 100 * s.Cell.Share(p.Time)
		}
		for _, m := range pieceOf.FindAllStringSubmatch(page, -1) {
			width, _ := strconv.ParseFloat(m[1], 64)
			if want := parts[m[2]]; width < want-0.51 || width > want+0.51 {
				t.Errorf("seed %d: %s is %s wide, want %.1f", seed, m[2], m[1], want)
			}
			delete(parts, m[2])
			bars++
		}
		for kind, share := range parts {
			if s.Cell.Sampled() && share >= 1 {
				t.Errorf("seed %d: the bar has no %s of %.1f %%", seed, kind, share)
			}
		}
		head := html(s, panel.Options{Title: "In[3]", Head: true})
		profilertest.Survives(t, head)
		first, rest, ok := strings.Cut(head, "<b>All of it</b>")
		if !ok || !strings.HasPrefix(head, "<details open") || strings.Contains(first, "<th ") {
			t.Errorf("seed %d: the head alone begins with %.300s", seed, head)
		}
		for _, fold := range regexp.MustCompile(`<b>[A-Z][^<]*</b> · `).FindAllString(page, -1) {
			if !strings.Contains(fold, "In[3]") && !strings.Contains(fold, "Text") && !strings.Contains(rest, fold) {
				t.Errorf("seed %d: %s is not in what is folded", seed, fold)
			}
		}
	}
	if bars < 24 {
		t.Errorf("got %d parts of bars", bars)
	}
}

// TestLegend: the legend has the words that a panel uses, and no others.
func TestLegend(t *testing.T) {
	of := func(op string) string {
		s := training(t)
		for _, n := range s.Functions[0].Nodes {
			n.Op = op
		}
		_, legend, _ := strings.Cut(html(s, panel.Options{}), "<b>Legend</b>")
		return legend
	}
	for word, op := range map[string]string{"for{cpu,...}": "for{cpu,grad_of_scan_fn}", "Elemwise{Composite{...}}": "Elemwise{Composite{tanh(i0)}}",
		"...[(0, 2)]": "Elemwise{add}[(0, 2)]", "no_inplace": "Elemwise{add,no_inplace}", "Gemm, Gemv, dot": "Gemv{inplace}"} {
		if plain := of("Sort"); !strings.Contains(plain, ">roof<") || strings.Contains(plain, word) {
			t.Errorf("without %s: %s", op, plain)
		}
		if !strings.Contains(strings.ReplaceAll(of(op), "<wbr>", ""), word) {
			t.Errorf("the legend of %s has no %s", op, word)
		}
	}
	s := training(t)
	s.Machine = nil
	if _, legend, ok := strings.Cut(html(s, panel.Options{}), "<b>Legend</b>"); !ok || strings.Contains(legend, ">roof<") {
		t.Error("without a machine the legend explains its roof")
	}
	if strings.Contains(html(&profiler.Stats{Name: "f"}, panel.Options{}), "<b>Legend</b>") {
		t.Error("a profile of nothing has a legend")
	}
}
