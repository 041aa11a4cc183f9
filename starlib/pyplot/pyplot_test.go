package pyplot_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/plot/palette"
	"github.com/arignote/arignote/starlib"
)

var update = flag.Bool("update", false, "rewrite the drawings in testdata")

const imports = "import numpy as np\nimport matplotlib.pyplot as plt\n"

// output keeps what a cell displays.
type output struct {
	shown   []map[string]any
	meta    []map[string]any
	printed bytes.Buffer
}

func (o *output) Stream(_, text string) { o.printed.WriteString(text) }
func (o *output) Display(data, metadata map[string]any, _ string, _ bool) {
	o.shown, o.meta = append(o.shown, data), append(o.meta, metadata)
}
func (o *output) Clear(bool)                         {}
func (o *output) Page(map[string]any)                {}
func (o *output) Input(string, bool) (string, error) { return "", nil }

// run runs a cell in a session of its own.
func run(t *testing.T, code string) (*starlib.Session, *output, error) {
	t.Helper()
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	out := &output{}
	_, _, err := s.Execute(context.Background(), 1, imports+code, out)
	return s, out, err
}

// A row is what matplotlib makes of a case.
type row struct {
	Name             string
	XLim, YLim, X, Y []float64
	XNames, YNames   []string
	XCommon, YCommon string
}

// TestAgainstMatplotlib compares limits, ticks and their texts with those that matplotlib has.
func TestAgainstMatplotlib(t *testing.T) {
	cases, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	code := map[string]string{}
	for line := range strings.Lines(string(cases)) {
		if name, script, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && name[0] != '#' {
			code[name] = script
		}
	}
	golden, err := os.Open("testdata/limits.golden")
	if err != nil {
		t.Fatal(err)
	}
	defer golden.Close()
	n := 0
	for in := bufio.NewScanner(golden); in.Scan(); n++ {
		var want row
		if err := json.Unmarshal(in.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		t.Run(want.Name, func(t *testing.T) {
			_, out, err := run(t, code[want.Name]+asked)
			if err != nil {
				t.Fatal(err)
			}
			var got row
			if err := json.Unmarshal(out.printed.Bytes(), &got); err != nil {
				t.Fatalf("%v: %s", err, &out.printed)
			}
			compare(t, "limits of x", got.XLim, want.XLim)
			compare(t, "limits of y", got.YLim, want.YLim)
			compare(t, "ticks of x", got.X, want.X)
			compare(t, "ticks of y", got.Y, want.Y)
			if !slices.Equal(got.XNames, want.XNames) || !slices.Equal(got.YNames, want.YNames) {
				t.Errorf("texts: got %q and %q, want %q and %q", got.XNames, got.YNames, want.XNames, want.YNames)
			}
			if got.XCommon != want.XCommon || got.YCommon != want.YCommon {
				t.Errorf("what all ticks have: got %q and %q, want %q and %q", got.XCommon, got.YCommon, want.XCommon, want.YCommon)
			}
		})
	}
	if n != len(code) {
		t.Errorf("%d rows in limits.golden, %d in cases.txt: run oracle.py", n, len(code))
	}
}

// asked prints a row of the current axes.
const asked = `
import json
ax, row = plt.gca(), {}
for name in ['x', 'y']:
    axis = getattr(ax, name + 'axis')
    row[name + 'lim'] = getattr(ax, 'get_' + name + 'lim')()
    row[name] = getattr(ax, 'get_' + name + 'ticks')().tolist()
    row[name + 'names'] = [t.get_text() for t in getattr(ax, 'get_' + name + 'ticklabels')()]
    row[name + 'common'] = axis.get_offset_text().get_text()
print(json.dumps(row))`

func compare(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if !near(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func near(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9*(math.Abs(a[i])+math.Abs(b[i])+1e-300) && math.Abs(a[i]-b[i]) > 1e-12*spread(b) {
			return false
		}
	}
	return true
}

func spread(x []float64) float64 { return slices.Max(x) - slices.Min(x) }

// drawings are scripts whose SVG is kept in testdata.
var drawings = []struct{ name, code string }{
	{"line", "plt.plot([1, 2, 3], [1, 4, 2], 'o-', label='a'); plt.plot([1, 2, 3], [2, 1, 3], 'r--'); plt.legend(); plt.title('T $x^2$'); plt.xlabel('x'); plt.ylabel('y')"},
	{"bars", "plt.bar(['a', 'b'], [3, 1], yerr=0.5, capsize=3, edgecolor='k')"},
	{"hist", "plt.hist([1, 2, 2, 3, 3, 3], bins=3, alpha=0.5)"},
	{"scatter", "plt.scatter([1, 2, 3], [3, 1, 2], c=[0.1, 0.5, 0.9], s=[20, 80, 200], alpha=0.5, edgecolors='k')"},
	{"image", "plt.imshow([[0, 1, 2], [3, 4, 5]], cmap='gray'); plt.colorbar()"},
	{"contours", "plt.contourf([[0, 1, 2], [1, 2, 4], [2, 4, 9]], levels=4); plt.contour([[0, 1, 2], [1, 2, 4], [2, 4, 9]], levels=4, colors='k')"},
	{"log", "plt.loglog([1, 10, 100], [1, 50, 20]); plt.grid(True, which='both', alpha=0.3)"},
	{"grid", "fig, axs = plt.subplots(2, 2, sharex=True); axs[0, 1].plot([1, 2]); axs[1, 0].step([1, 2, 3], [3, 1, 2]); axs[1, 1].stem([1, 2]); fig.suptitle('all'); fig.tight_layout()"},
	{"twin", "plt.plot([1, 2], [1, 2]); b = plt.twinx(); b.plot([1, 2], [200, 100], 'C1'); b.set_ylabel('right')"},
	{"texts", "plt.text(0.5, 0.5, 'a <b> & c', ha='center', bbox=dict(facecolor='w')); plt.annotate('p', xy=(0, 0), xytext=(0.3, 0.2), arrowprops=dict(arrowstyle='->')); plt.axhline(0.7); plt.axvspan(0.8, 0.9)"},
	{"box", "plt.boxplot([[1, 2, 3, 4, 20], [2, 3, 4, 5]]); plt.violinplot([[1, 2, 3]], positions=[3])"},
	{"errors", "plt.errorbar([1, 2, 3], [2, 4, 3], yerr=[[0.5, 0.2, 1], [0.1, 0.2, 0.3]], fmt='s', capsize=4); plt.fill_between([1, 2, 3], [1, 1, 2], [2, 3, 3], alpha=0.2)"},
	{"gap", "plt.plot([1, 2, np.nan, 4, 5], [1, 2, 3, 4, 5], 'k.-'); plt.gca().spines[['top', 'right']].set_visible(False); plt.axis('equal')"},
}

// TestSVG compares drawings with those in testdata, byte for byte, twice.
func TestSVG(t *testing.T) {
	for _, d := range drawings {
		t.Run(d.name, func(t *testing.T) {
			var got [2]string
			for i := range got {
				_, out, err := run(t, d.code)
				if err != nil {
					t.Fatal(err)
				}
				if len(out.shown) != 1 {
					t.Fatalf("got %d displays, want one", len(out.shown))
				}
				got[i], _ = out.shown[0]["image/svg+xml"].(string)
			}
			if got[0] != got[1] {
				t.Error("the same script made two drawings")
			}
			path := filepath.Join("testdata", d.name+".svg")
			if *update {
				if err := os.WriteFile(path, []byte(got[0]), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got[0] != string(want) {
				t.Errorf("%s differs; look at it, and -update", path)
			}
		})
	}
}

// TestFigureFormat: config.figure_format says what figures are given to the front end as, by
// whichever name it is set.
func TestFigureFormat(t *testing.T) {
	for set, want := range map[string]string{
		"": "image/png image/svg+xml text/plain", "config.figure_format = 'svg'": "image/svg+xml text/plain", "config.figure_format = 'png'": "image/png text/plain",
		"%config InlineBackend.figure_format = 'retina'": "image/png text/plain", "%config InlineBackend.figure_formats = {'svg'}": "image/svg+xml text/plain",
		"%config InlineBackend.figure_formats = ['png', 'svg']":                                              "image/png image/svg+xml text/plain",
		"from IPython.display import set_matplotlib_formats\nset_matplotlib_formats('png')":                  "image/png text/plain",
		"from matplotlib_inline.backend_inline import set_matplotlib_formats\nset_matplotlib_formats('svg')": "image/svg+xml text/plain",
		"import matplotlib_inline\nmatplotlib_inline.backend_inline.set_matplotlib_formats('svg', 'png')":    "image/png image/svg+xml text/plain",
	} {
		_, out, err := run(t, set+"\nplt.plot([1, 2])")
		if err != nil || len(out.shown) != 1 {
			t.Fatalf("%s: got %d displays and %v", set, len(out.shown), err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(out.shown[0])), " "); got != want {
			t.Errorf("%s: got %s, want %s", set, got, want)
		}
	}
	for set, want := range map[string]string{
		"%config InlineBackend.figure_format = 'pdf'":                                       "%config: figure_format: figures are shown as SVG and PNG, and plt.savefig writes PDF; want one of both, svg, png",
		"from IPython.display import set_matplotlib_formats\nset_matplotlib_formats('gif')": `set_matplotlib_formats: figure_format: got "gif", want one of both, svg, png`,
		"from IPython.display import set_matplotlib_formats\nset_matplotlib_formats(2)":     "set_matplotlib_formats: got int, want strings",
	} {
		if _, _, err := run(t, set); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", set, err, want)
		}
	}
}

// TestShown checks what front ends are given, and when.
func TestShown(t *testing.T) {
	s, out, err := run(t, "fig, ax = plt.subplots()\nax.plot([1, 2])\nplt.figure()\nplt.plot([3, 4])")
	if err != nil || len(out.shown) != 2 {
		t.Fatalf("got %d displays and %v, want both figures", len(out.shown), err)
	}
	data, meta := out.shown[0], out.meta[0]
	for _, mime := range []string{"image/svg+xml", "image/png", "text/plain"} {
		if _, ok := data[mime].(string); !ok {
			t.Errorf("no %s", mime)
		}
	}
	if _, ok := data["text/html"]; ok {
		t.Error("text/html would win over the drawing")
	}
	svg := data["image/svg+xml"].(string)
	if regexp.MustCompile(`\sid=|url\(|xlink`).MatchString(svg) || !strings.Contains(svg, "viewBox=") {
		t.Error("SVG has identifiers or references, or no viewBox")
	}
	size := meta["image/png"].(map[string]any)
	if img := picture(t, data); img.Bounds().Dx()/2 != size["width"] || img.Bounds().Dy()/2 != size["height"] {
		t.Errorf("PNG has %v pixels, and is to be shown with %v", img.Bounds(), size)
	}
	out.shown = nil
	if _, _, err := s.Execute(context.Background(), 2, "1 + 1", out); err != nil || len(out.shown) != 0 {
		t.Errorf("the next cell showed %d figures, %v", len(out.shown), err)
	}
	for _, c := range []struct {
		code string
		want int
	}{
		{"ax.plot([2, 1])\nfig", 0}, // the value, which the front end shows by itself
		{"plt.plot([1])\nplt.show()\nplt.plot([2])", 2},
		{"plt.plot([1])\nplt.close()", 0},
		{"plt.plot([1])\n1 // 0", 1},
		{"for i in range(3):\n    plt.figure()\n    plt.plot([i])", 3},
	} {
		out.shown = nil
		s.Execute(context.Background(), 3, c.code, out)
		if len(out.shown) != c.want {
			t.Errorf("%q: %d displays, want %d", c.code, len(out.shown), c.want)
		}
	}
	quiet := &starlib.Terminal{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}
	if _, _, err := s.Execute(context.Background(), 4, "plt.plot([1, 2])\nplt.show()", quiet); err != nil || quiet.Out.(*bytes.Buffer).Len() > 0 {
		t.Errorf("a pipe was given %q, %v", quiet.Out, err)
	}
	quiet.Figures = true
	if _, _, err := s.Execute(context.Background(), 5, "plt.plot([1, 2])\nplt.show()", quiet); err != nil || !strings.ContainsAny(quiet.Out.(*bytes.Buffer).String(), "▘▝▀▖▌▞▛▗▚▐▜▄▙▟█") {
		t.Errorf("a terminal was given %q, %v", quiet.Out, err)
	}
}

// TestTexts looks for what a drawing has to have.
func TestTexts(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"plt.title('Twins')", `font-size="12" [^>]*textLength="31.34"[^>]*>Twins<`},
		{"plt.title('Twins', weight='bold')", `font-size="12" [^>]*font-weight="bold" textLength="34.34"[^>]*>Twins<`},
		{"plt.title(r'$\\frac{1}{2}n$')", `font-size="8.4" [^>]*>1</text>\n.*font-size="12" [^>]*>/</text>\n.*font-size="8.4" [^>]*>2</text>`},
		{"plt.errorbar([1], [1], yerr=1, fmt='k.', label='e'); plt.legend()", `stroke="#cccccc" [^>]*/>\n<path [^>]*stroke="#000000" stroke-width="1.5"`},
		// The lower side of the frame lies in the middle, and the ticks at it.
		{"plt.ylim(-1, 1); plt.gca().spines['bottom'].set_position('zero')", `<path d="M39.5 143.91L396.62 143.91"[^>]*>\n(.*\n)*<path d="M110.93 143.91L110.93 147.41"`},
		{"plt.text(0.5, 0.5, 'gone').set_visible(False); plt.title('here')", `here`},
	} {
		_, out, err := run(t, c.code)
		if err != nil {
			t.Fatal(err)
		}
		if svg := out.shown[0]["image/svg+xml"].(string); !regexp.MustCompile(c.want).MatchString(svg) || strings.Contains(svg, "gone") {
			t.Errorf("%s: %s is not in\n%s", c.code, c.want, svg)
		}
	}
}

// TestInterrupted stops a cell while its figures are drawn.
func TestInterrupted(t *testing.T) {
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	ctx, cancel := context.WithCancel(context.Background())
	out := &output{}
	_, _, err := s.Execute(ctx, 1, imports+"for i in range(3):\n    plt.figure()\n    plt.plot([i])", &cancels{out, cancel})
	var failed *starlib.Error
	if len(out.shown) != 1 || !errors.As(err, &failed) || failed.Name() != "KeyboardInterrupt" {
		t.Errorf("got %d figures and %v, want one and KeyboardInterrupt", len(out.shown), err)
	}
	if _, _, err := s.Execute(context.Background(), 2, "plt.plot([1])", out); err != nil || len(out.shown) != 2 {
		t.Errorf("the next cell: got %d figures and %v, want its own", len(out.shown)-1, err)
	}
}

// cancels is an output that interrupts the cell at its first figure.
type cancels struct {
	*output
	cancel func()
}

func (c *cancels) Display(data, metadata map[string]any, id string, again bool) {
	c.output.Display(data, metadata, id, again)
	c.cancel()
}

func picture(t *testing.T, data map[string]any) image.Image {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(data["image/png"].(string))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// saved is the picture that savefig writes, whose axes fill it.
func saved(t *testing.T, code string) image.Image {
	t.Helper()
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	whole := imports + "fig = plt.figure(figsize=(1, 1))\nax = fig.add_axes([0, 0, 1, 1])\n" + code + "\nax.axis('off')\nfig.savefig('a.png', dpi=100)\nplt.close()"
	if _, _, err := s.Execute(context.Background(), 1, whole, &output{}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(s.Path("a.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestPixels looks at colours where it matters.
func TestPixels(t *testing.T) {
	for _, c := range []struct {
		code string
		at   [2]int // from the upper left corner, of 100 by 100
		want string
	}{
		{"ax.imshow([[0, 1], [1, 1]], cmap='gray')", [2]int{25, 25}, "#000000"},
		{"ax.imshow([[0, 1], [1, 1]], cmap='gray')", [2]int{25, 75}, "#ffffff"},
		{"ax.imshow([[0, 1], [1, 1]], cmap='gray', origin='lower')", [2]int{25, 75}, "#000000"},
		{"ax.imshow([[0, 1], [2, 3]])", [2]int{75, 75}, "#fde725"},
		{"ax.imshow([[0, 1], [2, 3]])", [2]int{25, 25}, "#440154"},
		{"ax.imshow([[0, 1], [2, 3]], vmin=3, vmax=9)", [2]int{75, 25}, "#440154"},
		{"ax.imshow([[7, 7], [7, 7]], cmap='gray')", [2]int{50, 50}, "#000000"},
		{"ax.imshow([[np.nan, 1], [0, 3]])", [2]int{25, 25}, "#ffffff"},
		{"ax.imshow(np.array([[[255, 0, 0], [0, 255, 0]]], dtype='uint8'), aspect='auto')", [2]int{75, 50}, "#00ff00"},
		{"ax.imshow([[[0.5, 0.0, 1.0]]])", [2]int{50, 50}, "#8000ff"},
		{"ax.pcolormesh([[0, 1], [2, 3]])", [2]int{25, 75}, "#440154"},
		{"ax.axvspan(0.2, 0.8, color='C1')", [2]int{50, 50}, "#ff7f0e"},
		{"ax.axhspan(0, 1, color='0.5')", [2]int{50, 50}, "#808080"},
		{"ax.fill([0, 1, 1, 0], [0, 0, 1, 1], (1.0, 0.0, 0.0))\nax.margins(0)", [2]int{50, 50}, "#ff0000"},
		{"ax.bar([0], [1], width=1, color='tab:green')\nax.set_xlim(-.4, .4)", [2]int{50, 50}, "#2ca02c"},
		{"ax.axhline(0.5, lw=30, color='k')", [2]int{50, 50}, "#000000"},
		{"ax.scatter([0.5], [0.5], s=400, c='r')", [2]int{50, 50}, "#ff0000"},
		{"ax.plot([0, 1], [0, 1], lw=5, color='b', alpha=0.5)\nax.margins(0)", [2]int{50, 50}, "#7f7fff"},
		{"ax.contourf([[0, 0], [10, 10]], levels=[0, 5, 10], colors=['r', 'b'])", [2]int{50, 90}, "#ff0000"},
		{"ax.contourf([[0, 0], [10, 10]], levels=[0, 5, 10], colors=['r', 'b'])", [2]int{50, 10}, "#0000ff"},
		{"ax.plot(np.arange(200000), np.arange(200000) % 2)\nax.margins(0)", [2]int{50, 50}, "#1f77b4"},
		{"ax.scatter(np.linspace(0, 1, 200000), np.linspace(0, 1, 200000) % 0.01 * 100, s=9, lw=0, c='r')\nax.margins(0)", [2]int{50, 50}, "#ff0000"},
		{"ax.set_position([.25, .25, .5, .5])\nax.plot([0], [0], 'ro', ms=60)\nax.axis([0, 1, 0, 1])", [2]int{20, 80}, "#ffffff"},
		{"ax.set_position([.25, .25, .5, .5])\nax.plot([0], [0], 'ro', ms=60)\nax.axis([0, 1, 0, 1])", [2]int{30, 70}, "#ff0000"},
		{"ax.set_position([.25, .25, .5, .5])\nax.scatter([0], [0], c='r', s=3600)\nax.axis([0, 1, 0, 1])", [2]int{20, 80}, "#ffffff"},
		{"ax.set_position([.25, .25, .5, .5])\nax.plot([-0.1], [0.5], 'ro', ms=60)\nax.axis([0, 1, 0, 1])", [2]int{20, 50}, "#ffffff"},
		{"ax.set_position([.25, .25, .5, .5])\nax.plot([-0.1], [0.5], 'ro', ms=60)\nax.axis([0, 1, 0, 1])", [2]int{30, 50}, "#ff0000"},
		{"ax.fill([0, 1, 1, np.nan, 0], [0, 0, 1, np.nan, 1], 'r')\nax.axis([0, 1, 0, 1])", [2]int{75, 75}, "#ff0000"},
		{"ax.fill([0, 1, 1, np.nan, 0], [0, 0, 1, np.nan, 1], 'r')\nax.axis([0, 1, 0, 1])", [2]int{25, 25}, "#ffffff"},
		{"ax.axline((0.5, 0.5), slope=0, lw=20, color='r')\nax.set_xlim(-1e9, 1e9)\nax.set_ylim(0, 1)", [2]int{2, 50}, "#ff0000"},
		{"ax.axline((0.5, 0.5), slope=0, lw=20, color='r')\nax.set_xlim(-1e9, 1e9)\nax.set_ylim(0, 1)", [2]int{50, 20}, "#ffffff"},
		{"ax.annotate('', xy=(1, 0.5), xytext=(0, 0.5), arrowprops=dict(width=20, headwidth=50, headlength=20, facecolor='r', edgecolor='none'))", [2]int{30, 60}, "#ff0000"},
		{"ax.annotate('', xy=(1, 0.5), xytext=(0, 0.5), arrowprops=dict(width=20, headwidth=50, headlength=20, facecolor='r', edgecolor='none'))", [2]int{30, 70}, "#ffffff"},
		{"ax.annotate('', xy=(1, 0.5), xytext=(0, 0.5), arrowprops=dict(width=20, headwidth=50, headlength=20, facecolor='r', edgecolor='none'))", [2]int{75, 75}, "#ff0000"},
		{"ax.annotate('', xy=(1, 0.5), xytext=(0, 0.5), arrowprops=dict(color='r', arrowstyle='-', lw=10))", [2]int{50, 50}, "#ff0000"},
		{"ax.fill_between([0.2, 0.8], [0.2, 0.2], [0.8, 0.8], color='r', lw=20)\nax.axis([0, 1, 0, 1])", [2]int{12, 50}, "#ff0000"},
		{"ax.fill_between([0.2, 0.8], [0.2, 0.2], [0.8, 0.8], color='r', lw=20)\nax.axis([0, 1, 0, 1])", [2]int{2, 50}, "#ffffff"},
		{"ax.axline((0, 0), (1, 1), lw=20, color='r')\nax.axis([10, 20, 10, 20])", [2]int{5, 95}, "#ff0000"},
		{"ax.axline((0, 0), (1, 1), lw=20, color='r')\nax.axis([10, 20, 10, 20])", [2]int{50, 10}, "#ffffff"},
	} {
		img := saved(t, c.code)
		r, g, b, _ := img.At(c.at[0], c.at[1]).RGBA()
		want, _ := palette.Parse(c.want)
		near := func(a uint32, b uint8) bool { return max(a>>8, uint32(b))-min(a>>8, uint32(b)) <= 1 }
		if !near(r, want.R) || !near(g, want.G) || !near(b, want.B) {
			t.Errorf("%s: pixel %v is #%02x%02x%02x, want %s", c.code, c.at, r>>8, g>>8, b>>8, c.want)
		}
	}
}

// TestHostile draws what is hard to draw: each gives a picture.
func TestHostile(t *testing.T) {
	values := []string{"[]", "[1]", "[np.nan]", "[np.nan, np.nan]", "[np.inf, 1]", "[-np.inf, np.inf]", "[1e308, -1e308]", "[1e-320, 2e-320]", "[0, 0]", "[1e300, 1e300]",
		"[1, 1 + 1e-15]", "[2**70, 1]", "[True, False]", "np.zeros(3, dtype='float32')", "range(3)"}
	calls := []string{"plt.plot(%s)", "plt.scatter(range(len(%[1]s)), %[1]s)", "plt.hist([v for v in %s if abs(v) < 1e200])", "plt.bar(range(len(%[1]s)), %[1]s)",
		"plt.fill_between(range(len(%[1]s)), %[1]s)", "plt.semilogy(%s)", "plt.imshow([list(%s)])", "plt.boxplot([list(%s)])", "plt.stem(%s)", "plt.step(range(len(%[1]s)), %[1]s)",
		"plt.errorbar(range(len(%[1]s)), %[1]s, yerr=1)", "plt.hlines(%s, 0, 1)",
		// Ticks of a step below the precision of the numbers.
		"plt.gca().xaxis.set_major_locator(ticker.MultipleLocator(0.5)); plt.xlim(1e16, 1e16 + 4); plt.plot(%s)"}
	s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
	s.Execute(context.Background(), 1, imports+"from matplotlib import ticker", &output{})
	for _, call := range calls {
		for _, v := range values {
			code := fmt.Sprintf(call, v)
			if i := strings.Index(code, "%!(EXTRA"); i >= 0 {
				code = code[:i]
			}
			out := &output{}
			if _, _, err := s.Execute(context.Background(), 2, code, out); err != nil {
				if text := err.Error(); strings.Contains(text, "BUG") || strings.Contains(text, "runtime error") || !strings.Contains(text, "Error") {
					t.Errorf("%s: %v", code, err)
				}
				s.Execute(context.Background(), 3, "plt.close('all')", &output{})
				continue
			}
			if len(out.shown) != 1 || out.shown[0]["image/png"] == nil || out.shown[0]["image/svg+xml"] == nil {
				t.Errorf("%s: no picture: %v", code, out.shown)
				continue
			}
			if svg := out.shown[0]["image/svg+xml"].(string); strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, "e+") {
				t.Errorf("%s: the drawing has numbers that are none", code)
			}
		}
	}
}

// TestErrors checks what is refused: of which class, and what the message says.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"plt.plot([1, 2, 3], [1, 2, 3, 4])", "ValueError: x and y must have same first dimension, but have shapes (3,) and (4,)"},
		{"plt.plot([1], [1], 'rq')", "ValueError: Unrecognized character q in format string"},
		{"plt.plot([1], color='blurple')", `ValueError: plot: for parameter color: "blurple" is not a valid color value`},
		{"plt.plot([1], color='rad')", `(did you mean "red"?)`},
		{"plt.plot([1], colour='red')", "TypeError: plot: unexpected keyword argument colour (did you mean color?)"},
		{"plt.plot([1], marker='Q')", `ValueError: Unrecognized marker style "Q"`},
		{"plt.plot([1], ls='---')", "is not a valid value for ls"},
		{"plt.plot([1], alpha=2)", "ValueError: alpha (2) is outside 0-1 range"},
		{"plt.plot('x', 'y')", "data= is not in Arignote"},
		{"plt.scatter([1, 2], [1])", "ValueError: x and y must be the same size"},
		{"plt.scatter([1, 2], [1, 2], c=[1, 2, 3, 4, 5])", "ValueError: 'c' argument has 5 elements, which is inconsistent with 'x' and 'y' with size 2."},
		{"plt.imshow([1, 2])", "TypeError: Invalid shape (2,) for image data"},
		{"plt.imshow([[1]], cmap='virids')", `"virids" is not a known colormap name (did you mean "viridis"?)`},
		{"plt.hist([1], histtype='bars')", "is not a valid value for histtype"},
		{"plt.contour([1, 2])", "TypeError: Input z must be 2D, not 1D"},
		{"plt.contourf([[1, 2], [3, 4]], levels=[2, 1])", "ValueError: Contour levels must be increasing"},
		{"plt.colorbar()", "RuntimeError: No mappable was found"},
		{"plt.subplot(2, 2, 5)", "ValueError: num must be an integer with 1 <= num <= 4, not 5"},
		{"plt.subplots(0)", "ValueError: Number of rows and columns must be positive"},
		{"plt.subplots(2)[1][2]", "IndexError: index 2 is out of bounds for axis 0 with size 2"},
		{"plt.figure(figsize=(0, 1))", "ValueError: figure size must be positive finite"},
		{"plt.xlim(1, np.nan)", "ValueError: Axis limits cannot be NaN or Inf"},
		{"plt.yscale('symlog')", "ValueError: scale 'symlog' is not in Arignote: 'linear' and 'log' are"},
		{"plt.yscale('logg')", "is not a valid value for scale"},
		{"plt.xticks([1, 2], ['a'])", "ValueError: The number of FixedLocator locations (2)"},
		{"plt.legend(loc='top')", "is not a valid value for loc"},
		{"plt.savefig('a.bmp')", "ValueError: Format 'bmp' is not supported (supported formats: pdf, png, svg)"},
		{"plt.savefig('no/such/folder.png')", "FileNotFoundError"},
		{"plt.plot([1]); plt.savefig('a.png', dpi=1e5)", "ValueError: dpi must be positive and at most 10000"},
		{"plt.style.use('ggplt')", "OSError: 'ggplt' is not a valid package style"},
		{"plt.rcParams['lines.width'] = 2", "KeyError: "},
		{"plt.rcParams['lines.linewidth'] = 'x'", "ValueError: Key lines.linewidth"},
		{"plt.pie([1, 2])", "plt.pie is not in Arignote yet; "},
		{"plt.polar([1], [1])", "plt.polar is not in Arignote yet; "},
		{"plt.subplot(projection='3d')", "ValueError: only plane axes"},
		{"plt.gca().quiver(1, 1)", "Axes.quiver is not in Arignote yet; "},
		{"plt.plt([1])", "did you mean .plot?"},
		{"plt.bar([1, 2], [1, 2, 3])", "ValueError: shape mismatch"},
		{"plt.errorbar([1], [1], yerr=[-1])", "ValueError: 'yerr' must not contain negative values"},
		{"plt.gca().set(xlable='x')", "AttributeError: Axes.set() got an unexpected keyword argument"},
		{"plt.gca().spines['topp']", "KeyError: "},
		{"plt.plot(['a', 1])", "TypeError: y: "},
		{"import matplotlib.animation", "is not in Arignote"},
		{"from mpl_toolkits.mplot3d import Axes3D", "there is no module mpl_toolkits"},
	} {
		_, _, err := run(t, c.code)
		var failed *starlib.Error
		got := "no error"
		if errors.As(err, &failed) {
			got = failed.Name() + ": " + failed.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", c.code, got, c.want)
		}
	}
}

// TestValues checks what functions return, by programs that use it.
func TestValues(t *testing.T) {
	for _, code := range []string{
		"line, = plt.plot([1, 2]); line.set_label('a'); line.set_data([0, 1, 2], [1, 2, 3]); assert line.get_label() == 'a'",
		"a, b = plt.plot([1, 2], [3, 4], 'r', [1, 2], [5, 6], 'b--'); assert a.get_color() == '#ff0000'",
		"n, edges, bars = plt.hist([1, 2, 2, 5], bins=2); assert list(n) == [3.0, 1.0] and list(edges) == [1.0, 3.0, 5.0] and len(bars) == 2",
		"n, bins, patches = plt.hist([0.1, 0.5], bins=np.linspace(0, 1, 3)); assert sum(n) == 2",
		"fig, (a, b) = plt.subplots(1, 2); a.plot([1]); assert a is not b",
		"fig, ((a, b), (c, d)) = plt.subplots(2, 2); d.plot([1]); assert len(fig.axes) == 4",
		"fig, axs = plt.subplots(2, 3); assert axs.shape == (2, 3) and axs[1, 2] is axs.flat[5] and len(axs[:, 0]) == 2 and axs[-1][0] is axs[1, 0]\nfor ax in axs.flat:\n    ax.plot([1, 2])",
		"fig, axs = plt.subplots(2, 2)\nfor ax in axs.ravel():\n    ax.set(title='t', xlabel='x', xlim=(0, 2))\nassert axs[0, 0].get_xlim() == (0.0, 2.0)",
		"bars = plt.bar([1, 2], [3, 4])\nfor b in bars:\n    plt.text(b.get_x() + b.get_width() / 2, b.get_height(), str(b.get_height()))\nbars[1].set_color('r')\nplt.gca().bar_label(bars)",
		"b = plt.boxplot([[1, 2, 3, 4, 20]]); assert [len(b[k]) for k in ['whiskers', 'caps', 'boxes', 'medians', 'fliers']] == [2, 2, 1, 1, 1] and list(b['medians'][0].get_ydata()) == [3.0, 3.0]",
		"from matplotlib import pyplot\npyplot.plot([1, 2])\nassert pyplot.gcf().number == 1",
		"import matplotlib\nmatplotlib.use('Agg')\nmatplotlib.rcParams['lines.linewidth'] = 3\nassert plt.rcParams['lines.linewidth'] == 3",
		"plt.rcParams.update({'figure.figsize': (3, 2)}); assert plt.figure().get_size_inches().tolist() == [3.0, 2.0]",
		"import theano\nw = theano.shared(np.arange(3.0))\nassert plt.plot(w)[0].get_ydata().tolist() == [0.0, 1.0, 2.0]",
		"plt.plot(range(3), (i * i for i in range(3)))",
		"plt.plot({'a': 1, 'b': 2}.keys(), {'a': 1, 'b': 2}.values())",
		"from matplotlib.colors import LogNorm\nplt.imshow([[1, 10], [100, 1000]], norm=LogNorm())\nplt.colorbar()",
		"plt.savefig('a.png'); plt.savefig('a.svg'); plt.savefig('a.pdf'); plt.savefig('b', transparent=True, bbox_inches='tight')\nimport os\nassert sorted(os.listdir('.')) == ['a.pdf', 'a.png', 'a.svg', 'b.png']",
		"plt.gca().xaxis.set_major_formatter('{x:.1f} s'); plt.gca().yaxis.set_major_formatter(lambda v, p: '%d%%' % (100 * v)); plt.plot([0, 1])",
		"fig = plt.figure(); ax = fig.add_subplot(111); ax.plot([1]); assert fig.axes[0] is ax and plt.gca() is ax",
		"ax1 = plt.subplot(211); ax2 = plt.subplot(212); assert plt.subplot(2, 1, 1) is ax1 and plt.gca() is ax1",
		"h, l = plt.gca().get_legend_handles_labels(); plt.legend(handles=plt.plot([1], label='q')); plt.legend([plt.plot([2])[0]], ['w'])",
		"plt.plot([1, 2]); plt.cla(); plt.clf(); assert plt.gcf().axes == []",
		"cmap = plt.get_cmap('viridis'); assert cmap(0)[0] < 0.3 and plt.cm.gray(1.0) == (1.0, 1.0, 1.0, 1.0); plt.plot([1], color=cmap(0.5))",
		"with_ = plt.figure(num='named'); assert plt.figure('named') is with_; plt.close('named'); assert plt.get_fignums() == []",
	} {
		if _, _, err := run(t, code); err != nil {
			t.Errorf("%s:\n%v", code, err)
		}
	}
}

// TestSame runs what has to hold for matplotlib too.
func TestSame(t *testing.T) {
	file, err := os.ReadFile("testdata/same.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		if line[0] == '#' {
			continue
		}
		if _, _, err := run(t, strings.ReplaceAll(line, `\n`, "\n")); err != nil {
			t.Errorf("%s%v", line, err)
		}
	}
}

// TestPDF checks that the file is the same each time, and that its objects are where it says.
func TestPDF(t *testing.T) {
	var files [2][]byte
	for i := range files {
		s, _, err := run(t, "plt.plot([1, 2], label='a', alpha=0.5); plt.imshow([[0, 1]]); plt.legend(); plt.savefig('a.pdf')")
		if err != nil {
			t.Fatal(err)
		}
		if files[i], err = os.ReadFile(s.Path("a.pdf")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two files differ")
	}
	at := regexp.MustCompile(`(?m)^(\d{10}) 00000 n`).FindAllSubmatch(files[0], -1)
	for i, m := range at {
		var offset int
		fmt.Sscanf(string(m[1]), "%d", &offset)
		if want := fmt.Sprintf("%d 0 obj", i+1); !bytes.HasPrefix(files[0][offset:], []byte(want)) {
			t.Errorf("object %d is not at %d", i+1, offset)
		}
	}
	if len(at) < 6 {
		t.Errorf("%d objects, want at least 6", len(at))
	}
}
