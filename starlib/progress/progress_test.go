package progress_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/starlibtest"
)

// A pageOut is a page that writes down its displays.
type pageOut struct {
	session.Discard
	shown []string // text by id, and whether it replaces
	pages []string
	at    []time.Time
	out   strings.Builder
	log   []string // what is printed and what is shown, in turn
}

func (*pageOut) Screen() session.Screen { return session.ScreenPage }
func (p *pageOut) Stream(name, text string) {
	p.out.WriteString(name + ":" + text)
	p.log = append(p.log, name+":"+text)
}
func (p *pageOut) Display(data, _ map[string]any, id string, update bool) {
	p.shown = append(p.shown, fmt.Sprintf("%s %t %s", id, update, data["text/plain"]))
	page, _ := data["text/html"].(string)
	p.log = append(p.log, fmt.Sprint(data["text/plain"]))
	p.pages, p.at = append(p.pages, page), append(p.at, time.Now())
}

// lineOut is a terminal that writes down its stderr.
func lineOut(out *strings.Builder) *session.Terminal {
	return &session.Terminal{Out: out, Err: out, Live: true}
}

func run(t *testing.T, out session.Output, code string) error {
	t.Helper()
	s := starlibtest.NewSession(t)
	_, _, err := s.Execute(context.Background(), 1, "from tqdm import tqdm, trange\nfrom tqdm.auto import tqdm as auto\nfrom tqdm.notebook import tqdm as inNotebook\nfrom tqdm import tqdm_notebook\nfrom tqdm.notebook import tqdm_notebook, tnrange\n"+code, out)
	return err
}

var times = regexp.MustCompile(`\[[0-9:?]+((<|&lt;)[0-9:?]+)?, *[0-9.?]+(it/s|s/it|row/s|s/row|[kMG]?B/s)`)

// steady leaves the times out of a line.
func steady(text string) string { return times.ReplaceAllString(text, "[TIME") }

// TestPage: a bar is one output, which is replaced at most ten times a second, at last when it is
// done.
func TestPage(t *testing.T) {
	p := &pageOut{}
	began := time.Now()
	if err := run(t, p, "for i in tqdm(range(50), desc='train'):\n    time.sleep(0.01)"); err != nil {
		t.Fatal(err)
	}
	most := int(time.Since(began)/(100*time.Millisecond)) + 2
	if n := len(p.shown); n < 4 || n > most {
		t.Errorf("got %d lines, want from 4 to %d", n, most)
	}
	ids := map[string]bool{}
	for i, line := range p.shown {
		f := strings.Fields(line)
		ids[f[0]] = true
		if update := f[1] == "true"; update != (i > 0) {
			t.Errorf("line %d: got update %t", i, update)
		}
	}
	first, last := steady(p.shown[0]), steady(p.shown[len(p.shown)-1])
	if len(ids) != 1 || !strings.HasSuffix(first, " train:   0%|          | 0/50 [TIME]") || !strings.HasSuffix(last, " train: 100%|██████████| 50/50 [TIME]") {
		t.Errorf("got %s ... %s of %d outputs", first, last, len(ids))
	}
	if got := steady(p.pages[len(p.pages)-1]); got != `<div style="font-family:monospace">train: 100% <progress value="50" max="50"></progress> 50/50 [TIME]</div>` {
		t.Errorf("got %s", got)
	}
}

// TestLines: what bars of all kinds show last.
func TestLines(t *testing.T) {
	for _, c := range []struct{ code, shown, out string }{
		{"for i in tqdm([1, 2, 3]): pass", "100%|██████████| 3/3 [TIME]", ""},
		{"print(sum(auto(range(4))), list(trange(2, 4)))", "100%|██████████| 4/4 [TIME] 100%|██████████| 2/2 [TIME]", "stdout:6 [2, 3]\n"},
		{"def g():\n    yield 1\n    yield 2\n    yield 3\nfor i in tqdm(g()): pass", "3it [TIME]", ""},
		{"for i in tqdm((x for x in range(3)), total=4, unit='row'): pass", " 75%|███████▌  | 3/4 [TIME]", ""},
		{"for i, x in enumerate(tqdm('abc')): pass\nprint(i, x)", "100%|██████████| 3/3 [TIME]", "stdout:2 c\n"},
		{"for x, y in zip(tqdm([1, 2, 3]), [4, 5]): pass", " 67%|██████▋   | 2/3 [TIME]", ""},
		{"for i in tqdm(range(10)):\n    if i == 4: break", " 40%|████      | 4/10 [TIME]", ""},
		{"for i in tqdm(range(10), disable=True): pass", "", ""},
		{"for i in tqdm(range(10), leave=False): pass", " ", ""},
		{"for i in progress(range(2), 'p'): pass", "p: 100%|██████████| 2/2 [TIME]", ""},
		{"for i in tqdm(range(2), 'q', ascii=True): pass", "q: 100%|##########| 2/2 [TIME]", ""},
		{"b = tqdm(total=10, initial=5)\nb.update(2); b.update()\nb.set_postfix(loss=0.123456, acc=1)\nb.close()\nprint(b.n)", " 80%|████████  | 8/10 [TIME, acc=1, loss=0.123]", "stdout:8\n"},
		{"with tqdm(total=2000, unit='B', unit_scale=True, unit_divisor=1000) as b:\n    b.update(1500)\n    b.set_description('get')", "get:  75%|███████▌  | 1.50k/2.00k [TIME]", ""},
		{"with tqdm(total=8, unit='B', unit_scale=1000) as b:\n    b.update(2)", " 25%|██▌       | 2000/8000 [TIME]", ""},
		{"with tqdm(total=8, unit='B', unit_scale=0.5) as b:\n    b.update(9)", "4.5B [TIME]", ""},
		{"with tqdm(total=8, unit='B', unit_scale=1) as b:\n    b.update(2)", " 25%|██▌       | 2.00/8.00 [TIME]", ""},
		{"b = tqdm(range(5))\nit = iter(b)\nfor x, y in zip(range(2), it): pass\nprint(list(it), b.n)", "100%|██████████| 5/5 [TIME]", "stdout:[2, 3, 4] 5\n"},
		{"b = tqdm(total=3); b.n = 2; b.total = 4; b.refresh()", " 50%|█████     | 2/4 [TIME]", ""},
		{"b = tqdm(total=3); b.update(5)", "5it [TIME]", ""},
		{"for i in tqdm([]): pass", "0it [TIME]", ""},
		{"for i in tqdm(range(2)):\n    tqdm.write('w%d' % i)", "100%|██████████| 2/2 [TIME]", "stdout:w0\nstdout:w1\n"},
		{"print(len(tqdm([1, 2])), tqdm([1], desc='d').desc, bool(tqdm([])))", "", "stdout:2 d False\n"},
	} {
		p := &pageOut{}
		if err := run(t, p, c.code); err != nil {
			t.Errorf("%s: %v", c.code, err)
			continue
		}
		last, ids := map[string]string{}, []string{}
		for _, line := range p.shown {
			f := strings.SplitN(line, " ", 3)
			if _, ok := last[f[0]]; !ok {
				ids = append(ids, f[0])
			}
			last[f[0]] = steady(f[2])
		}
		var got []string
		for _, id := range ids {
			got = append(got, last[id])
		}
		if text := strings.Join(got, " "); text != strings.TrimSuffix(c.shown, " ") || p.out.String() != c.out {
			t.Errorf("%s:\ngot  %q, printed %q\nwant %q, printed %q", c.code, text, p.out.String(), c.shown, c.out)
		}
	}
}

// TestNested: inner bars that leave nothing share an output.
func TestNested(t *testing.T) {
	p := &pageOut{}
	if err := run(t, p, "for i in tqdm(range(3)):\n    for j in tqdm(range(2), leave=False): pass"); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, line := range p.shown {
		ids[strings.Fields(line)[0]] = true
	}
	if len(ids) != 2 {
		t.Errorf("got %d outputs, want 2:\n%s", len(ids), strings.Join(p.shown, "\n"))
	}
	var out strings.Builder
	if err := run(t, lineOut(&out), "for i in tqdm(range(2), 'outer'):\n    for j in tqdm(range(2), 'inner', leave=False): tqdm.write('w')"); err != nil {
		t.Fatal(err)
	}
	if got := screenAfter(out.String()); steady(got) != "w\nw\nw\nw\nouter: 100%|██████████| 2/2 [TIME]\n" {
		t.Errorf("got\n%s\nof %q", got, out.String())
	}
	out.Reset()
	if err := run(t, lineOut(&out), "for i in tqdm(range(2), 'outer'):\n    for j in tqdm(range(2), 'inner'): pass\nprint('done')"); err != nil {
		t.Fatal(err)
	}
	if got := screenAfter(out.String()); steady(got) != "inner: 100%|██████████| 2/2 [TIME]\ninner: 100%|██████████| 2/2 [TIME]\nouter: 100%|██████████| 2/2 [TIME]\ndone\n" {
		t.Errorf("got\n%s\nof %q", got, out.String())
	}
}

// screenAfter is what a terminal shows of text with \r, \n and the code of going up.
func screenAfter(text string) string {
	lines, row, col := [][]rune{{}}, 0, 0
	for r := []rune(text); len(r) > 0; r = r[1:] {
		switch {
		case r[0] == '\r':
			col = 0
		case r[0] == '\n':
			row, col = row+1, 0
			if row == len(lines) {
				lines = append(lines, nil)
			}
		case strings.HasPrefix(string(r), "\x1b[A"):
			row, r = max(row-1, 0), r[2:]
		default:
			for len(lines[row]) <= col {
				lines[row] = append(lines[row], ' ')
			}
			lines[row][col] = r[0]
			col++
		}
	}
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(string(l), " "))
	}
	return b.String()
}

// TestSilent: nothing goes to a file.
func TestSilent(t *testing.T) {
	var out strings.Builder
	if err := run(t, &session.Terminal{Out: &out, Err: &out}, "for i in tqdm(range(3)): tqdm.write('w')\nb = tqdm(total=3); b.update(); b.close()"); err != nil || out.String() != "w\nw\nw\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

// TestEnds: a bar is shown for the last time however its loop ends, and an error of what it goes
// through is the loop's.
func TestEnds(t *testing.T) {
	for code, want := range map[string]string{
		"for i in tqdm(range(4)):\n    if i == 2: 1 // 0":                                                "ZeroDivisionError",
		"def g():\n    yield 1\n    yield 2\n    raise KeyError('k')\nfor i in tqdm(g(), total=4): pass": "KeyError",
		"b = tqdm(total=4)\nb.update(2)\n1 // 0":                                                         "ZeroDivisionError",
	} {
		p := &pageOut{}
		err := run(t, p, code)
		last := steady(strings.Join(p.shown[max(len(p.shown)-1, 0):], ""))
		if e, ok := err.(*starlib.Error); !ok || e.Name() != want || !strings.HasSuffix(last, " 50%|█████     | 2/4 [TIME]") {
			t.Errorf("%s: got %v and %s", code, err, last)
		}
	}
}

// TestRefusals are the errors of arguments.
func TestRefusals(t *testing.T) {
	for code, want := range map[string]string{
		"tqdm(3)":                      "TypeError: tqdm: got int, want an iterable such as a list",
		"tqdm([1], totl=3)":            "TypeError: tqdm: unexpected keyword argument totl (did you mean total?)",
		"tqdm([1], unit_divisor=1)":    "ValueError: tqdm: for parameter unit_divisor: got 1, want more than 1",
		"b = tqdm(total=1); b.n = 'x'": "tqdm: for .n: got string, want a number",
		"b = tqdm(total=1); b.x = 1":   "tqdm has no attribute .x to assign to: n, total, desc, unit and leave are",
		"tqdm(total=1).update('x')":    "update: for parameter n: got string, want a number",
		"tqdm.pandas()":                "has no .pandas field or method",
	} {
		if err := run(t, &pageOut{}, code); err == nil || !strings.Contains(err.(*starlib.Error).Name()+": "+err.Error(), want) {
			t.Errorf("%s: got %v, want %s", code, err, want)
		}
	}
}

// TestMeter compares lines with those that tqdm 4.64 writes for the same numbers.
func TestMeter(t *testing.T) {
	s := starlibtest.NewSession(t)
	starlibtest.Run(t, s, 1, "from tqdm.std import format_meter, format_interval, format_sizeof")
	for code, want := range map[string]string{
		"format_meter(0, 1000, 13)":                                         "  0%|          | 0/1000 [00:13<?, ?it/s]",
		"format_meter(231, 1000, 392)":                                      " 23%|██▎       | 231/1000 [06:32<21:44,  1.70s/it]",
		"format_meter(10000, 1000, 13)":                                     "10000it [00:13, 769.23it/s]",
		"format_meter(231, 1000, 392, ascii=True)":                          " 23%|##3       | 231/1000 [06:32<21:44,  1.70s/it]",
		"format_meter(100000, 1000, 13, unit_scale=True, unit='iB')":        "100kiB [00:13, 7.69kiB/s]",
		"format_meter(100, 1000, 12, rate=7.33)":                            " 10%|█         | 100/1000 [00:12<02:02,  7.33it/s]",
		"format_meter(20, 100, 12, rate=8.1, prefix='desc', postfix='a=1')": "desc:  20%|██        | 20/100 [00:12<00:09,  8.10it/s, a=1]",
		"format_meter(0, None, 3, prefix='d')":                              "d: 0it [00:03, ?it/s]",
		"format_interval(60)":                                               "01:00",
		"format_interval(6160)":                                             "1:42:40",
		"format_interval(238113)":                                           "66:08:33",
		"format_sizeof(9)":                                                  "9.00",
		"format_sizeof(99)":                                                 "99.0",
		"format_sizeof(999)":                                                "999",
		"format_sizeof(9994)":                                               "9.99k",
		"format_sizeof(99999, 'B')":                                         "100kB",
		"format_sizeof(9999999)":                                            "10.0M",
		"format_sizeof(999999999999)":                                       "1.00T",
	} {
		if got, _ := starlibtest.Run(t, s, 2, "print("+code+")"); got != "" {
			t.Errorf("%s: got %s", code, got)
		}
		if _, out := starlibtest.Run(t, s, 2, "print("+code+")"); out.String() != "stdout: "+want+"\n" {
			t.Errorf("%s: got %q, want %q", code, out.String(), want)
		}
	}
}

// BenchmarkSteps is a loop of a million steps, with a bar and without.
func BenchmarkSteps(b *testing.B) {
	for _, c := range []struct{ name, over string }{{"bare", "range(1000000)"}, {"list", "list(range(1000000))"}, {"tqdm", "tqdm(range(1000000))"}, {"tqdm list", "tqdm(list(range(1000000)))"},
		{"enumerate", "enumerate(tqdm(range(1000000)))"}} {
		b.Run(c.name, func(b *testing.B) {
			s := starlibtest.NewSession(b)
			s.Execute(context.Background(), 1, "from tqdm import tqdm", nil)
			for b.Loop() {
				if _, _, err := s.Execute(context.Background(), 2, "def f():\n    k = 0\n    for i in "+c.over+":\n        k += 1\nf()", &pageOut{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
