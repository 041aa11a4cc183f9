package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A foreignFlag is a flag of Theano, Aesara, PyTensor or an earlier version that has no meaning
// here, or a section of such flags.
type foreignFlag struct {
	name string   // that of a section ends with a dot
	why  string   // what to know, and what to use instead
	fine []string // values that ask for what is so anyway: they are passed over without a word, and programs may read the first
}

// What many rows say.
const (
	noGPU       = "there is no GPU; kernels use the vectors and the threads of the processor"
	noCompiler  = "kernels are C that is compiled in; nothing is compiled on this machine"
	noScan      = "loops are theano.scan, with one implementation; optimizer_excluding=scan keeps their steps as they were written"
	noPickle    = "functions are not pickled; compile them again"
	ownTests    = "it belongs to Theano's own tests"
	ownThreads  = "config.threads says how many threads a kernel may use"
	ownProducts = "products are kernels of Arignote's own; no BLAS is called"
	fixedOrder  = "the order of the rewrites, and when they end, is fixed; see optimizer_including and optimizer_excluding"
)

// foreign lists them by what they are about. A flag that Arignote has is found before them.
var foreign = []foreignFlag{
	{"device", noGPU, []string{"cpu"}},
	{"force_device", noGPU, []string{"False"}},
	{"init_gpu_device", noGPU, []string{""}},
	{"print_active_device", noGPU, []string{"True", "False"}},
	{"contexts", noGPU, []string{""}},
	{"assert_no_cpu_op", noGPU, []string{"ignore"}},
	{"enable_initial_driver_test", noGPU, nil},
	{"gpuarray.", noGPU, nil}, {"gpuelemwise.", noGPU, nil}, {"gpu.", noGPU, nil}, {"cuda.", noGPU, nil}, {"nvcc.", noGPU, nil}, {"dnn.", noGPU, nil},
	{"magma.", noGPU, nil}, {"ctc.", noGPU, nil}, {"pycuda.", noGPU, nil}, {"lib.cnmem", noGPU, []string{"0"}},

	{"profiling.html", "it is profiling.show, and a panel begins open without it", nil},

	{"cxx", noCompiler, []string{""}}, {"gcc.", noCompiler, nil}, {"compiledir", noCompiler, nil}, {"base_compiledir", noCompiler, nil}, {"compiledir_format", noCompiler, nil},
	{"cmodule.", noCompiler, nil}, {"compile.", noCompiler, nil}, {"nocleanup", noCompiler, []string{"False"}}, {"home", noCompiler, nil}, {"numba.", noCompiler, nil},
	{"lib.amdlibm", "elementary functions are kernels of Arignote's own", []string{"False"}},
	{"blas.", ownProducts, nil},
	{"openmp", ownThreads, []string{"False"}}, {"openmp_elemwise_minsize", ownThreads, nil},

	{"int_division", "x / y of integers is float64, and x // y an integer", nil},
	{"tensor.local_elemwise_fusion", "use optimizer_excluding=fusion", []string{"True"}},
	{"tensor.cmp_sloppy", "use DebugMode(tolerance=...)", []string{"0"}},
	{"tensor.", fixedOrder, nil}, {"optdb.", fixedOrder, nil}, {"metaopt.", fixedOrder, nil}, {"cycle_detection", fixedOrder, nil},
	{"vm.lazy", "everything that a result needs is computed", []string{"False", "None"}},
	{"deterministic", "results do not depend on threads, and random numbers come from seeds", []string{"default", "more"}},
	{"scan.", noScan, nil},
	{"conv.", "convolutions have one implementation, which checks shapes", nil},
	{"experimental.", ownTests, nil}, {"unittests.", ownTests, nil}, {"check_stack_trace", ownTests, []string{"off"}}, {"op.set_flops", ownTests, []string{"False"}},
	{"traceback.", "errors have all lines of the user's that led there", nil},
	{"check_input", "arguments are always checked", []string{"True"}},
	{"warn.", "it warns of results that older versions of Theano computed wrongly, and Arignote is none of them", []string{"False", "None", "all"}},
	{"on_shape_error", "shapes that do not fit are an error", []string{"raise"}},
	{"unpickle_function", noPickle, nil}, {"reoptimize_unpickled_function", noPickle, nil}, {"pickle_test_value", noPickle, nil},
	{"MonitorMode.", "use MonitorMode(post_func=...)", nil},
}

// findForeign is the row of a flag, in any letter case; nil if there is none.
func findForeign(name string) *foreignFlag {
	name = strings.ToLower(Canonical(name))
	for i := range foreign {
		row := strings.ToLower(foreign[i].name)
		if name == row || strings.HasSuffix(row, ".") && (strings.HasPrefix(name, row) || name+"." == row) {
			return &foreign[i]
		}
	}
	return nil
}

// isFine reports whether the value asks for what is so.
func (f *foreignFlag) isFine(value string) bool {
	for _, v := range f.fine {
		if strings.EqualFold(v, strings.TrimSpace(value)) {
			return true
		}
	}
	return false
}

// AsItIs reports whether value asks of a flag of Theano, Aesara or PyTensor for what is so here in
// any case: programs may assign it.
func AsItIs(name, value string) bool {
	f := findForeign(name)
	return f != nil && f.isFine(value)
}

// IsForeignSection reports whether name is a section of flags of Theano, Aesara or PyTensor of
// which some values may be assigned.
func IsForeignSection(name string) bool {
	f := findForeign(name)
	return f != nil && len(f.fine) > 0 && strings.EqualFold(f.name, name+".")
}

// Fixed is the value of a flag of Theano, Aesara or PyTensor that is always so here: device is
// "cpu", warn.subtensor_merge_bug False. Programs ask for some of them.
func Fixed(name string) (value string, ok bool) {
	f := findForeign(name)
	if f == nil || strings.EqualFold(f.name, name+".") || len(f.fine) == 0 {
		return "", false
	}
	return f.fine[0], true
}

// setForeign sets a flag that was written for Theano, Aesara or PyTensor, whose files have no
// letter case. Those programs have many more flags, so one that is unknown, or has a value that it
// does not take here, is a note, not an error.
func (c *Config) setForeign(name, value, source string) {
	known := Canonical(name)
	for _, f := range table {
		if strings.EqualFold(f.Name, known) {
			known = f.Name
		}
	}
	err := c.Set(known, value, "") // a note has the source in front of the flag
	if err == nil {
		c.values[known] = setting{c.values[known].value, source}
		return
	}
	if _, ok := index[known]; !ok {
		f := findForeign(known)
		if f != nil && f.isFine(value) {
			return
		}
		err = errors.New("there is no such flag")
		if f != nil {
			err = errors.New(f.why)
		}
	}
	c.notes = append(c.notes, fmt.Sprintf("%s: %s=%s is not used: %v", source, name, value, err))
}

// peers are the programs whose flags are read, with the environment variables that have them and
// that name their files, and the file that they read where none is named.
var peers = []struct{ flags, files, file string }{
	{"THEANO_FLAGS", "THEANORC", ".theanorc"},
	{"AESARA_FLAGS", "AESARARC", ".aesararc"},
	{"PYTENSOR_FLAGS", "PYTENSORRC", ".pytensorrc"},
}

// IsFlagsVariable is whether flags are read from a variable of the environment when the program
// starts.
func IsFlagsVariable(name string) bool {
	for _, p := range peers {
		if name == p.flags || name == p.files {
			return true
		}
	}
	return name == "ARIGNOTE_FLAGS"
}

// readForeignFiles reads the files that THEANORC and its like name. One that lies in the home
// directory and is not named is a hint: it was written for another program, and whoever has both
// installed may not want it here.
func (c *Config) readForeignFiles(getenv func(string) string) error {
	for _, p := range peers {
		named := getenv(p.files)
		if named == "" {
			path := filepath.Join(getenv("HOME"), p.file)
			if _, err := os.Lstat(path); err == nil && getenv("HOME") != "" {
				c.hints = append(c.hints, fmt.Sprintf("%s is not read; %s=%s has it read", path, p.files, path))
			}
			continue
		}
		for _, path := range filepath.SplitList(named) {
			if rest, ok := strings.CutPrefix(path, "~/"); ok && getenv("HOME") != "" {
				path = filepath.Join(getenv("HOME"), rest)
			}
			if path == "" {
				continue
			}
			if err := c.readForeignFile(path); errors.Is(err, fs.ErrNotExist) {
				c.notes = append(c.notes, fmt.Sprintf("%s: there is no file %s", p.files, path))
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Config) readForeignFile(path string) error {
	text, err := readText(path)
	if err != nil {
		return err
	}
	items, err := parseINI(string(text))
	if err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	for _, item := range items {
		name := item.key
		if !strings.EqualFold(item.section, "global") && item.section != "DEFAULT" {
			name = item.section + "." + item.key
		}
		c.setForeign(name, strings.TrimSpace(item.value), fmt.Sprintf("%s:%d", path, item.line))
	}
	return nil
}

// readForeign takes over the flags of THEANO_FLAGS, AESARA_FLAGS and PYTENSOR_FLAGS that exist
// here.
func (c *Config) readForeign(getenv func(string) string) {
	for _, p := range peers {
		for item := range strings.SplitSeq(getenv(p.flags), ",") {
			name, value, ok := strings.Cut(strings.TrimSpace(item), "=")
			if name == "" {
				continue
			}
			if !ok {
				value = "True"
			}
			c.setForeign(strings.TrimSpace(name), strings.TrimSpace(value), p.flags)
		}
	}
}
