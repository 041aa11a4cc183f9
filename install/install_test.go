package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestInstallForUser goes through the public door with the real environment.
func TestInstallForUser(t *testing.T) {
	w := newWorld(t)
	data := filepath.Join(w.root, "data")
	t.Setenv("JUPYTER_DATA_DIR", data)
	t.Setenv("JUPYTER_PATH", "")
	t.Setenv("SUDO_USER", "")
	var out bytes.Buffer
	o := Options{Executable: w.exe, Copy: true, Stdout: &out}

	r, err := Install(o)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(data, "kernels", "arignote")
	if r.Dir != dir {
		t.Errorf("got folder %s, want %s", r.Dir, dir)
	}
	want := []string{"arignote", "kernel.json", "logo-32x32.png", "logo-64x64.png", "logo-svg.svg"}
	if got := names(dir); !slices.Equal(got, want) {
		t.Errorf("got files %q, want %q", got, want)
	}
	if got := names(filepath.Join(data, "kernels")); !slices.Equal(got, []string{"arignote"}) {
		t.Errorf("got %q beside the kernelspec, want it alone", got)
	}
	if len(r.Warnings) != 0 {
		t.Errorf("got warnings %q, want none", r.Warnings)
	}
	if _, err := Remove(o); err != nil {
		t.Fatal(err)
	}
	if got := names(filepath.Join(data, "kernels")); len(got) != 0 {
		t.Errorf("got %q after Remove, want nothing", got)
	}
	got := strings.ReplaceAll(out.String(), w.root, "ROOT")
	if want := `installed kernelspec arignote: Starlark (Arignote)
  arignote    ROOT/data/kernels/arignote
  starts: ROOT/data/kernels/arignote/arignote kernel -f {connection_file}
  copied from ROOT/bin/arignote: --copy
removed kernelspec arignote: Starlark (Arignote)
  arignote    ROOT/data/kernels/arignote
`; filepath.ToSlash(got) != want {
		t.Errorf("got report\n%s\nwant\n%s", got, want)
	}
}

func TestKernelJSON(t *testing.T) {
	custom := Options{
		Name: "Mine", DisplayName: `Tensors & "more"`, Language: "python",
		Env: map[string]string{"B": "2", "A": "${HOME}/x"}, Args: []string{"--threads", "2"},
	}
	for _, tt := range []struct {
		name, golden string
		o            Options
	}{
		{"defaults", "kernel.json", Options{}},
		{"every option", "kernel_options.json", custom},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			o := tt.o
			o.Prefix, o.Executable = w.options().Prefix, w.exe
			r := mustInstall(t, w, o)
			got := strings.ReplaceAll(read(t, filepath.Join(r.Dir, "kernel.json")), w.root, "ROOT")
			golden := filepath.Join("testdata", tt.golden)
			if *update {
				write(t, golden, got, 0o644)
			}
			if want := read(t, golden); got != want {
				t.Errorf("got\n%s\nwant %s\n%s", got, golden, want)
			}
			if filepath.Base(r.Dir) != r.Name || r.Name != strings.ToLower(r.Name) {
				t.Errorf("got name %q in folder %s, want the lower-case name", r.Name, r.Dir)
			}
		})
	}
}

func TestRefusedOptions(t *testing.T) {
	elsewhere := t.TempDir() // where a failing test would write
	for _, tt := range []struct {
		name string
		o    Options
		want []string
	}{
		{"two places", Options{User: true, Prefix: elsewhere}, []string{"got --user and --prefix", "drop all but one"}},
		{"three places", Options{SysPrefix: true, Prefix: elsewhere, JupyterDataDir: elsewhere}, []string{"--sys-prefix and --prefix and --jupyter-data-dir"}},
		{"name with a space", Options{Name: "my kernel"}, []string{"--name", `"my kernel"`, "letters"}},
		{"name with a slash", Options{Name: "a/b"}, []string{"--name", `"a/b"`}},
		{"name that climbs", Options{Name: ".."}, []string{"--name", `".."`}},
		{"hidden name", Options{Name: ".x"}, []string{"--name", `".x"`}},
		{"language", Options{Language: "go"}, []string{"--language", `"go"`, `"starlark" or "python"`}},
		{"env name", Options{Env: map[string]string{"A=B": ""}}, []string{"--env", `"A=B"`, "NAME=VALUE"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			tt.o.Executable = w.exe
			_, err := w.install(tt.o)
			wantError(t, err, tt.want...)
			_, err = w.remove(tt.o)
			wantError(t, err, tt.want...)
		})
	}
	w := newWorld(t)
	for _, name := range []string{"arignote", "a", "0", "a.b_c-d", "_x", "UPPER"} {
		o := w.options()
		o.Name = name
		if _, err := w.install(o); err != nil {
			t.Errorf("name %q: got %v, want it allowed", name, err)
		}
	}
}

func TestReplace(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	if r := mustInstall(t, w, o); r.Replaced {
		t.Error("got Replaced for the first install")
	}
	write(t, w.dir("arignote", "left-over"), "x", 0o644)
	o.DisplayName = "Second"
	if r := mustInstall(t, w, o); !r.Replaced {
		t.Error("got no Replaced for the second install")
	}
	if !strings.Contains(read(t, w.dir("arignote", "kernel.json")), `"Second"`) {
		t.Error("the second install's kernel.json is not there")
	}
	if got := names(w.dir("arignote")); slices.Contains(got, "left-over") {
		t.Errorf("got %q, want the old folder gone", got)
	}
	if err := os.MkdirAll(w.dir("empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	o.Name = "empty"
	mustInstall(t, w, o)
}

// foreignFolders are what neither Install nor Remove may touch.
var foreignFolders = []struct {
	name, file, text string
	want             []string
}{
	{"another kernel", "k/kernel.json", `{"argv":["python3","-m","ipykernel_launcher","-f","{connection_file}"],"display_name":"Python 3","language":"python"}`,
		[]string{"another program's kernel", `"Python 3"`, "ipykernel_launcher"}},
	{"same shape, other program", "k/kernel.json", `{"argv":["/bin/other","kernel","-f","{connection_file}"],"display_name":"Other","language":"go"}`,
		[]string{"another program's kernel", "/bin/other"}},
	{"broken kernel.json", "k/kernel.json", `{"argv":`, []string{"kernel.json that cannot be read", "unexpected end"}},
	{"no kernel.json", "k/thesis.tex", `x`, []string{"no kernel.json", "thesis.tex"}},
	{"a file", "k", `x`, []string{"is a file"}},
}

func TestInstallRefusesForeignFolder(t *testing.T) {
	for _, tt := range foreignFolders {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			write(t, w.dir(filepath.FromSlash(tt.file)), tt.text, 0o644)
			o := w.options()
			o.Name = "k"
			_, err := w.install(o)
			wantError(t, err, append(tt.want, w.dir("k"), "choose another --name")...)
			if got := read(t, w.dir(filepath.FromSlash(tt.file))); got != tt.text {
				t.Errorf("got %q in the foreign file, want it untouched", got)
			}
		})
	}
}

func TestRemoveRefusesForeignFolder(t *testing.T) {
	for _, tt := range foreignFolders {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			write(t, w.dir(filepath.FromSlash(tt.file)), tt.text, 0o644)
			o := w.options()
			o.Name = "k"
			_, err := w.remove(o)
			wantError(t, err, append(tt.want, w.dir("k"), "was not removed", "jupyter kernelspec remove k")...)
			if got := read(t, w.dir(filepath.FromSlash(tt.file))); got != tt.text {
				t.Errorf("got %q in the foreign file, want it untouched", got)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.Copy = true
	mustInstall(t, w, o)
	other := o
	other.Name = "other"
	mustInstall(t, w, other)
	r, err := w.remove(o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Removed || !r.Copied || r.DisplayName != "Starlark (Arignote)" {
		t.Errorf("got %+v, want a removed copy with its display name", r)
	}
	if got := names(w.dir()); !slices.Equal(got, []string{"other"}) {
		t.Errorf("got kernels %q, want only the other one", got)
	}
	if read(t, w.exe) != "the program" {
		t.Error("the program itself was touched")
	}
	_, err = w.remove(o)
	wantError(t, err, `no kernel "arignote"`, w.dir(), "jupyter kernelspec list")
}

func TestRemoveNamesTheOtherPlace(t *testing.T) {
	w := newWorld(t)
	mustInstall(t, w, Options{User: true, Executable: w.exe})
	_, err := w.remove(w.options())
	wantError(t, err, "--jupyter-data-dir "+filepath.Join(w.root, "home", ".local", "share", "jupyter"))
}

// TestRemoveLink checks that a linked kernelspec, as a developer makes it,
// loses its link and not its folder.
func TestRemoveLink(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	mustInstall(t, w, o)
	real := filepath.Join(w.root, "real")
	if err := os.Rename(w.dir("arignote"), real); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, w.dir("arignote")); err != nil {
		t.Skip(err)
	}
	if _, err := w.remove(o); err != nil {
		t.Fatal(err)
	}
	if got := names(w.dir()); len(got) != 0 {
		t.Errorf("got %q, want the link gone", got)
	}
	read(t, filepath.Join(real, "kernel.json"))
}

func TestDryRun(t *testing.T) {
	w := newWorld(t)
	var out bytes.Buffer
	o := w.options()
	o.DryRun, o.Copy, o.Stdout = true, true, &out
	o.Verify = func([]string) error { return errors.New("started") }
	r := mustInstall(t, w, o)
	if !r.DryRun || r.Argv[0] != w.dir("arignote", "arignote") {
		t.Errorf("got %+v, want a dry run of the copy", r)
	}
	if got := names(filepath.Join(w.root, "prefix")); len(got) != 0 {
		t.Errorf("got %q written, want nothing", got)
	}
	o.DryRun, o.Verify = false, nil
	mustInstall(t, w, o)
	o.DryRun = true
	if _, err := w.remove(o); err != nil {
		t.Fatal(err)
	}
	read(t, w.dir("arignote", "kernel.json"))
	for _, want := range []string{"would install kernelspec arignote", "would remove kernelspec arignote"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got report %q, want %q", out.String(), want)
		}
	}
}

func TestVerify(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.DisplayName = "Old"
	mustInstall(t, w, o)
	old := read(t, w.dir("arignote", "kernel.json"))

	var argv []string
	var program string
	o.DisplayName, o.Copy = "New", true
	o.Verify = func(a []string) error {
		argv = a
		program = read(t, a[0])
		return errors.New("no kernel_info_reply")
	}
	_, err := w.install(o)
	wantError(t, err, "no kernel_info_reply", argv[0], w.dir("arignote"), "was left as it was")
	if !slices.Equal(argv[1:], []string{"kernel", "-f", "{connection_file}"}) || program != "the program" {
		t.Errorf("got argv %q starting %q, want the copy", argv, program)
	}
	if got := read(t, w.dir("arignote", "kernel.json")); got != old {
		t.Errorf("got %s, want the old kernelspec", got)
	}
	if got := names(w.dir()); !slices.Equal(got, []string{"arignote"}) {
		t.Errorf("got %q, want nothing left behind", got)
	}

	o.Verify = func([]string) error { return nil }
	r := mustInstall(t, w, o)
	if r.Argv[0] != w.dir("arignote", "arignote") {
		t.Errorf("got argv[0] %s, want the copy in its final place", r.Argv[0])
	}
}

func TestResultAsJSON(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	write(t, filepath.Join(o.Prefix, "bin", "python3"), "", 0o755)
	text, err := json.Marshal(mustInstall(t, w, o))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"name":"arignote"`, `"warnings":[]`, `"copied":false`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("got %s, want %s in it", text, want)
		}
	}
}
