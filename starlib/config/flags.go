package config

import (
	"slices"
	"strings"
)

// A Flag is one row of the table of flags.
type Flag struct {
	Name    string // sections are separated by dots: "profiling.n_apply"
	Kind    Kind
	Default any // bool, int or string, as Kind says
	Doc     string

	Positive bool              // an int must be > 0; otherwise it must be >= 0
	Kept     bool              // a program may switch it on, and nothing but the command line and the environment off again
	File     bool              // a file to write, unless it is one of Choices: one that cannot be is refused when the flag is set
	Most     int               // the largest value of an int; 0 means any
	Share    bool              // a number of Bytes may also be a share, kept as the text "50%", or no bound, kept as "none"
	Choices  []string          // the values of a Choice, as they are spelled when read back
	Also     map[string]string // further spellings of a Choice, each with the value it is read as
	Refused  map[string]string // values of a Choice that others have, in lower case, with what to know of each
}

// A Kind says which values a flag takes.
type Kind int

const (
	Bool   Kind = iota // True, true, 1, False, false, 0
	Int                // a decimal integer
	String             // any text
	Choice             // one of Choices, in any letter case
	Tags               // names separated by colons
	Bytes              // an int, which text may give with a unit: 2GB
)

var kindNames = [...]string{Bool: "bool", Int: "int", String: "string", Choice: "one of", Tags: "tags", Bytes: "bytes"}

func (k Kind) String() string { return kindNames[k] }

// table is every flag there is. A flag that is not here is an error wherever it appears.
var table = []Flag{
	{Name: "floatX", Kind: Choice, Default: "float64", Choices: []string{"float64", "float32"},
		Doc: "type of floating point variables made without a dtype"},
	{Name: "cast_policy", Kind: Choice, Default: "custom", Choices: []string{"custom", "numpy+floatX"},
		Refused: map[string]string{"numpy": "it was planned in Theano and never built; numpy+floatX is NumPy's rule but for float64, which is floatX"},
		Doc: "types of numbers in expressions: custom lets a number take the kind of the variable that it meets; numpy+floatX makes an int an int64 and a float floatX, and " +
			"with floatX=float32 integers that meet float32 become float32 too"},
	{Name: "mode", Kind: Choice, Default: "FAST_RUN",
		Choices: []string{"FAST_RUN", "FAST_RUN_NOGC", "FAST_COMPILE", "STABILIZE", "Mode", "PROFILE_MODE", "DebugMode", "NanGuardMode", "SANITY_CHECK"},
		Also:    map[string]string{"profilemode": "PROFILE_MODE", "debug_mode": "DebugMode", "nan_guard_mode": "NanGuardMode"},
		Refused: merged(backends, map[string]string{"monitormode": "MonitorMode needs to know what to call; pass MonitorMode(post_func=...) to function()"}),
		Doc: "how functions are compiled when function() is given no mode; FAST_RUN_NOGC is FAST_RUN with the linker c|go_nogc, STABILIZE has the optimizer " +
			"stabilize, SANITY_CHECK compares each rewrite with what it replaced, and C with Go; Mode is what linker and optimizer say"},
	{Name: "linker", Kind: Choice, Default: "c|go", Choices: linkerChoices, Also: linkerSpellings, Refused: backends,
		Doc: "implementations to use: c|go is C with Go where there is no C kernel, c only C, go only Go, c&go both, which have to agree; an ending says what allow_gc " +
			"says otherwise: _gc is allow_gc=True, _nogc is allow_gc=False; c|py, vm and cvm are read as c|go, py as go, c&py as c&go, with their endings"},
	{Name: "optimizer", Kind: Choice, Default: "fast_run",
		Choices: []string{"fast_run", "fast_compile", "fast_run_stable", "stabilize", "merge", "o1", "o2", "o3", "o4", "unsafe", "None"},
		Doc: "set of rewrites applied to a graph: None none, merge unifies equal computations, fast_compile or o1 those that compile quickly, o2 adds fusion, o3 has all but " +
			"inplace ones, fast_run or o4 all; fast_run_stable leaves out those that may change nan, inf and the sign of 0, stabilize ends with the phase of that name, " +
			"unsafe is o3 with those that drop checks"},
	{Name: "optimizer_including", Kind: Tags, Default: "", Doc: "tags of rewrites to add, separated by colons"},
	{Name: "optimizer_excluding", Kind: Tags, Default: "",
		Doc: "tags of rewrites to leave out, separated by colons (fusion:inplace)"},
	{Name: "optimizer_requiring", Kind: Tags, Default: "", Doc: "tags that rewrites must have, separated by colons"},
	{Name: "optimizer_verbose", Kind: Bool, Default: false,
		Doc: "print each rewrite as it is applied: the rule, what it replaced and by what"},
	{Name: "compute_test_value", Kind: Choice, Default: "off", Choices: []string{"off", "ignore", "warn", "raise"}, Refused: noDebugger,
		Doc: "compute operations while the graph is built, of the variables' x.tag.test_value, so that a mistake is found at its line; ignore, warn and raise say " +
			"what to do where one is missing"},
	{Name: "compute_test_value_opt", Kind: Choice, Default: "off", Choices: []string{"off"}, Refused: refuseAll(`mode="DebugMode" computes what each rewrite makes`,
		"ignore", "warn", "raise", "pdb"), Doc: "compute test values of what rewrites make: always off; DebugMode compares it at each call"},
	{Name: "print_test_value", Kind: Bool, Default: false,
		Doc: "show a variable's test value, if it has one, below its name: x and repr(x), not print(x)"},
	{Name: "warn_float64", Kind: Choice, Default: "ignore", Choices: []string{"ignore", "warn", "raise"}, Refused: noDebugger,
		Doc: "what to do where a float64 variable is made that is not computed of another"},
	{Name: "on_opt_error", Kind: Choice, Default: "warn", Choices: []string{"warn", "raise", "ignore"}, Refused: noDebugger,
		Doc: "what function() does with a rewrite that fails: warn and ignore go on without it"},
	{Name: "numpy.seterr_all", Kind: Choice, Default: "ignore", Choices: []string{"ignore", "None"}, Refused: noSignals,
		Doc: "what arithmetic does that gives inf or nan: always nothing, as np.seterr; NanGuardMode and np.isfinite find it"},
	seterr("divide", "divides by 0"), seterr("over", "overflows"), seterr("under", "underflows"), seterr("invalid", "has no value"),
	{Name: "on_unused_input", Kind: Choice, Default: "raise", Choices: []string{"raise", "warn", "ignore"},
		Doc: "what function() does with an input that no output needs"},
	{Name: "scalar_output", Kind: Choice, Default: "scalar", Choices: []string{"scalar", "array"},
		Doc: "what functions that are compiled from now on return for results without dimensions: scalar is a number that knows its type, array is an array, as Theano's"},
	{Name: "allow_gc", Kind: Bool, Default: true,
		Doc: "intermediate results that are not needed at the same time take turns in the same memory; False gives each its own. Either way a function keeps that memory " +
			"for its next call, which allocates nothing then; f.free() gives it back"},
	{Name: "allow_input_downcast", Kind: Choice, Default: "None", Choices: []string{"None", "True", "False"},
		Doc: "let arguments of functions lose precision: True always, None where a number that is no array is passed for an input of floatX, False never"},
	{Name: "exception_verbosity", Kind: Choice, Default: "low", Choices: []string{"low", "high"},
		Doc: "what an error of a call says: low where the operands were made and their shapes, high also the node, its operands' values and strides, who reads " +
			"its results, and what is in memory"},
	{Name: "figure_format", Kind: Choice, Default: "both", Choices: []string{"both", "svg", "png"}, Also: map[string]string{"retina": "png", "png2x": "png"},
		Refused: refuseAll("figures are shown as SVG and PNG, and plt.savefig writes PDF", "pdf", "jpg", "jpeg"),
		Doc:     "what figures are given to the front end as: both, of which it chooses, svg or png, which has two pixels for one of the screen"},
	{Name: "threads", Kind: Int, Default: 0, Most: 1024,
		Doc: "threads a kernel may use; 0 means ARIGNOTE_NUM_THREADS or, where that is not set, one for each core"},
	{Name: "memory_limit", Kind: Bytes, Default: "75%", Share: true,
		Doc: "bytes that arrays, lists, dicts, text and graphs may take in all, as a number or as in 512MB or 2GiB, or the share, as 50%, of what " +
			"the machine, its cgroup and ulimit allow; none, or 0, is no limit"},
	{Name: "sandbox", Kind: Bool, Default: false, Kept: true,
		Doc: "let programs read and write files of the notebook's or script's folder only, and of those below it, and read a few harmless variables of the environment; a program cannot switch it off"},
	{Name: "import_path", Kind: String, Default: "",
		Doc: "folders, separated by colons, where import looks for files after the notebook's or script's own folder and those of sys.path"},

	{Name: "cluster.connect", Kind: String, Default: "",
		Doc: "the hub that Cluster(), arignote worker, fleet and sweep connect to, as nats://HOST:PORT; not given, Cluster() and sweep start one"},
	{Name: "cluster.creds", Kind: String, Default: "", Doc: "a file with the token of that hub, or with credentials of NATS"},
	{Name: "cluster.ca", Kind: String, Default: "", Doc: "a file of certificates that sign that of a hub at tls://HOST:PORT; not given, those of the system"},
	{Name: "cluster.hub", Kind: String, Default: "",
		Doc: "the program arignote-hub; not given, the one beside this program, or in PATH"},

	{Name: "DebugMode.patience", Kind: Int, Default: 10, Positive: true,
		Doc: "how often DebugMode repeats the rewriting of a graph, which has to do the same each time"},
	{Name: "DebugMode.check_c", Kind: Bool, Default: true, Doc: "DebugMode runs the C implementation of each operation"},
	{Name: "DebugMode.check_py", Kind: Bool, Default: true,
		Doc: "DebugMode runs the Go implementation of each operation, which is to C here what Python is in Theano"},
	{Name: "DebugMode.check_finite", Kind: Bool, Default: true, Doc: "nan and inf are errors in DebugMode"},
	{Name: "DebugMode.check_strides", Kind: Int, Default: 0, Most: 2,
		Doc: "what DebugMode does where results of C and Go lie differently in memory: 0 nothing, 1 warn, 2 raise"},
	{Name: "DebugMode.check_preallocated_output", Kind: String, Default: "",
		Doc: "layouts of operands and results that DebugMode tries: initial, previous, c_contiguous, f_contiguous, strided, wrong_size, or ALL"},
	{Name: "DebugMode.check_preallocated_output_ndim", Kind: Int, Default: 4, Most: 8,
		Doc: "how many of the last axes the layout strided gives steps of their own"},
	{Name: "DebugMode.warn_input_not_reused", Kind: Bool, Default: true,
		Doc: "DebugMode warns of an operation that says that it overwrites an operand, and does not"},
	{Name: "DebugMode.check_gradient", Kind: Bool, Default: true, Doc: "DebugMode compares gradients with differences of the cost"},
	{Name: "NanGuardMode.nan_is_error", Kind: Bool, Default: true, Doc: "nan is an error in NanGuardMode"},
	{Name: "NanGuardMode.inf_is_error", Kind: Bool, Default: true, Doc: "inf is an error in NanGuardMode"},
	{Name: "NanGuardMode.big_is_error", Kind: Bool, Default: true, Doc: "a number above 1e10 is an error in NanGuardMode"},
	{Name: "NanGuardMode.action", Kind: Choice, Default: "raise", Choices: []string{"raise", "warn"},
		Doc: "what NanGuardMode does with what it finds"},
	{Name: "profile", Kind: Bool, Default: false,
		Doc: "profile every function, and print the profiles when the program ends; else function(profile=True) prints nothing then"},
	{Name: "print_global_stats", Kind: Bool, Default: false,
		Doc: "print, when the program ends, the time in all functions, in rewriting and in linking; profiles every function"},
	{Name: "profile_memory", Kind: Bool, Default: false, Doc: "profile the memory of intermediate results too"},
	{Name: "profile_optimizer", Kind: Bool, Default: false, Doc: "profile the rewrites too"},
	{Name: "profiling.time_thunks", Kind: Bool, Default: true, Doc: "time each node, not only each call"},
	{Name: "profiling.split", Kind: Choice, Default: "costs", Choices: []string{"costs", "measured"},
		Doc: "how the time of a fused node is divided among its lines: by what their operations are known to cost, or by what they are seen to take, which takes a few % more"},
	{Name: "profiling.n_apply", Kind: Int, Default: 20, Positive: true, Doc: "rows of the Apply table"},
	{Name: "profiling.n_ops", Kind: Int, Default: 20, Positive: true, Doc: "rows of the Ops table"},
	{Name: "profiling.min_memory_size", Kind: Int, Default: 1024, Doc: "outputs of fewer bytes are left out of the memory profile"},
	{Name: "profiling.output_line_width", Kind: Int, Default: 512, Positive: true,
		Doc: "characters after which a line of the profile is cut; where it is not set, the layout arignote takes 120"},
	{Name: "profiling.destination", Kind: String, Default: "stderr", Choices: []string{"stderr", "stdout"}, File: true,
		Doc: "where a script's profile goes: stderr, stdout or a file"},
	{Name: "profiling.layout", Kind: Choice, Default: "auto", Choices: []string{"auto", "aesara", "theano", "profilemode",
		"profilemode2011", "arignote"},
		Doc: "of the text: aesara, theano (2014), profilemode (2009), profilemode2011 or arignote, our own; auto is arignote for what a cell " +
			"shows, and aesara for summary() and what is printed when the program ends"},
	{Name: "profiling.debugprint", Kind: Bool, Default: false,
		Doc: "print the graphs of profiled functions, if it is on when they are compiled, with their profiles"},
	{Name: "profiling.min_peak_memory", Kind: Bool, Default: false,
		Doc: "look, for a second, for the order of the nodes of a function that takes the least memory"},
	{Name: "profiling.always", Kind: Bool, Default: true,
		Doc: "glance at each cell of a session, and count calls, for %profile last, slow and session and f.profile"},
	{Name: "profiling.roofline", Kind: Bool, Default: true,
		Doc: "compare nodes with the most that the machine can do, which is measured once for a machine"},
	{Name: "profiling.ignore_first_call", Kind: Bool, Default: false, Doc: "leave the first call of each function out"},
	{Name: "ProfileMode.n_apply_to_print", Kind: Int, Default: 15, Positive: true,
		Doc: "rows of the Apply table that ProfileMode.print_summary prints"},
	{Name: "ProfileMode.n_ops_to_print", Kind: Int, Default: 20, Positive: true,
		Doc: "rows of the Op table that ProfileMode.print_summary prints"},
	{Name: "ProfileMode.min_memory_size", Kind: Int, Default: 1024,
		Doc: "bytes below which ProfileMode.print_summary leaves outputs out"},
	{Name: "ProfileMode.profile_memory", Kind: Bool, Default: false, Doc: "a ProfileMode profiles memory too, as profile_memory does"},
	{Name: "profiling.show", Kind: Choice, Default: "open", Choices: []string{"open", "closed", "head", "text", "none"},
		Doc: "how the panel of a profiled cell begins: open, closed, or with its head alone; or the profile is text, or not shown"},
}

// noDebugger refuses to stop in a debugger.
var noDebugger = refuseAll("there is no debugger to stop in: raise ends the cell at the line", "pdb")

// noSignals refuses to tell of inf and nan.
var noSignals = refuseAll(`arithmetic gives inf and nan without a word; mode="NanGuardMode" finds them in functions, and np.isfinite in arrays`,
	"warn", "raise", "call", "print", "log")

// seterr is the row of one kind of errors of arithmetic.
func seterr(kind, what string) Flag {
	return Flag{Name: "numpy.seterr_" + kind, Kind: Choice, Default: "None", Choices: []string{"None", "ignore"}, Refused: noSignals,
		Doc: "what arithmetic does that " + what + "; None is as numpy.seterr_all"}
}

// refuseAll refuses values for one reason.
func refuseAll(why string, values ...string) map[string]string {
	m := make(map[string]string)
	for _, v := range values {
		m[v] = why
	}
	return m
}

// backends are values of mode and linker that ask for another compiler.
var backends = map[string]string{
	"jax":     "there is no JAX: Arignote compiles by itself, for the processor",
	"numba":   "there is no NUMBA: Arignote compiles by itself, for the processor",
	"pytorch": "there is no PYTORCH: Arignote compiles by itself, for the processor",
	"mlx":     "there is no MLX: Arignote compiles by itself, for the processor",
}

func merged(maps ...map[string]string) map[string]string {
	all := make(map[string]string)
	for _, m := range maps {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

// linkerEndings say what a linker does with intermediate results.
var linkerEndings = []string{"", "_nogc", "_gc"}

// linkerChoices are the linkers, and linkerSpellings are Theano's names of them.
var linkerChoices, linkerSpellings = func() (choices []string, spellings map[string]string) {
	spellings = make(map[string]string)
	for _, l := range []struct {
		name string
		also []string
	}{{"c|go", []string{"c|py", "cvm", "vm"}}, {"c", nil}, {"go", []string{"py"}}, {"c&go", []string{"c&py"}}} {
		for _, end := range linkerEndings {
			choices = append(choices, l.name+end)
			for _, other := range l.also {
				spellings[other+end] = l.name + end
			}
		}
	}
	return choices, spellings
}()

// index maps a flag's name to its row, for every row of table.
var index = func() map[string]*Flag {
	m := make(map[string]*Flag, len(table))
	for i := range table {
		m[table[i].Name] = &table[i]
	}
	return m
}()

// Table returns every flag that can be set, in the order of the table.
func Table() []Flag { return slices.Clone(table) }

// Lookup returns the flag of the given name, in either spelling.
func Lookup(name string) (Flag, bool) {
	f, ok := index[Canonical(name)]
	if !ok {
		return Flag{}, false
	}
	return *f, true
}

// Names returns the names of all flags that can be set, sorted.
func Names() []string {
	names := make([]string, 0, len(table))
	for _, f := range Table() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// Canonical returns name with sections separated by dots: profiling__n_apply and
// profiling.n_apply are one flag.
func Canonical(name string) string { return strings.ReplaceAll(name, "__", ".") }

// IsSection reports whether some flag's name begins with name and a dot.
func IsSection(name string) bool {
	prefix := Canonical(name) + "."
	return slices.ContainsFunc(Table(), func(f Flag) bool { return strings.HasPrefix(f.Name, prefix) })
}

// Members returns the flags and sections directly inside a section, sorted; the
// empty name is the whole table.
func Members(section string) []string {
	prefix := ""
	if section != "" {
		prefix = Canonical(section) + "."
	}
	var names []string
	for _, f := range Table() {
		if rest, ok := strings.CutPrefix(f.Name, prefix); ok {
			first, _, _ := strings.Cut(rest, ".")
			names = append(names, first)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
