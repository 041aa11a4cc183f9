package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestForeignTable: a row that a flag of ours or a row before hides would never be read.
func TestForeignTable(t *testing.T) {
	for i, row := range foreign {
		name := strings.TrimSuffix(row.name, ".")
		if row.why == "" || strings.HasSuffix(row.why, ".") {
			t.Errorf("%s: got the reason %q", row.name, row.why)
		}
		if got := findForeign(strings.ToUpper(row.name)); got == nil || got.name != foreign[i].name {
			t.Errorf("%s: found the row %v", row.name, got)
		}
		for _, f := range table {
			if strings.EqualFold(f.Name, name) || strings.HasSuffix(row.name, ".") && strings.HasPrefix(f.Name, row.name) {
				t.Errorf("%s: there is a flag %s", row.name, f.Name)
			}
		}
	}
}

// TestForeignFiles reads files of Theano, Aesara and PyTensor as their users have them.
func TestForeignFiles(t *testing.T) {
	home := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(home, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	load := func(pairs ...string) (*Config, error) {
		env := map[string]string{"HOME": home}
		for i := 0; i < len(pairs); i += 2 {
			env[pairs[i]] = pairs[i+1]
		}
		return Load(Options{Dir: t.TempDir(), Getenv: func(name string) string { return env[name] }})
	}
	rc := file(".theanorc", `[global]
floatx = float32
device = gpu0
linker: c|py_nogc
optimizer_excluding = fusion:
    inplace
force_device = False
gcc.cxxflags = -march=native
NoSuchThing = 1
[DebugMode]
check_c = False
check_preallocated_output = ALL
[blas]
ldflags = -lblas -lgfortran
[nvcc]
# fastmath
fastmath = True
`)
	rest := file("rest", "[global]\nfloatX = float64\n[profiling]\nn_apply = 3\nn_ops = three\n")
	c, err := load("THEANORC", "~/.theanorc:"+rest+":"+filepath.Join(home, "none"), "THEANO_FLAGS", "profiling.n_apply=4,device=cpu,openmp")
	if err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]struct {
		value  any
		source string
	}{
		"floatX": {"float64", rest + ":2"}, "linker": {"c|go_nogc", rc + ":4"}, "optimizer_excluding": {"fusion:inplace", rc + ":5"},
		"DebugMode.check_c": {false, rc + ":11"}, "DebugMode.check_preallocated_output": {"ALL", rc + ":12"},
		"profiling.n_apply": {4, "THEANO_FLAGS"}, "profiling.n_ops": {20, Default},
	} {
		if got, from := c.Get(flag); got != want.value || from != want.source {
			t.Errorf("%s: got %v from %s, want %v from %s", flag, got, from, want.value, want.source)
		}
	}
	want := []string{
		rc + ":3: device=gpu0 is not used: " + noGPU,
		rc + ":8: gcc.cxxflags=-march=native is not used: " + noCompiler,
		rc + ":9: nosuchthing=1 is not used: there is no such flag",
		rc + ":14: blas.ldflags=-lblas -lgfortran is not used: " + ownProducts,
		rc + ":17: nvcc.fastmath=True is not used: " + noGPU,
		rest + `:5: profiling.n_ops=three is not used: profiling.n_ops: got "three", want an integer > 0`,
		"THEANORC: there is no file " + filepath.Join(home, "none"),
		"THEANO_FLAGS: openmp=True is not used: " + ownThreads,
	}
	if got := c.Notes(); !slices.Equal(got, want) {
		t.Errorf("got the notes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(c.Hints()) != 0 {
		t.Errorf("got hints %q of a file that is read", c.Hints())
	}

	// A file in the home directory that is not named is not read, and whoever prints the flags
	// learns of it.
	for _, p := range peers {
		file(p.file, "[global]\nfloatX = float32\n")
		if c, err = load(); err != nil {
			t.Fatal(err)
		}
		hint := fmt.Sprintf("%s is not read; %s=%s has it read", filepath.Join(home, p.file), p.files, filepath.Join(home, p.file))
		if !slices.Contains(c.Hints(), hint) || !strings.Contains(c.Text(""), "\n# "+hint) || strings.Contains(c.Text("floatX"), hint) {
			t.Errorf("got hints %q and\n%s\nwant %q", c.Hints(), c.Text(""), hint)
		}
		if c.String("floatX") != "float64" || len(c.Notes()) != 0 {
			t.Errorf("%s: floatX is %s, notes %q", p.file, c.String("floatX"), c.Notes())
		}
		if c, err = load(p.files, filepath.Join(home, p.file)); err != nil || c.String("floatX") != "float32" {
			t.Errorf("%s: got %v, %v", p.files, c, err)
		}
	}
	if c, err := Load(Options{Dir: t.TempDir(), Getenv: func(string) string { return "" }}); err != nil || len(c.Hints()) != 0 {
		t.Errorf("without a home: got %v, %v", c, err)
	}

	// What cannot be read is an error that names the file.
	loop := filepath.Join(home, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		home: ": a directory, want a file of flags", loop: ": links that lead to each other",
		file("binary", "[global]\nfloatX = \xff\n"):          ":2:10: byte 0xff is not UTF-8",
		file("huge", strings.Repeat("# much\n", 200000)):     ": 1400000 bytes, want at most",
		file("headless", "# flags\nfloatX = float32\n"):      `:2: got "floatX = float32" before the first section, want a line such as [global]`,
		file("bare", "[global]\nfloatX\n"):                   `:2: got "floatX", want key = value`,
		file("keyless", "[global]\n= 3\n"):                   `:2: got "= 3", want a key before the =`,
		file("long", "[global]\n"+strings.Repeat("x", 9999)): `:2: got "` + strings.Repeat("x", 40) + `...", want key = value`,
	} {
		if _, err := load("PYTENSORRC", path); err == nil || !strings.HasPrefix(err.Error(), path+want) {
			t.Errorf("got %v, want %s%s", err, path, want)
		}
	}
}

// TestForeignNames: flags that others have are refused by name, wherever they are typed.
func TestForeignNames(t *testing.T) {
	for name, want := range map[string]string{
		"device": "there is no flag device: " + noGPU, "gpuarray.preallocate": "there is no flag gpuarray.preallocate: " + noGPU, "gpuarray": "there is no flag gpuarray: " + noGPU,
		"dnn__enabled": "there is no flag dnn__enabled: " + noGPU, "cxx": "there is no flag cxx: " + noCompiler, "flotX": "unknown flag flotX (did you mean floatX?)",
		"profiling.html":               "there is no flag profiling.html: it is profiling.show, and a panel begins open without it",
		"tensor.local_elemwise_fusion": "there is no flag tensor.local_elemwise_fusion: use optimizer_excluding=fusion",
	} {
		for _, err := range []error{Unknown(name), New().Set(name, "1", "")} {
			if err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	}
	c := New()
	for value, want := range map[string]string{
		"JAX": "mode: there is no JAX: Arignote compiles by itself, for the processor; want one of FAST_RUN, ", "numba": "mode: there is no NUMBA: ",
		"MonitorMode": "mode: MonitorMode needs to know what to call; pass MonitorMode(post_func=...) to function(); want one of ",
	} {
		if err := c.Set("mode", value, ""); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
