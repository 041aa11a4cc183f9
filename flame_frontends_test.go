package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/compare"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/files"
)

// flamesOf writes a profile of a cell that trained, called np twice by a helper, and looped.
func flamesOf(t *testing.T, names ...string) (dir string) {
	s := profilertest.Training(t, true).Clone()
	for _, n := range s.Functions[0].Nodes {
		n.Allocated = 8000
	}
	total := s.Total()
	calls := time.Duration(total.CallTime)
	c := &profiler.Cell{Name: "In[4]", Wall: 3 * calls, Spots: []profiler.Spot{
		{Kind: profiler.CompiledFunctions, Name: s.Functions[0].Title(), File: "In[4]", Line: 2, Func: "<toplevel>", Time: calls},
		{Kind: profiler.Starlark, File: "In[4]", Line: 1, Func: "<toplevel>", Time: calls / 4},
	}}
	for line := 2; line < 4; line++ {
		spot := profiler.Spot{Kind: profiler.Numpy, Name: "np.exp", File: "In[4]", Line: 5, Func: "helper", Time: calls / 2}
		spot.Outer = append(spot.Outer, profiler.Spot{File: "In[4]", Line: line, Func: "<toplevel>"}.Frame())
		c.Spots = append(c.Spots, spot)
	}
	s.AddSource("In[4]", "for k in range(3):\n    train(helper(D)); helper(D)\nhelper(D) # <script>alert(1)</script>\ndef helper(x):\n    return np.exp(x)\n")
	s.SetCell(c)
	dir = t.TempDir()
	for _, name := range names {
		if err := export.Write(files.Open(), filepath.Join(dir, name), []*profiler.Stats{s}, export.View()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFlameGraph: the page draws in a browser from its file, whole and without an error, and obeys
// the keyboard, the mouse and the search.
func TestFlameGraph(t *testing.T) {
	needProgram(t, "chromium", "chromium")
	needProgram(t, "chromedriver", "chromium-driver")
	if testing.Short() {
		t.Skip("front ends take a minute")
	}
	t.Parallel()
	dir := flamesOf(t, "cell.flame.html")
	w := drive(t)
	w.call("POST", "url", map[string]any{"url": "file://" + filepath.Join(dir, "cell.flame.html")}, nil)
	w.until(30*time.Second, `return document.readyState == "complete" && document.querySelectorAll("#graph button").length > 10`)
	press := func(keys string) {
		for _, key := range keys {
			w.call("POST", "actions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": []any{
				map[string]any{"type": "keyDown", "value": string(key)}, map[string]any{"type": "keyUp", "value": string(key)}}}}}, nil)
		}
	}
	const enter, escape, down, right = "\uE007", "\uE00C", "\uE015", "\uE014"
	const focused = `return document.activeElement.getAttribute("aria-label").split(":")[0] + ":" + document.activeElement.getAttribute("aria-level")`
	// All frames of a level lie beside each other, within the one above.
	w.check("widths", `const all = [...document.querySelectorAll("#graph button")].map(b => b.getBoundingClientRect());
const width = document.getElementById("graph").clientWidth;
const rows = {}; for (const r of all) (rows[r.top] ??= []).push(r);
return Object.values(rows).every(row => { row.sort((a, b) => a.left - b.left); return row.every((r, i) => i == 0 || r.left >= row[i-1].right - 0.01) && row.reduce((s, r) => s + r.width, 0) <= width + 0.01 })`, "true")
	w.check("the whole", `return document.querySelector("#graph button").getAttribute("aria-label").replaceAll("\u00a0", " ")`, "all: 18.9 ms, 100.0 % of all")
	w.check("a script in a name", `return document.body.innerText.includes("<script>alert(1)") || [...document.querySelectorAll("#graph button")].some(b => b.getAttribute("aria-label").includes("<script>alert(1)"))`, "true")
	w.js(`document.querySelector("#graph button").focus(); return 0`)
	press(down)
	w.check("down", focused, "In[4]:2")
	press(right)
	w.check("right", `return document.activeElement.getAttribute("aria-level")`, "2")
	press("\uE012" + enter) // left
	w.check("zoom", `const b = document.activeElement; return b.getBoundingClientRect().width == document.getElementById("graph").clientWidth && b.getAttribute("aria-label").includes("100.0\u00a0% of what is shown")`, "true")
	press(escape)
	w.check("out", `return document.activeElement.getAttribute("aria-level")`, "1")
	press("/np.exp")
	w.check("search", `return [...document.querySelectorAll(".match")].map(b => b.textContent).join() + " " + document.getElementById("found").textContent.replaceAll("\u00a0", " ")`,
		"In[4]:5 return np.exp(x),np.exp,In[4]:5 return np.exp(x),np.exp 6.30 ms, 33.3 % matches")
	press(escape + "m")
	w.check("bytes", `return document.querySelector('#measures [aria-pressed="true"]').textContent + " " + document.querySelector("#graph button").getAttribute("aria-label").includes("B, ")`, "bytes true")
	w.check("what was fetched", `return performance.getEntriesByType("resource").length`, "0")
}

// TestSpeedscope: the published schema accepts the file, and the viewer itself shows its profiles.
func TestSpeedscope(t *testing.T) {
	needProgram(t, "chromium", "chromium")
	needProgram(t, "chromedriver", "chromium-driver")
	if testing.Short() {
		t.Skip("front ends take a minute")
	}
	t.Parallel()
	dir := flamesOf(t, "cell.speedscope.json")
	release := filepath.Join(npmPackages(t, "speedscope"), "node_modules/speedscope/dist/release")
	profile, err := os.ReadFile(filepath.Join(dir, "cell.speedscope.json"))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("schema", func(t *testing.T) {
		needPython(t, "jsonschema", "python3-jsonschema")
		check := func(file string) error {
			cmd := exec.Command("/usr/bin/python3", "-c", "import json, jsonschema, sys\njsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))",
				file, filepath.Join(release, "file-format-schema.json"))
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%w: %.2000s", err, out)
			}
			return nil
		}
		if err := check(filepath.Join(dir, "cell.speedscope.json")); err != nil {
			t.Error(err)
		}
		bad := filepath.Join(dir, "bad.json")
		if err := os.WriteFile(bad, []byte(strings.Replace(string(profile), `"sampled"`, `"guessed"`, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if check(bad) == nil {
			t.Error("the schema accepts a profile of no type: the gate cannot fail")
		}
	})
	// As the package's own program does it.
	load := filepath.Join(dir, "load.js")
	encoded, _ := json.Marshal(base64.StdEncoding.EncodeToString(profile))
	if err := os.WriteFile(load, []byte(`speedscope.loadFileFromBase64("cell.speedscope.json", `+string(encoded)+`)`), 0o666); err != nil {
		t.Fatal(err)
	}
	w := drive(t)
	w.call("POST", "url", map[string]any{"url": "file://" + filepath.Join(release, "index.html") + "#localProfilePath=" + load}, nil)
	w.until(30*time.Second, `return document.querySelector('tr[title="time"]') != null`)
	w.check("the time", `return document.querySelector('tr[title="time"] td:last-child').innerText`, "18.90ms")
	w.check("the bytes", `return document.querySelector('tr[title="bytes"]') != null`, "true")
}

// TestFlameDiffGraph: the page of what changed between two runs draws in a browser, light and dark,
// with the widths of the run after, and says by colours and words what is slower, faster, new and
// gone.
func TestFlameDiffGraph(t *testing.T) {
	needProgram(t, "chromium", "chromium")
	needProgram(t, "chromedriver", "chromium-driver")
	if testing.Short() {
		t.Skip("front ends take a minute")
	}
	t.Parallel()
	before, after := profilertest.Changed()
	dir := t.TempDir()
	file := filepath.Join(dir, "change.flame.html")
	if err := export.WriteDiff(files.Open(), file, before, after, compare.Compare(before, after).Moved()); err != nil {
		t.Fatal(err)
	}
	if err := export.WriteDiff(files.Open(), filepath.Join(dir, "change.csv"), before, after, nil); err == nil || !strings.Contains(err.Error(), ".flame.html") {
		t.Errorf("got %v", err)
	}
	w := drive(t)
	for _, scheme := range []string{"light", "dark"} {
		w.call("POST", "goog/cdp/execute", map[string]any{"cmd": "Emulation.setEmulatedMedia",
			"params": map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}}, nil)
		w.call("POST", "url", map[string]any{"url": "file://" + file}, nil)
		w.until(30*time.Second, `return document.readyState == "complete" && document.querySelectorAll("#graph button").length > 7`)
		const find = `const frame = text => [...document.querySelectorAll("#graph button")].find(b => b.getAttribute("aria-label").startsWith(text));
const label = text => frame(text).getAttribute("aria-label").replaceAll("\u00a0", " ");
const colour = text => { const [r, g, b] = frame(text).style.background.match(/\d+/g).map(Number); return r > b + 40 ? "red" : b > r + 40 ? "blue" : "grey" };
const light = c => { const [r, g, b] = c.match(/\d+/g).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 }); return 0.2126 * r + 0.7152 * g + 0.0722 * b };
const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
`
		w.check(scheme+": title", find+`return document.querySelector("h1").textContent`, "In[7], was In[4]")
		w.check(scheme+": all", find+`return label("all")`, "all: 1.14 s, 100.0 % of all, was 1.25 s, −8.7 %, faster")
		w.check(scheme+": faster", find+`return label("np.exp") + " " + colour("np.exp")`, "np.exp: 240 ms, 21.0 % of all, was 600 ms, −60.0 %, faster blue")
		w.check(scheme+": slower", find+`return label("np.sort") + " " + colour("np.sort")`, "np.sort: 500 ms, 43.8 % of all, was 200 ms, +150.0 %, slower red")
		w.check(scheme+": same", find+`return label("In[7]:4") + " " + colour("In[7]:4")`, "In[7]:4 for k in range(100000): pass: 301 ms, 26.4 % of all, was 300 ms, +0.3 %, same grey")
		w.check(scheme+": new", find+`return label("np.cos") + " " + colour("np.cos") + " " + frame("np.cos").textContent`, "np.cos: 100 ms, 8.8 % of all, new red new: np.cos")
		w.check(scheme+": gone", find+`return [...document.querySelectorAll("#gone li")].map(x => x.textContent.replaceAll("\u00a0", " ")).join() + " " + (frame("In[4]:3") === undefined)`,
			"In[4]:3 junk(D): gone, was 150 ms true")
		w.check(scheme+": widths", find+`return Math.round(100 * frame("np.sort").getBoundingClientRect().width / document.getElementById("graph").clientWidth)`, "44")
		w.check(scheme+": words can be read", find+`const body = getComputedStyle(document.body), page = body.backgroundColor == "rgba(0, 0, 0, 0)" ? "rgb(255, 255, 255)" : body.backgroundColor;
return contrast(getComputedStyle(document.querySelector("#gone li")).color, page) >= 4.5 && (light(page) < 0.1) == matchMedia("(prefers-color-scheme: dark)").matches &&
	[...document.querySelectorAll("#graph button")].every(b => contrast(getComputedStyle(b).color, b.style.background) >= 4.5)`, "true")
		w.check(scheme+": the scheme", `return matchMedia("(prefers-color-scheme: dark)").matches`, fmt.Sprint(scheme == "dark"))
		w.check(scheme+": what was fetched", `return performance.getEntriesByType("resource").length`, "0")
	}
}
