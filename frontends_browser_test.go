package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// codeCells is the list of cells with code, in the page.
const codeCells = "Jupyter.notebook.get_cells().filter(c => c.cell_type == 'code')"

// bars is the number of cells of tables that are drawn with a bar.
const bars = "[...document.querySelectorAll('td')].filter(e => getComputedStyle(e).backgroundImage.includes('gradient')).length"

// browser opens the tutorial in Debian's notebook, in a real browser, and looks at the page: first
// as a file that came from somewhere, which the notebook does not trust, then with all cells run
// from the page. ARIGNOTE_PICTURES=1 keeps the last view as the picture of the README.
func (in installed) browser(t *testing.T) {
	needProgram(t, "jupyter-notebook", "jupyter-notebook")
	needProgram(t, "chromium", "chromium")
	needProgram(t, "chromedriver", "chromium-driver")

	dir := t.TempDir()
	text, err := os.ReadFile(tutorial)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "profiling_example.ipynb"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	server := in.serveNotebooks(t, dir)
	w := drive(t)
	w.call("POST", "url", map[string]any{"url": server + "/notebooks/profiling_example.ipynb"}, nil)

	w.until(60*time.Second, "return !!(window.Jupyter && Jupyter.notebook && Jupyter.notebook._fully_loaded && Jupyter.notebook.kernel && Jupyter.notebook.kernel.is_connected())")
	w.check("a file of others: trusted", "return Jupyter.notebook.trusted", "false")
	w.check("a file of others: bars", "return "+bars, "0")
	// What was hidden where there are styles is there without: marks of what opens, and bars of
	// characters.
	w.check("a file of others: marks and bars", `return [...document.querySelectorAll('.output_html summary')].every(e => /^\s*[▸▾] /.test(e.textContent)) &&
[...document.querySelectorAll('.output_html span')].some(e => /^█/.test(e.textContent) && getComputedStyle(e).display != 'none')`, "true")
	w.tables()

	w.js("Jupyter.notebook.clear_all_output(); Jupyter.notebook.execute_all_cells(); return 0")
	w.until(60*time.Second, "return "+codeCells+".at(-1).output_area.outputs.some(o => o.output_type == 'execute_result' || o.output_type == 'error')")
	w.check("failed cells", "return document.querySelectorAll('.output_error').length", "0")
	w.tables()
	if n := w.js("return " + bars); n == "0" {
		t.Error("the profile has no bars")
	}
	// The classic notebook's style sheet takes the mark from what folds, and nobody would click it.
	w.check("the mark for folding", "return getComputedStyle(document.querySelector('.output_html summary')).display", "list-item")
	w.picture()
}

// tables checks the profile of the second cell of code: its headers, in order, without their units
// of time.
func (w *webdriver) tables() {
	w.t.Helper()
	const panel = codeCells + "[1].element[0].querySelector('.output_html')"
	const headers = `return [...` + panel + `.querySelectorAll('tr')].filter(r => r.querySelector('th'))` +
		`.map(r => [...r.cells].map(e => e.textContent.replace(/\u00a0/g, ' ').replace(/, [nµm]?s$/, '')).join('|')).join('\n')`
	got := w.js(headers)
	for _, want := range []string{
		"function|calls|time|", "|thunks, %|nodes\n",
		"class, op, node|time, %|sum, %|time|per call|calls|type",
	} {
		if !strings.Contains(got, want) {
			w.t.Errorf("got the tables\n%s\nwant %s", got, want)
		}
	}
	w.check("nodes of the tree", "return [..."+panel+".querySelectorAll('td')].filter(e => /^\\s*[▸▾·]\\s*#\\d+ /.test(e.textContent)).length", "3")
}

// picture opens the panel of the second cell of code and takes the cell.
func (w *webdriver) picture() {
	w.t.Helper()
	w.js("const cell = " + codeCells + `[1].element[0], site = document.querySelector('#site');
Jupyter.notebook.get_cells().forEach(c => c.element[0].classList.remove('selected'));
cell.querySelector('.output_html details').open = true;
site.scrollTop += cell.getBoundingClientRect().top - site.getBoundingClientRect().top - 16;
return 0`)
	time.Sleep(500 * time.Millisecond) // for the page to be painted
	var encoded string
	w.call("GET", "screenshot", nil, &encoded)
	shot, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		w.t.Fatal(err)
	}
	full, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		w.t.Fatal(err)
	}
	var box struct{ Left, Top, Right, Bottom int }
	if err := json.Unmarshal([]byte(w.js("const cell = "+codeCells+`[1].element[0].getBoundingClientRect(),
site = document.querySelector('#site').getBoundingClientRect(), page = document.querySelector('#notebook-container').getBoundingClientRect();
return JSON.stringify({Left: Math.ceil(page.left), Right: Math.floor(page.right), Top: Math.ceil(cell.top) - 6, Bottom: Math.floor(Math.min(cell.bottom, site.bottom))})`)), &box); err != nil {
		w.t.Fatal(err)
	}
	part := image.NewRGBA(image.Rect(0, 0, box.Right-box.Left, box.Bottom-box.Top))
	draw.Draw(part, part.Bounds(), full, image.Pt(box.Left, box.Top), draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, part); err != nil {
		w.t.Fatal(err)
	}
	path := filepath.Join(w.t.TempDir(), "notebook.png")
	if os.Getenv("ARIGNOTE_PICTURES") == "1" {
		path = "notebooks/pictures/notebook.png"
	}
	if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
		w.t.Fatal(err)
	}
	w.t.Logf("%s: %v, %d KB", path, part.Bounds().Size(), out.Len()/1000)
	if out.Len() > 300_000 || part.Bounds().Dy() < 300 {
		w.t.Errorf("picture: got %d bytes and %d lines, want at most 300000 and at least 300", out.Len(), part.Bounds().Dy())
	}
}

// serveNotebooks starts the notebook's server for the files of dir, and returns its address.
func (in installed) serveNotebooks(t *testing.T, dir string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command("jupyter-notebook", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port="+port, "--port-retries=0",
		"--NotebookApp.token=", "--NotebookApp.password=", "--notebook-dir="+dir)
	cmd.Env = in.env
	start(t, cmd)
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		resp, err := http.Get("http://" + address + "/api")
		if err == nil {
			resp.Body.Close()
			return "http://" + address
		}
		if time.Now().After(deadline) {
			t.Fatalf("the notebook's server did not answer: %v", err)
		}
	}
}

// start starts a server that ends with the test: by request, so that it can end what it started
// itself.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		kill.Stop()
		if t.Failed() {
			t.Logf("%s:\n%s", cmd.Path, log.Bytes())
		}
	})
}

// webdriver is a session of a browser, over the W3C protocol: as much of it as the test uses.
type webdriver struct {
	t       *testing.T
	session string
}

func drive(t *testing.T) *webdriver {
	t.Helper()
	cmd := exec.Command("chromedriver", "--port=0")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start(t, cmd)
	var port int
	for lines := bufio.NewScanner(stdout); port == 0; {
		if !lines.Scan() {
			t.Fatal("chromedriver named no port")
		}
		if _, rest, ok := strings.Cut(lines.Text(), "started successfully on port "); ok {
			fmt.Sscan(strings.TrimSuffix(rest, "."), &port)
		}
	}
	w := &webdriver{t: t, session: fmt.Sprintf("http://127.0.0.1:%d/session", port)}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal(err)
	}
	// A container has no room in /dev/shm, and root no sandbox.
	var made struct{ SessionID string }
	w.call("POST", "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{"goog:chromeOptions": map[string]any{
		"binary": path, "args": []string{"--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
			"--window-size=1060,1100"}}}}}, &made)
	w.session += "/" + made.SessionID
	t.Cleanup(func() { w.call("DELETE", "", nil, nil) })
	return w
}

// call makes a request of the session.
func (w *webdriver) call(method, command string, body, value any) {
	w.t.Helper()
	var encoded bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&encoded).Encode(body); err != nil {
			w.t.Fatal(err)
		}
	}
	ctx, stop := context.WithTimeout(context.Background(), 60*time.Second)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(w.session+"/"+command, "/"), &encoded)
	if err != nil {
		w.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	var reply struct{ Value json.RawMessage }
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil || resp.StatusCode != http.StatusOK {
		w.t.Fatalf("%s %s: got %s, %v: %.2000s", method, command, resp.Status, err, reply.Value)
	}
	if value != nil {
		if err := json.Unmarshal(reply.Value, value); err != nil {
			w.t.Fatal(err)
		}
	}
}

// js runs a script in the page and returns its result as text.
func (w *webdriver) js(script string) string {
	w.t.Helper()
	var v any
	w.call("POST", "execute/sync", map[string]any{"script": script, "args": []any{}}, &v)
	return fmt.Sprint(v)
}

func (w *webdriver) check(what, script, want string) {
	w.t.Helper()
	if got := w.js(script); got != want {
		w.t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

// until waits for a condition in the page.
func (w *webdriver) until(limit time.Duration, script string) {
	w.t.Helper()
	for deadline := time.Now().Add(limit); w.js(script) != "true"; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("after %v: %s is not true", limit, script)
		}
	}
}
