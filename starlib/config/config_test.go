package config_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/arignote/arignote/starlib/config"
)

func env(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return m[name] }
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPrecedence sets one flag in every place, lowest first, and looks after each.
func TestPrecedence(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	opts := config.Options{Dir: sub, Getenv: env("XDG_CONFIG_HOME", filepath.Join(dir, "home"))}
	load := func(value int, source string) *config.Config {
		t.Helper()
		c, err := config.Load(opts)
		if err != nil {
			t.Fatal(err)
		}
		v, from := c.Get("profiling.n_apply")
		if v != value || from != source {
			t.Errorf("n_apply: got %v from %s, want %d from %s", v, from, value, source)
		}
		return c
	}
	load(20, "default")
	user := write(t, filepath.Join(dir, "home", "arignote", "config.toml"), "[profiling]\nn_apply = 1\n")
	load(1, user+":2")
	project := write(t, filepath.Join(dir, "a", "arignote.toml"), "# comment\nprofiling.n_apply = 2\n")
	load(2, project+":2")
	opts.Getenv = env("HOME", dir, "ARIGNOTE_FLAGS", "profiling.n_apply=9,profiling__n_apply=3")
	load(3, "ARIGNOTE_FLAGS")
	opts.Args = []string{"profiling.n_apply=4"}
	c := load(4, "command line")
	if err := c.Set("profiling__n_apply", int64(5), "In[1]:2"); err != nil {
		t.Fatal(err)
	}
	if got := c.Int("profiling.n_apply"); got != 5 {
		t.Errorf("after assignment: got %d, want 5", got)
	}
	pop, err := c.Push(map[string]any{"profiling.n_apply": "6"}, "In[2]:1")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Set("profiling.n_apply", 7, "In[2]:3"); err != nil {
		t.Fatal(err)
	}
	if v, from := c.Get("profiling.n_apply"); v != 6 || from != "In[2]:1" {
		t.Errorf("in a cell with flags: got %v from %s, want 6 from In[2]:1", v, from)
	}
	pop()
	pop()
	if v, from := c.Get("profiling.n_apply"); v != 7 || from != "In[2]:3" {
		t.Errorf("after the cell: got %v from %s, want 7 from In[2]:3", v, from)
	}
}

func TestValues(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   any
		want any // nil: an error
	}{
		{"profile", "True", true}, {"profile", "true", true}, {"profile", "1", true}, {"profile", int64(0), false},
		{"profile", "yes", nil}, {"profile", 2, nil},
		{"floatX", "float32", "float32"}, {"floatX", "float16", nil}, {"floatX", 32, nil},
		{"mode", "fast_run", "FAST_RUN"}, {"mode", "ProfileMode", "PROFILE_MODE"}, {"mode", nil, nil},
		{"linker", "c|py", "c|go"}, {"linker", "py", "go"}, {"linker", "jax", nil},
		{"linker", "CVM_NOGC", "c|go_nogc"}, {"linker", "c&py", "c&go"}, {"linker", "py_gc", "go_gc"}, {"linker", "c_py", nil}, {"mode", "sanity_check", "SANITY_CHECK"}, {"mode", "numba", nil},
		{"optimizer", "O2", "o2"}, {"optimizer", "Fast_Run", "fast_run"}, {"optimizer", "unsafe", "unsafe"}, {"optimizer", "NONE", "None"}, {"optimizer", "o5", nil},
		{"optimizer", nil, "None"}, {"optimizer_excluding", "fusion:inplace", "fusion:inplace"},
		{"optimizer_excluding", []string{"fusion", "inplace"}, "fusion:inplace"}, {"optimizer_excluding", "a b", nil},
		{"profiling.n_ops", "0", nil}, {"profiling.min_memory_size", "0", 0}, {"profiling.n_ops", 1.5, nil},
		{"profiling.destination", "stdout", "stdout"}, {"profiling.destination", "", nil}, {"profiling.destination",
			"/no/such/folder/x", nil},
		{"ProfileMode.n_apply_to_print", "15", 15}, {"profiling.layout", "theano", "theano"}, {"profiling.layout", "html", nil},
		{"allow_input_downcast", true, "True"},
	} {
		c := config.New()
		err := c.Set(tt.name, tt.in, "")
		if (err == nil) != (tt.want != nil) {
			t.Errorf("%s = %v: got error %v", tt.name, tt.in, err)
			continue
		}
		if got, _ := c.Get(tt.name); err == nil && got != tt.want {
			t.Errorf("%s = %v: got %v, want %v", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestBytes(t *testing.T) {
	f, _ := config.Lookup("memory_limit")
	for text, want := range map[string]int{"4096": 4096, "2GB": 2e9, "1.5 GiB": 3 << 29, "512mb": 512e6, "7b": 7, " 3KiB ": 3072} {
		if got, err := f.Check(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v; want %d", text, got, err, want)
		}
	}
	for _, tt := range []struct {
		in, want any
		bytes    int64
	}{
		{"50%", "50%", 500}, {" 12.5 %", "12.5 %", 125}, {"none", "none", 0}, {"None", "none", 0}, {nil, "none", 0}, {0, "none", 0}, {"0", "none", 0},
		{"2KB", 2000, 2000},
	} {
		c := config.New()
		if err := c.Set("memory_limit", tt.in, ""); err != nil {
			t.Errorf("%v: got error %v", tt.in, err)
		}
		if got, _ := c.Get("memory_limit"); got != tt.want || c.Bytes("memory_limit", 1000) != tt.bytes {
			t.Errorf("%v: got %v, %d bytes of 1000, want %v, %d", tt.in, got, c.Bytes("memory_limit", 1000), tt.want, tt.bytes)
		}
	}
	for _, v := range []any{"-1", "GB", "1XB", "1e30", "nan", "NaNGB", -1, 1.5, true, "0%", "101%", "x%", "%", "nan%"} {
		if got, err := f.Check(v); err == nil || !strings.HasSuffix(err.Error(), "want a number of bytes, as 512MB or 2GiB, a share, as 50%, or none") {
			t.Errorf("%v: got %v, %v; want an error", v, got, err)
		}
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "arignote.toml")
	for _, tt := range []struct{ name, toml, flags, arg, want string }{
		{"unknown", "", "profil=True", "", "ARIGNOTE_FLAGS: unknown flag profil (did you mean profile?)"},
		{"unknown, nothing near", "", "zzzzzzz=1", "", "ARIGNOTE_FLAGS: unknown flag zzzzzzz"},
		{"last row has a hint too", "", "profiling.shwo=1", "",
			"ARIGNOTE_FLAGS: unknown flag profiling.shwo (did you mean profiling.show?)"},
		{"section left out", "", "n_aply=1", "", "ARIGNOTE_FLAGS: unknown flag n_aply (did you mean profiling.n_apply?)"},
		{"bool", "", "profile=maybe", "", `ARIGNOTE_FLAGS: profile: got "maybe", want True or False`},
		{"int", "", "", "profiling.n_ops=x", `command line: profiling.n_ops: got "x", want an integer > 0`},
		{"choice", "", "floatX=float16", "", `ARIGNOTE_FLAGS: floatX: got "float16", want one of float64, float32`},
		{"section", "", "profiling=1", "",
			"ARIGNOTE_FLAGS: profiling is a section of flags, not a flag; it has always, debugprint, destination, ignore_first_call, layout, min_memory_size, min_peak_memory, n_apply, n_ops, output_line_width, roofline, show, split, time_thunks"},
		{"file, unknown", "floatX = 'float32'\n[profiling]\n  n_aply = 3\n", "", "",
			file + ":3:3: unknown flag profiling.n_aply (did you mean profiling.n_apply?)"},
		{"file, value", "profiling = { n_ops = -1 }\n", "", "", file + ":1:15: profiling.n_ops: got -1, want an integer > 0"},
		{"file, syntax", "floatX = \n", "", "", file + ":1:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			write(t, file, tt.toml)
			opts := config.Options{Dir: dir, UserFile: "none", Getenv: env("ARIGNOTE_FLAGS", tt.flags)}
			if tt.arg != "" {
				opts.Args = []string{tt.arg}
			}
			_, err := config.Load(opts)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v\nwant %s", err, tt.want)
			}
		})
	}
}

// TestFilesOfFlags: what stands in the place of a file of flags is told, wherever flags are looked
// for.
func TestFilesOfFlags(t *testing.T) {
	for _, tt := range []struct {
		name string
		make func(path string) error
		want string // behind the path; "" is no error
	}{
		{"nothing", func(string) error { return nil }, ""},
		{"a directory", func(path string) error { return os.Mkdir(path, 0o755) }, ": a directory, want a file of flags: mend it, rename it or take it away"},
		{"a link to itself", func(path string) error { return os.Symlink(filepath.Base(path), path) }, ": links that lead to each other, want a file of flags: "},
		{"a link to nothing", func(path string) error { return os.Symlink("elsewhere", path) }, ": a link to elsewhere, which is not there: "},
		{"a link to a file", func(path string) error {
			return errors.Join(os.WriteFile(path+".real", []byte("floatX = 'float32'"), 0o644), os.Symlink(path+".real", path))
		}, ""},
		{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o644) }, ": a pipe, socket or device, want a file of flags: "},
		{"huge", func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("#\n"), 600000), 0o644) }, ": 1200000 bytes, want at most 1048576 of flags: "},
		{"not UTF-8", func(path string) error { return os.WriteFile(path, []byte("floatX = 'float32'\n# h\xe4h\n"), 0o644) },
			":2:4: byte 0xe4 is not UTF-8: save the file as UTF-8"},
		{"zero bytes", func(path string) error { return os.WriteFile(path, make([]byte, 100), 0o644) }, ":1:1: "},
		{"unreadable", func(path string) error { return os.WriteFile(path, nil, 0) }, ": permission denied: mend it, rename it or take it away"},
	} {
		if tt.name == "unreadable" && os.Geteuid() == 0 {
			continue // root reads all
		}
		for _, place := range []string{"the project's", "the user's"} {
			dir := t.TempDir()
			opts := config.Options{Dir: dir, UserFile: "none", Getenv: env()}
			path := filepath.Join(dir, "arignote.toml")
			if place == "the user's" {
				path = filepath.Join(dir, "flags.toml")
				opts.UserFile = path
			}
			if err := tt.make(path); err != nil {
				t.Fatal(err)
			}
			_, err := config.Load(opts)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), path+tt.want)) {
				t.Errorf("%s is %s: got %v, want %q", place, tt.name, err, path+tt.want)
			}
		}
	}
	// Of a home that is no folder nothing is to be told.
	if _, err := config.Load(config.Options{Dir: t.TempDir(), Getenv: env("HOME", "/dev/null")}); err != nil {
		t.Errorf("HOME=/dev/null: %v", err)
	}
}

// TestSandboxIsKept: what comes with a notebook cannot take back what the user said; the user can.
func TestSandboxIsKept(t *testing.T) {
	dir := t.TempDir()
	user := write(t, filepath.Join(dir, "user.toml"), "sandbox = true\n")
	project := write(t, filepath.Join(dir, "project", "arignote.toml"), "floatX = 'float32'\nsandbox = false\n")
	opts := config.Options{Dir: filepath.Dir(project), UserFile: user, Getenv: env()}
	_, err := config.Load(opts)
	if want := project + ":2:1: sandbox: on since " + user + ":1, and cannot be switched off from here: start again with --flags sandbox=False"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	write(t, project, "sandbox = true")
	for _, tt := range []struct {
		flags, arg string
		want       bool
	}{{"", "", true}, {"sandbox=False", "", false}, {"", "sandbox=False", false}, {"sandbox=False", "sandbox=True", true}} {
		opts.Getenv, opts.Args = env("ARIGNOTE_FLAGS", tt.flags), []string{tt.arg}
		c, err := config.Load(opts)
		if err != nil || c.Bool("sandbox") != tt.want {
			t.Fatalf("%+v: got %v", tt, err)
		}
		if err := c.Set("sandbox", false, "In[1]:1"); (err != nil) != tt.want {
			t.Errorf("%+v: then a program switches it off: %v", tt, err)
		}
	}
}

func TestPushError(t *testing.T) {
	c := config.New()
	_, err := c.Push(map[string]any{"allow_gc": false, "profle": true}, "In[1]:1")
	if err == nil || err.Error() != "In[1]:1: unknown flag profle (did you mean profile?)" {
		t.Errorf("got %v", err)
	}
	if !c.Bool("allow_gc") {
		t.Error("a failed Push left a flag behind")
	}
}

func TestForeignFlags(t *testing.T) {
	c, err := config.Load(config.Options{Dir: t.TempDir(), UserFile: "none",
		Getenv: env("THEANO_FLAGS", "floatX=float32,device=cuda", "ARIGNOTE_FLAGS", "profile=True")})
	if err != nil {
		t.Fatal(err)
	}
	if c.String("floatX") != "float32" || !c.Bool("profile") {
		t.Errorf("got floatX %s, profile %v", c.String("floatX"), c.Bool("profile"))
	}
	if n := c.Notes(); len(n) != 1 || n[0] != "THEANO_FLAGS: device=cuda is not used: there is no GPU; kernels use the vectors and the threads of the processor" {
		t.Errorf("got notes %q", n)
	}
}

// TestSpellings: Theano's names of linkers, modes and optimizers are read wherever a flag may be
// set.
func TestSpellings(t *testing.T) {
	dir := t.TempDir()
	set := "mode=debug_mode,linker=vm_nogc,optimizer=FAST_RUN_STABLE"
	for _, opts := range []config.Options{
		{Getenv: env("ARIGNOTE_FLAGS", set)}, {Getenv: env("THEANO_FLAGS", set)}, {Getenv: env(), Args: []string{set}},
		{Getenv: env(), UserFile: write(t, filepath.Join(dir, "flags.toml"), "mode = 'debug_mode'\nlinker = 'vm_nogc'\noptimizer = 'FAST_RUN_STABLE'\n")},
		{Getenv: env("THEANORC", write(t, filepath.Join(dir, "rc"), "[global]\n"+strings.ReplaceAll(set, ",", "\n")))},
	} {
		opts.Dir = dir
		if opts.UserFile == "" {
			opts.UserFile = "none"
		}
		c, err := config.Load(opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.String("mode") + " " + c.String("linker") + " " + c.String("optimizer"); got != "DebugMode c|go_nogc fast_run_stable" {
			t.Errorf("%+v: got %s", opts, got)
		}
	}
}

// TestForeignSpellings reads what users of the peers have in their environment: both spellings,
// deprecated names, the right-most value.
func TestForeignSpellings(t *testing.T) {
	for _, name := range []string{"THEANO_FLAGS", "AESARA_FLAGS", "PYTENSOR_FLAGS", "ARIGNOTE_FLAGS"} {
		c, err := config.Load(config.Options{Dir: t.TempDir(), UserFile: "none", Getenv: env(name,
			"profile=True, profiling__n_ops=3,ProfileMode.n_apply_to_print=4,profiling.n_ops=5,linker=cvm,ProfileMode__profile_memory=1,")})
		if err != nil {
			t.Fatal(err)
		}
		for flag, want := range map[string]any{"profile": true, "profiling.n_ops": 5, "ProfileMode.n_apply_to_print": 4, "linker": "c|go",
			"ProfileMode.profile_memory": true} {
			if got, from := c.Get(flag); got != want || from != name {
				t.Errorf("%s: %s: got %v from %s, want %v", name, flag, got, from, want)
			}
		}
	}
}

// TestDestination finds at once that a file cannot be written, and leaves none behind.
func TestDestination(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.txt")
	c := config.New()
	if err := c.Set("profiling.destination", path, "command line"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("setting the flag made the file")
	}
	write(t, path, "keep")
	if err := c.Set("profiling.destination", path, "command line"); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "keep" {
		t.Errorf("setting the flag changed the file: %q", text)
	}
	for _, bad := range []string{dir, filepath.Join(dir, "none", "out.txt")} {
		err := c.Set("profiling.destination", bad, "command line")
		if err == nil || !strings.HasPrefix(err.Error(), "command line: profiling.destination: open "+bad+": ") {
			t.Errorf("%s: got %v", bad, err)
		}
	}
	if got := c.String("profiling.destination"); got != path {
		t.Errorf("after an error: got %s, want %s", got, path)
	}
}

// TestTable checks that every row is documented and its default is a value it accepts.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range config.Table() {
		if f.Doc == "" || seen[f.Name] {
			t.Errorf("%s: no documentation, or a second row", f.Name)
		}
		seen[f.Name] = true
		if v, err := f.Check(f.Default); err != nil || v != f.Default {
			t.Errorf("%s: default %v: got %v, %v", f.Name, f.Default, v, err)
		}
	}
	text := config.New().Text("")
	if got := strings.Count(text, "\n") + 1; got != len(seen) {
		t.Errorf("Text: got %d lines, want %d", got, len(seen))
	}
	if !strings.Contains(config.New().Text("profiling.n_apply"), "profiling.n_apply = 20") {
		t.Errorf("Text(profiling.n_apply): got %q", config.New().Text("profiling.n_apply"))
	}
}
