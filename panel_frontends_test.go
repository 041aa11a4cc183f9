package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/graph"
)

// The profile's panel, as the front ends show it: through JupyterLab's own sanitizer, through
// nbconvert, and in a browser.

// panelCells train a logistic regression; the last one is profiled.
var panelCells = []string{
	"config.profile_memory = True\nconfig.profile_optimizer = True",
	`rng = np.random.RandomState(42)
N, feats = 400, 784
D = (rng.randn(N, feats), rng.randint(size = N, low = 0, high = 2))

x = T.dmatrix("x")
y = T.dvector("y")
w = shared(rng.randn(feats), name = "w")
b = shared(0.0, name = "b")`,
	`p_1 = 1 / (1 + T.exp(-T.dot(x, w) - b))            # probability that target = 1
prediction = p_1 > 0.5
xent = -y * T.log(p_1) - (1 - y) * T.log(1 - p_1)  # cross-entropy
cost = xent.mean() + 0.01 * T.sqr(w).sum()
gw, gb = grad(cost, [w, b])`,
	`train = function(
    inputs = [x, y],
    outputs = [prediction, xent],
    updates = [(w, w - 0.1 * gw), (b, b - 0.1 * gb)],
    name = "train",
)`,
	`%%profile
for i in range(200):
    pred, err = train(D[0], D[1])`,
}

func TestPanel(t *testing.T) {
	if testing.Short() {
		t.Skip("front ends take a minute")
	}
	needPython(t, "nbclient", "python3-nbclient")
	t.Parallel()
	p := trained(t)
	t.Run("sanitizer", p.sanitizer)
	t.Run("nbconvert", p.nbconvert)
	t.Run("page", p.page)
	t.Run("pictures", p.pictures)
}

// A trainedCell is a notebook whose last cell has a panel.
type trainedCell struct {
	installed
	dir, notebook, html string
	stats               []*profiler.Stats
}

// trained runs the cells in the kernel.
func trained(t *testing.T) trainedCell {
	t.Helper()
	p := trainedCell{installed: build(t), dir: t.TempDir()}
	in := p.save(t, "in.ipynb", notebookOf(panelCells, ""))
	p.notebook = filepath.Join(p.dir, "profile.ipynb")
	if stdout, stderr, err := p.python(t, 120*time.Second, "testdata/frontends/execute.py", in, p.notebook); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	text, err := os.ReadFile(p.notebook)
	if err != nil {
		t.Fatal(err)
	}
	var nb shownPage
	if err := json.Unmarshal(text, &nb); err != nil {
		t.Fatal(err)
	}
	for _, o := range nb.Cells[len(nb.Cells)-1].Outputs {
		var lines []string
		if json.Unmarshal(o.Data["text/html"], &lines) == nil {
			p.html = strings.Join(lines, "")
		}
		if data := o.Data["application/vnd.arignote.profile+json"]; data != nil {
			if err := json.Unmarshal(data, &p.stats); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !strings.Contains(p.html, "<details") || len(p.stats) != 1 {
		t.Fatalf("got no profile: %.500s", text)
	}
	if len(p.stats[0].Sources) == 0 { // the session may not know them
		for i, source := range panelCells {
			p.stats[0].AddSource(fmt.Sprintf("In[%d]", i+1), source)
		}
	}
	return p
}

// notebookOf has a cell of each source; the last one has an output, if there is one.
func notebookOf(sources []string, output string) map[string]any {
	type object = map[string]any
	cells := []object{}
	for i, source := range sources {
		cells = append(cells, object{"cell_type": "code", "id": fmt.Sprint("c", i), "source": source, "metadata": object{}, "outputs": []object{}, "execution_count": nil})
	}
	if output != "" {
		cells[len(cells)-1]["outputs"] = []object{{"output_type": "display_data", "metadata": object{}, "data": object{"text/html": output, "text/plain": "profile"}}}
	}
	return object{"nbformat": 4, "nbformat_minor": 5, "cells": cells,
		"metadata": object{"kernelspec": object{"name": "arignote", "display_name": "Starlark (Arignote)", "language": "starlark"}}}
}

func (p trainedCell) save(t *testing.T, name string, notebook map[string]any) (path string) {
	t.Helper()
	text, err := json.Marshal(notebook)
	path = filepath.Join(p.dir, name)
	if err == nil {
		err = os.WriteFile(path, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// sanitizer passes panels through JupyterLab's sanitizer: it may change nothing. What it does
// change shows that it is at work.
func (p trainedCell) sanitizer(t *testing.T) {
	s := newSanitizer(t)
	hostile := profilertest.Training(t, true)
	hostile.Name = `<script>alert("1")</script>'"><img src=x onerror=alert(1)>`
	for _, n := range hostile.Functions[0].Nodes {
		n.Text, n.Op, n.Class, n.Impl = hostile.Name, hostile.Name, hostile.Name, hostile.Name
		n.Origin = profiler.Origin{Frames: []graph.Frame{{File: hostile.Name, Line: 3, Func: hostile.Name}}, Role: hostile.Name}
	}
	hostile.AddSource(hostile.Name, strings.Repeat(hostile.Name+"\n", 5))
	for name, dirty := range map[string]string{
		"trained": p.html,
		"hostile": panel.HTML([]*profiler.Stats{hostile}, panel.Options{Title: hostile.Name, Rewrites: true}),
		"several": panel.HTML([]*profiler.Stats{profilertest.Training(t, true), profilertest.Seed004(t)}, panel.Options{Open: true}),
		"live":    panel.HTML([]*profiler.Stats{profilertest.Training(t, true)}, panel.Options{Running: 2 * time.Second}),
	} {
		if _, changes := s.run(t, dirty); len(changes) > 0 {
			t.Errorf("%s: the sanitizer changes\n%s", name, strings.Join(changes, "\n"))
		}
	}
	for name, dirty := range map[string]string{
		"a variable": `<div style="color:var(--jp-content-font-color1)">x</div>`,
		"a script":   `<div>x<script>alert(1)</script></div>`,
		"an id":      `<div id="x">x</div>`,
		"a picture":  `<svg width="1"></svg>`,
	} {
		if _, changes := s.run(t, dirty); len(changes) == 0 {
			t.Errorf("the sanitizer leaves %s in place: the gate cannot fail", name)
		}
	}
}

// A sanitizer is a folder with node's packages.
type sanitizer struct{ dir string }

// newSanitizer installs the package whose version is pinned in testdata.
func newSanitizer(t *testing.T) sanitizer {
	t.Helper()
	needProgram(t, "node", "nodejs")
	return sanitizer{npmPackages(t, "sanitizer", "sanitize.mjs")}
}

// npmPackages installs the packages whose versions are pinned in a folder of testdata, once for
// each version, with further files of that folder, and returns where.
func npmPackages(t *testing.T, name string, further ...string) string {
	t.Helper()
	needProgram(t, "npm", "npm")
	files := append([]string{"package.json", "package-lock.json"}, further...)
	sum := sha256.New()
	texts := make(map[string][]byte)
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join("testdata", name, file))
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = text
		sum.Write(text)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "arignote-tests")
	dir := filepath.Join(cache, name+"-"+hex.EncodeToString(sum.Sum(nil))[:16])
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	if err := os.MkdirAll(cache, 0o777); err != nil {
		t.Fatal(err)
	}
	fresh, err := os.MkdirTemp(cache, "new-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(fresh)
	for _, file := range files {
		if err := os.WriteFile(filepath.Join(fresh, file), texts[file], 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-timeout=60000")
	cmd.Dir = fresh
	if out, err := cmd.CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("EINTEGRITY")) {
			t.Fatalf("npm ci: %v\n%s", err, out)
		}
		t.Skipf("%s is not installed and npm cannot fetch it: %v\n%s", name, err, out)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, other := os.Stat(dir); other != nil { // that another test was faster is as well
			t.Fatal(err)
		}
	}
	return dir
}

// run returns what is left of HTML, and how its tree differs.
func (s sanitizer) run(t *testing.T, dirty string) (clean string, changes []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", "sanitize.mjs")
	cmd.Dir, cmd.Stdin = s.dir, strings.NewReader(dirty)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, &stderr)
	}
	var result struct {
		HTML    string
		Changes [][2]string
	}
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatal(err)
	}
	for _, c := range result.Changes {
		changes = append(changes, fmt.Sprintf("%.300s\ninto %.300s", c[0], c[1]))
	}
	return result.HTML, changes
}

// nbconvert makes pages with both of its templates: the panel is in each, letter by letter.
func (p trainedCell) nbconvert(t *testing.T) {
	needPython(t, "nbconvert", "python3-nbconvert")
	for _, template := range []string{"lab", "classic"} {
		text, err := os.ReadFile(p.convert(t, p.notebook, template, "light"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte(strings.TrimSpace(p.html))) {
			t.Errorf("%s: the panel is not in the page as the kernel sent it", template)
		}
	}
}

// convert makes a web page of a notebook.
func (p trainedCell) convert(t *testing.T, notebook, template, theme string) (file string) {
	t.Helper()
	name := template + "-" + theme
	if stdout, stderr, err := p.python(t, 120*time.Second, "-m", "nbconvert", "--to", "html", "--template", template, "--HTMLExporter.theme="+theme,
		"--output-dir", p.dir, "--output", name, notebook); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	return filepath.Join(p.dir, name+".html")
}

// page opens a profile's file in a browser: headers sort, the filter hides, and nothing is fetched.
func (p trainedCell) page(t *testing.T) {
	needProgram(t, "chromium", "chromium")
	needProgram(t, "chromedriver", "chromium-driver")
	hostile := p.stats[0].Clone()
	hostile.Name = `</script><script>document.title = "broken"</script>`
	var b bytes.Buffer
	if err := panel.Page(&b, []*profiler.Stats{hostile}, panel.Options{Title: "In[5]", Rewrites: true}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(p.dir, "page.html")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	w := drive(t)
	w.call("POST", "url", map[string]any{"url": "file://" + file}, nil)
	w.until(30*time.Second, `return document.readyState == "complete"`)
	w.check("title", "return document.title", "profile In[5] · "+hostile.Name)
	// The table of ops: its times, before and after clicks on the header of time and on that of the
	// op.
	const table = `const table = [...document.querySelectorAll("table.sorts")].find(t => t.querySelector("th:last-child").textContent == "op");
const column = i => [...table.rows].slice(1).map(r => r.cells[i < 0 ? r.cells.length + i : i].textContent);
const numbers = column(1).map(Number), names = column(-1);
const head = i => [...table.querySelectorAll("th")].at(i);
`
	const falling = `numbers.length > 2 && numbers.every((v, i) => i == 0 || v <= numbers[i-1])`
	const rising = `numbers.length > 2 && numbers.every((v, i) => i == 0 || v >= numbers[i-1])`
	w.check("the most expensive op is the first", table+"return "+falling, "true")
	w.js(table + "head(1).click(); head(1).click(); return 0")
	w.check("two clicks on time: the cheapest is the first", table+"return "+rising, "true")
	w.check("the mark of what is sorted", table+`return head(1).getAttribute("aria-sort")`, "ascending")
	w.js(table + "head(-1).click(); return 0")
	w.check("a click on op: by name", table+"return names.every((v, i) => i == 0 || v.localeCompare(names[i-1]) >= 0)", "true")
	w.js(table + "head(1).click(); return 0")
	w.check("a click on time: the most expensive is the first", table+"return "+falling, "true")
	w.js(`const i = document.querySelector("input"); i.value = "gemv"; i.dispatchEvent(new Event("input")); return 0`)
	w.check("the filter", table+`return [...table.rows].slice(1).filter(r => !r.hidden).every(r => r.innerText.toLowerCase().includes("gemv")) && [...table.rows].some(r => r.hidden)`, "true")
	w.check("what was fetched", `return performance.getEntriesByType("resource").filter(e => !e.name.startsWith("data:")).length`, "0")
}

// pictures takes the panel from pages of nbconvert: light, dark, as JupyterLab shows it when it
// does not trust it, and where nothing is left of CSS, as on GitHub. ARIGNOTE_PICTURES=1 keeps them
// for the documents.
func (p trainedCell) pictures(t *testing.T) {
	needPython(t, "nbconvert", "python3-nbconvert")
	needProgram(t, "chromium", "chromium")
	needProgram(t, "chromedriver", "chromium-driver")
	// The panel itself, its tree with the first class, and the memory are open.
	open := panel.HTML(p.stats, panel.Options{Title: "In[5]", Rewrites: true, Open: true})
	for _, fold := range []string{`<details style="margin:3px 0"><summary style="display:list-item;cursor:pointer"><span style="display:none">▸ </span><b>Class`, "<details><summary",
		`<details style="margin:3px 0"><summary style="display:list-item;cursor:pointer"><span style="display:none">▸ </span><b>Memory`} {
		open = strings.Replace(open, fold, strings.Replace(fold, "<details", "<details open", 1), 1)
	}
	plain := regexp.MustCompile(` style="[^"]*"`).ReplaceAllString(open, "")
	w := drive(t)
	w.call("POST", "window/rect", map[string]any{"width": 1060, "height": 1300}, nil)
	for _, c := range []struct{ name, template, theme, html string }{
		{"light", "lab", "light", open},
		{"dark", "lab", "dark", open},
		{"sanitized", "lab", "light", ""},
		{"nbconvert", "classic", "light", open},
		{"plain", "basic", "light", plain},
	} {
		keep := os.Getenv("ARIGNOTE_PICTURES") == "1"
		if !keep && c.name != "sanitized" && c.name != "plain" {
			continue // for the eye
		}
		if c.name == "sanitized" {
			c.html, _ = newSanitizer(t).run(t, open)
		}
		nb := notebookOf(panelCells[len(panelCells)-1:], c.html)
		nb["cells"].([]map[string]any)[0]["execution_count"] = len(panelCells)
		notebook := p.save(t, c.name+".ipynb", nb)
		file := p.convert(t, notebook, c.template, c.theme)
		w.call("POST", "url", map[string]any{"url": "file://" + file}, nil)
		w.until(30*time.Second, `return document.readyState == "complete" && [...document.images].every(i => i.complete && i.naturalWidth > 0)`)
		// The bars are there, unless there is no CSS, and the columns of the tree stand below each
		// other.
		if n := w.js("return " + bars); (n == "0") != (c.name == "plain") {
			t.Errorf("%s: got %s bars", c.name, n)
		}
		w.js(`document.querySelectorAll("details:not([open])").forEach(e => { e.open = e.dataset.folded = true }); return 0`)
		w.check(c.name+": columns", `const rows = [...document.querySelectorAll('table[width="100%"] tr:first-child')].filter(r => r.offsetParent && r.cells.length > 5);
return rows.length > 10 && rows.every(r => [...r.cells].every((c, i) => Math.abs(c.getBoundingClientRect().left - rows[0].cells[i].getBoundingClientRect().left) <= 1))`, "true")
		w.call("POST", "window/rect", map[string]any{"width": 800, "height": 1300}, nil)
		w.check(c.name+": tables on a narrow page", `const list = [...document.querySelectorAll("table")].filter(t => t.offsetParent && ["function", "line"].includes(t.rows[0].cells[0].textContent));
return list.length > 2 && list.every(t => t.getBoundingClientRect().right <= t.parentElement.getBoundingClientRect().right + 1)`,
			fmt.Sprint(c.name != "plain")) // letters are larger there
		w.call("POST", "window/rect", map[string]any{"width": 1060, "height": 1300}, nil)
		w.js(`document.querySelectorAll("details[data-folded]").forEach(e => { e.open = false });
document.querySelectorAll("#MathJax_Message").forEach(e => e.remove()); return 0`)
		var encoded string
		w.call("GET", "screenshot", nil, &encoded)
		shot, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(p.dir, "panel-"+c.name+".png")
		if keep {
			path = "notebooks/pictures/panel-" + c.name + ".png"
		}
		if err := os.WriteFile(path, paletted(t, shot), 0o666); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() > 200_000 {
			t.Errorf("%s: %v, want at most 200000 bytes", path, info)
		}
	}
}

// paletted packs a screenshot of few colours.
func paletted(t *testing.T, shot []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[color.RGBA]int)
	b := full.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			count[color.RGBAModel.Convert(full.At(x, y)).(color.RGBA)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int { return count[b] - count[a] })
	// Those of curves and marks are few.
	palette := color.Palette{color.RGBA{225, 60, 90, 255}, color.RGBA{66, 133, 244, 255}, color.RGBA{240, 140, 30, 255}, color.RGBA{40, 170, 90, 255}}
	for _, c := range colours[:min(len(colours), 252)] {
		palette = append(palette, c)
	}
	small := image.NewPaletted(b, palette)
	draw.Draw(small, b, full, b.Min, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
