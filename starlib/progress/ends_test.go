package progress_test

import (
	"slices"
	"strings"
	"testing"
)

// TestClosesWithItsLoop: whatever goes through a bar, it is shown for the last time when its last
// element has been asked for, and not when the cell is over.
func TestClosesWithItsLoop(t *testing.T) {
	for code, want := range map[string]string{
		"for x in B: pass":                               "100%|██████████| 2/2 [TIME]",
		"for i, x in enumerate(B): pass":                 "100%|██████████| 2/2 [TIME]",
		"for i, x in zip(B, [4, 5]): pass":               "100%|██████████| 2/2 [TIME]",
		"for i, x in zip([4, 5], B): pass":               " 50%|█████     | 1/2 [TIME]",
		"for i, x in zip(B, [4]): pass":                  " 50%|█████     | 1/2 [TIME]",
		"for x in map(lambda x: x, B): pass":             "100%|██████████| 2/2 [TIME]",
		"for x in filter(None, B): pass":                 "100%|██████████| 2/2 [TIME]",
		"[x for x in B]":                                 "100%|██████████| 2/2 [TIME]",
		"[x for i, x in enumerate(B)]":                   "100%|██████████| 2/2 [TIME]",
		"list(B)":                                        "100%|██████████| 2/2 [TIME]",
		"list(enumerate(B))":                             "100%|██████████| 2/2 [TIME]",
		"dict(enumerate(B))":                             "100%|██████████| 2/2 [TIME]",
		"sum(B), max(x for x in [1])":                    "100%|██████████| 2/2 [TIME]",
		"for x in (x for x in B): pass":                  "100%|██████████| 2/2 [TIME]",
		"it = iter(B)\nnext(it), next(it), next(it, 0)":  "100%|██████████| 2/2 [TIME]",
		"def f():\n    yield from B\nfor x in f(): pass": "100%|██████████| 2/2 [TIME]",
		"a, b = B":                             "100%|██████████| 2/2 [TIME]",
		"for x in B: break":                    "  0%|          | 0/2 [TIME]",
		"for i, x in enumerate(B): break":      "  0%|          | 0/2 [TIME]",
		"for i, x in zip([4, 5], B): break":    "  0%|          | 0/2 [TIME]",
		"for x in map(lambda x: x, B): break":  "  0%|          | 0/2 [TIME]",
		"for x in filter(None, B): break":      "  0%|          | 0/2 [TIME]",
		"for i in enumerate(zip(B, B)): break": "  0%|          | 0/2 [TIME]",
		"def g():\n    yield 1\n    yield 2\nfor i, x in enumerate(tqdm(g())): break": "0it [TIME]",
		"it = iter(B)\nfor i in zip([4], it): pass\nfor x in it: pass":                "100%|██████████| 2/2 [TIME]",
		"try:\n    for i, x in enumerate(B): x / 0\nexcept Exception: pass":           "  0%|          | 0/2 [TIME]",
		"def f():\n    for i, x in enumerate(B): return i\nf()":                       "  0%|          | 0/2 [TIME]",
		"e = enumerate(B)\nfor i in e: break\nfor i in e: pass":                       "100%|██████████| 2/2 [TIME]",
		"e = enumerate(tqdm([1, 2, 3]))\nfor i in e: break\nfor i in e: break":        " 33%|███▎      | 1/3 [TIME]",
		"for i, x in enumerate(x for x in B): pass":                                   "100%|██████████| 2/2 [TIME]",
		"from itertools import chain, islice\nfor x in chain(B, [3]): pass":           "100%|██████████| 2/2 [TIME]",
	} {
		p := &pageOut{}
		if err := run(t, p, strings.ReplaceAll(code, "B", "tqdm([1, 2])")+"\nprint('after')"); err != nil {
			t.Errorf("%s: %v", code, err)
			continue
		}
		at := slices.IndexFunc(p.log, func(line string) bool { return strings.HasPrefix(line, "stdout:") }) - 1
		if last := p.log[len(p.log)-1]; !strings.HasPrefix(last, "stdout:") {
			t.Errorf("%s: the end of the cell shows %s", code, last)
		}
		if got := steady(p.log[at]); got != want {
			t.Errorf("%s: got %s, want %s", code, got, want)
		}
	}
}

// TestRefreshShowsAtOnce: what a program changes is shown before it goes on.
func TestRefreshShowsAtOnce(t *testing.T) {
	for code, want := range map[string]string{
		"b.set_description('d')":                         "d:   0%|          | 0/2 [TIME]",
		"b.set_postfix(a=1)":                             "  0%|          | 0/2 [TIME, a=1]",
		"b.set_postfix_str('ok')":                        "  0%|          | 0/2 [TIME, ok]",
		"b.n = 1; b.refresh()":                           " 50%|█████     | 1/2 [TIME]",
		"b.set_description('d', refresh=False)":          "  0%|          | 0/2 [TIME]",
		"b.set_postfix(a=1, refresh=False)\nb.refresh()": "  0%|          | 0/2 [TIME, a=1]",
	} {
		p := &pageOut{}
		if err := run(t, p, "b = tqdm(total=2)\n"+code+"\nprint('after')"); err != nil {
			t.Errorf("%s: %v", code, err)
			continue
		}
		at := slices.Index(p.log, "stdout:after\n") - 1
		if got := steady(p.log[max(at, 0)]); got != want {
			t.Errorf("%s: got %s, want %s", code, got, want)
		}
	}
}
