package starlib

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/starlib/assist"
	"github.com/arignote/arignote/starlib/display"
	"github.com/arignote/arignote/starlib/evaluate"
	"github.com/arignote/arignote/starlib/fleet"
	"github.com/arignote/arignote/starlib/library"
	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/np"
	_ "github.com/arignote/arignote/starlib/np/complexes" // what np has of them
	_ "github.com/arignote/arignote/starlib/np/creation"
	_ "github.com/arignote/arignote/starlib/np/linalg"
	_ "github.com/arignote/arignote/starlib/np/manipulation"
	_ "github.com/arignote/arignote/starlib/np/numeric"
	_ "github.com/arignote/arignote/starlib/np/printing"
	_ "github.com/arignote/arignote/starlib/np/random"
	_ "github.com/arignote/arignote/starlib/np/storage"
	"github.com/arignote/arignote/starlib/onnx"
	"github.com/arignote/arignote/starlib/profile"
	"github.com/arignote/arignote/starlib/progress"
	"github.com/arignote/arignote/starlib/pylib"
	"github.com/arignote/arignote/starlib/pylib/inside"
	"github.com/arignote/arignote/starlib/pyplot"
	"github.com/arignote/arignote/starlib/saving"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/sparse"
	_ "github.com/arignote/arignote/starlib/specials" // methods such as [1].__len__
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/symbolic/graphs"
	"github.com/arignote/arignote/starlib/symbolic/loops"
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"github.com/arignote/arignote/starlib/symbolic/random"
	"github.com/arignote/arignote/starlib/symbolic/theano"
	"github.com/arignote/arignote/starlib/symbolic/userops"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// compilerTable is the functions of the tensor compiler that are predeclared.
var compilerTable = append([]value.Builtin{symbolic.FunctionBuiltin, symbolic.SharedBuiltin, operations.GradBuiltin, symbolic.ModeBuiltin, symbolic.DebugModeBuiltin, symbolic.NanGuardModeBuiltin, symbolic.MonitorModeBuiltin, profile.ProfileModeBuiltin,
	profile.ProfileStatsBuiltin, graphs.DebugprintBuiltin, symbolic.NamedScopeBuiltin}, slices.Concat(symbolic.RewriteTable, symbolic.Pick(loops.ScanTable, "scan", "until"), loops.IfElseTable)...)

// names returns what is predeclared besides the language: the modules under the names that users of
// Theano and NumPy type, the functions of the tensor compiler, and help.
func names(s *session.Session) starlark.StringDict {
	t, np := theano.TensorModule(symbolic.In(s)), np.ModuleOf(s)
	np.(*value.Module).Part("testing", func() (starlark.Value, error) { return s.Import("numpy.testing") })
	env := starlark.StringDict{"T": t, "tensor": t, "at": t, "pt": t, "np": np, "numpy": np, "help": assist.Help().Value(), "open": pylib.Open.Value(), "breakpoint": magic.BreakpointBuiltin.Value(),
		"json": pylib.Extended(s, library.JSON), "time": pylib.Extended(s, library.Time)}
	for _, m := range value.Builtins(profile.ProfileTable) {
		env[m.Name] = m.Value
	}
	for _, m := range value.Builtins(slices.Concat(compilerTable, display.Table, progress.Table, evaluate.Table, fleet.Table)) {
		env[m.Name] = m.Value
	}
	compiler := slices.DeleteFunc(value.Builtins(compilerTable), func(m value.Member) bool { return m.Name == "ifelse" }) // theano.ifelse is the module
	gradient := theano.GradientModule
	env["gradient"] = gradient
	config := s.Globals().Get("config")
	changeFlags, _ := config.(*session.ConfigValue).Attr("change_flags")
	changing := value.Member{Name: "change_flags", Value: changeFlags, Doc: value.AsBuiltin(changeFlags).Doc, Example: "with theano.change_flags(floatX=\"float32\"):\n    x = T.vector()\nx.dtype # \"float32\""}
	configParser := value.NewModule("theano.configparser", "Flags for a block or a function.", changing)
	ofTheano := value.NewLazyModule("theano", "The tensor compiler, under the names of Theano, Aesara and PyTensor.", func() []value.Member {
		compiling := compileModule(symbolic.In(s).ModeMembers())
		compiling.Part("ViewOp", func() (starlark.Value, error) {
			m, err := s.Import("_theano_ops")
			if err != nil {
				return nil, err
			}
			return value.Attr(m, "ViewOp")
		})
		compiler := slices.Clone(compiler)
		compiler[slices.IndexFunc(compiler, func(m value.Member) bool { return m.Name == "scan" })].Behind = theano.Modules["theano.scan"]
		return slices.Concat(compiler, value.Builtins(slices.Concat(theano.Table(), saving.Table)), symbolic.ClassMembers("theano"), value.Builtins(symbolic.ModuleTable),
			value.Builtins(symbolic.Pick(symbolic.ModeNameTable, "get_mode", "get_default_mode")), []value.Member{
				{Name: "tensor", Value: t, Doc: t.Doc()}, {Name: "gradient", Value: gradient, Doc: gradient.Doc()},
				{Name: "compile", Value: compiling, Doc: compiling.Doc()},
				{Name: "gof", Value: theano.GofModule, Doc: theano.GofModule.Doc()},
				{Name: "tests", Value: theano.TestsModule, Doc: theano.TestsModule.Doc()},
				{Name: "raise_op", Value: raiseModule, Doc: raiseModule.Doc()},
				operations.MemberOf(theano.GPUModule),
				{Name: "sandbox", Value: random.SandboxModule, Doc: random.SandboxModule.Doc()},
				{Name: "scalar", Value: symbolic.ScalarModule, Doc: symbolic.ScalarModule.Doc()},
				{Name: "link", Value: symbolic.LinkModule, Doc: symbolic.LinkModule.Doc()},
				{Name: "graph", Value: theano.Modules["theano.graph"], Doc: "Graphs, and what rewrites them."},
				{Name: "scan_module", Value: theano.Modules["theano.scan_module"], Doc: "Loops in graphs."},
				{Name: "ifelse", Value: theano.Modules["theano.ifelse"], Doc: theano.Modules["theano.ifelse"].Doc()},
				{Name: "printing", Value: printingModule, Doc: printingModule.Doc()},
				{Name: "config", Value: config, Doc: "The flags."}, changing,
				{Name: "configparser", Value: configParser, Doc: configParser.Doc()},
				{Name: "__version__", Value: starlark.String("1.0.5"), Doc: "The version of Theano whose functions these are.", Example: `theano.__version__ # "1.0.5"`},
				asArray(np), {Name: "as_symbolic", Value: t.Member("as_symbolic").Value},
				{Name: "dot", Value: symbolic.TheanoDot(t.Member("dot").Value)},
				{Name: "onnx", Value: onnx.Module, Doc: onnx.Module.Doc()},
				{Name: "sparse", Value: symbolic.SparseModule, Doc: symbolic.SparseModule.Doc()},
			})
	})
	for _, name := range []string{"theano", "aesara", "pytensor"} {
		env[name] = ofTheano
	}
	return env
}

// modules are what is imported besides what is predeclared: Python's, and SciPy.
func modules(s *session.Session) starlark.StringDict {
	return s.Local(modulesKey{}, func() any {
		all := maps.Clone(pylib.Modules(s))
		all["scipy"] = sparse.Scipy
		maps.Copy(all, inside.Modules())
		maps.Copy(all, display.Modules(s))
		maps.Copy(all, progress.Modules(s))
		all["onnx"] = onnx.Module
		all["matplotlib"] = pyplot.Modules(s)
		return all
	}).(starlark.StringDict)
}

type modulesKey struct{}

// asArray is theano._asarray, which programs call in spite of its name.
func asArray(np starlark.Value) value.Member {
	m := np.(*value.Module).Member("asarray")
	return value.Member{Name: "_asarray", Value: m.Value, Doc: "np.asarray: x as an array of a type.", Example: "theano._asarray([1, 2], dtype=\"float32\") # array([1., 2.], dtype=float32)"}
}

// magics are those of all rooms.
var magics = sync.OnceValue(func() *magic.Table {
	return magic.New(magic.Rows(), assist.Magics(), profile.Magics(), display.Magics())
})

// contents is what is documented of the rooms that package assist does not know.
func contents() assist.Contents {
	return assist.Contents{Magics: magics(), Modules: modules, Functions: compilerTable, Types: documentedTypes, IsMaker: symbolic.IsConstructor}
}

// documentedTypes are the types of the compiler and of modules.
func documentedTypes() []assist.Type {
	types := []assist.Type{{Methods: symbolic.SymbolMethods()}, {Methods: symbolic.SharedMethods(), Base: symbolic.SymbolMethods(), Doc: "Shared variables have the attributes of TensorVariable, and these."},
		{Methods: symbolic.ConstantMethods(), Base: symbolic.SymbolMethods(), Doc: "Constants have the attributes of TensorVariable, and these."},
		{Methods: symbolic.TensorTypeFields}, {Methods: symbolic.InputFields}, {Methods: symbolic.OutputFields}, {Methods: symbolic.FunctionMethods}, {Methods: symbolic.MakerFields}, {Methods: symbolic.FunctionGraphMethods}, {Methods: symbolic.ContainerFields}, {Methods: graphs.GraphPictureMethods}, {Methods: symbolic.TagFields}, {Methods: symbolic.ApplyFields}, {Methods: symbolic.OpFields}, {Methods: symbolic.OpClassFields}, {Methods: symbolic.QueryMethods}, {Methods: symbolic.RewriterMethods}, {Methods: symbolic.PrintFields}, {Methods: userops.GraphOpMethods}, {Methods: userops.FunctionOpFields}, {Methods: symbolic.NoGradientFields}, {Methods: symbolic.AssertFields},
		{Methods: symbolic.NamedScopeMethods}, {Methods: symbolic.ModeMethods}, {Methods: symbolic.DebugModeMethods}, {Methods: symbolic.MonitoredMethods}, {Methods: profile.ProfileModeMethods}, {Methods: profile.ProfileMethods}, {Methods: profile.ComparisonMethods}, {Methods: symbolic.SymbolicModuleMethods},
		{Methods: session.ConfigMethods}, {Methods: session.FlagChangeMethods}, {Methods: session.GeneratorMethods},
		{Methods: symbolic.StateMethods()}, {Methods: symbolic.SharedStateMethods(), Base: symbolic.StateMethods(), Doc: "Shared variables with states have the attributes of RandomGeneratorVariable, and these."},
		{Methods: symbolic.DrawnMethods(), Base: symbolic.SymbolMethods(), Doc: "Numbers that are drawn have the attributes of TensorVariable, and these."},
		{Methods: random.StreamsMethods}, {Methods: random.StreamMethods}, {Methods: random.MRGMethods}}
	types = append(types, assist.Type{Methods: onnx.ModelMethods}, assist.Type{Methods: sparse.Methods()["csr"]}, assist.Type{Methods: sparse.Methods()["csc"]}, assist.Type{Methods: sparse.Methods()["coo"]}, assist.Type{Methods: symbolic.SparseTypeFields}, assist.Type{Methods: symbolic.SparseMethods()}, assist.Type{Methods: symbolic.SharedSparseMethods(), Base: symbolic.SparseMethods(), Doc: "Shared sparse matrices have the attributes of SparseVariable, and these."})
	for _, k := range profile.RowKinds {
		types = append(types, assist.Type{Methods: k.Methods})
	}
	for _, m := range slices.Concat(pylib.Types(), pyplot.Types(), display.Types, progress.Types, fleet.Types, []*value.Methods{magic.TimingsFields}) {
		types = append(types, assist.Type{Methods: m})
	}
	return types
}

// compileModule is theano.compile, which has once more what functions are compiled by, and what a
// session knows of modes.
func compileModule(modes []value.Member) *value.Module {
	part := func(name string, members ...value.Member) *value.Module {
		return value.NewModule(name, "How functions are compiled.", members...)
	}
	mode := part("theano.compile.mode", append(value.Builtins(append(symbolic.Pick(compilerTable, "Mode"), symbolic.RewriteDatabaseQueryBuiltin)), modes...)...)
	profile := part("theano.compile.profilemode", value.Builtins(symbolic.Pick(compilerTable, "ProfileMode"))...)
	debugmode := part("theano.compile.debugmode", value.Builtins(symbolic.Pick(compilerTable, "DebugMode"))...)
	nanguard := part("theano.compile.nanguardmode", value.Builtins(symbolic.Pick(compilerTable, "NanGuardMode"))...)
	monitor := part("theano.compile.monitormode", value.Builtins(append(symbolic.Pick(compilerTable, "MonitorMode"), symbolic.MonitorTable...))...)
	within := func(of string, parts ...*value.Module) (list []value.Member) {
		for _, m := range parts {
			list = append(list, value.Member{Name: strings.TrimPrefix(m.Name(), of), Value: m, Doc: m.Doc()})
		}
		return list
	}
	debug := part("theano.compile.debug", within("theano.compile.", debugmode, nanguard, monitor)...) // where PyTensor has them
	module := part("theano.compile.module", value.Builtins(symbolic.ModuleTable)...)
	members := append(value.Builtins(append(symbolic.Pick(compilerTable, "Mode", "DebugMode", "NanGuardMode", "MonitorMode", "ProfileMode", "ProfileStats", "function", "shared"), slices.Concat(symbolic.InOutTable, symbolic.SymbolicInOut, symbolic.PfuncTable, userops.FromGraphTable, userops.AsOpTable)...)),
		value.Builtins(symbolic.ModuleTable)...)
	members = append(append(members, modes...), symbolic.ClassMembers("theano.compile")...)
	sharedvalue := part("theano.compile.sharedvalue", append(symbolic.ClassMembers("theano.compile.sharedvalue"), value.Builtins(symbolic.Pick(compilerTable, "shared"))...)...)
	members = append(members, within("theano.compile.", mode, debug, debugmode, nanguard, monitor, module, profile, sharedvalue,
		theano.Modules["theano.compile.io"], theano.Modules["theano.compile.builders"], theano.Modules["theano.compile.ops"], theano.Modules["theano.compile.function_module"])...)
	return part("theano.compile", members...)
}

// printingModule is theano.printing.
var printingModule = value.NewModule("theano.printing", "Graphs to look at.",
	value.Builtins(slices.Concat([]value.Builtin{graphs.DebugprintBuiltin, graphs.DprintBuiltin, graphs.PydotprintBuiltin}, symbolic.PrintTable, graphs.WrittenTable))...)

// raiseModule is theano.raise_op.
var raiseModule = value.NewModule("theano.raise_op", "Checks that are made when a function runs.", value.Builtins(symbolic.AssertTable)...)
