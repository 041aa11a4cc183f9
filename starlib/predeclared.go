package starlib

import (
	"strings"
	"sync"

	"github.com/arignote/arignote/starlib/assist"
	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/profile"
	"github.com/arignote/arignote/starlib/pylib"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// compilerTable is the functions of the tensor compiler that are predeclared.
var compilerTable = append([]value.Builtin{symbolic.FunctionBuiltin, symbolic.SharedBuiltin, symbolic.GradBuiltin, symbolic.ModeBuiltin, symbolic.DebugModeBuiltin, symbolic.NanGuardModeBuiltin, symbolic.MonitorModeBuiltin, profile.ProfileModeBuiltin,
	profile.ProfileStatsBuiltin, symbolic.DebugprintBuiltin}, symbolic.RewriteTable...)

// names returns what is predeclared besides the language: the modules under the names that users of Theano and NumPy type, the functions
// of the tensor compiler, and help.
func names(s *session.Session) starlark.StringDict {
	t, np := symbolic.TensorModule(symbolic.In(s)), np.Module()
	env := starlark.StringDict{"T": t, "tensor": t, "at": t, "pt": t, "np": np, "numpy": np, "help": assist.Help().Value(), "open": pylib.Open.Value()}
	for _, m := range value.Builtins(profile.ProfileTable) {
		env[m.Name] = m.Value
	}
	members := value.Builtins(compilerTable)
	for _, m := range members {
		env[m.Name] = m.Value
	}
	gradient := symbolic.GradientModule
	env["gradient"] = gradient
	members = append(members, value.Builtins(symbolic.TheanoTable)...)
	members = append(members, symbolic.ClassMembers("theano")...)
	compiling := compileModule(symbolic.In(s).ModeMembers())
	theano := value.NewModule("theano", "The tensor compiler, under the names of Theano, Aesara and PyTensor.",
		append(append(members, value.Builtins(symbolic.ModuleTable)...), value.Member{Name: "tensor", Value: t, Doc: t.Doc()}, value.Member{Name: "gradient", Value: gradient, Doc: gradient.Doc()},
			value.Member{Name: "compile", Value: compiling, Doc: compiling.Doc()},
			value.Member{Name: "gof", Value: symbolic.GofModule, Doc: symbolic.GofModule.Doc()},
			value.Member{Name: "raise_op", Value: raiseModule, Doc: raiseModule.Doc()},
			value.Member{Name: "link", Value: symbolic.LinkModule, Doc: symbolic.LinkModule.Doc()},
			value.Member{Name: "graph", Value: symbolic.RewritingModules["theano.graph"], Doc: "Graphs, and what rewrites them."},
			value.Member{Name: "printing", Value: printingModule, Doc: printingModule.Doc()},
			value.Member{Name: "config", Value: s.Globals()["config"], Doc: "The flags."},
			value.Member{Name: "as_symbolic", Value: t.Member("as_symbolic").Value})...)
	for _, name := range []string{"theano", "aesara", "pytensor"} {
		env[name] = theano
	}
	return env
}

// magics are those of all rooms.
var magics = sync.OnceValue(func() *magic.Table { return magic.New(magic.Rows(), assist.Magics(), profile.Magics()) })

// contents is what is documented of the rooms that package assist does not know.
func contents() assist.Contents {
	types := []assist.Type{{Methods: symbolic.SymbolMethods}, {Methods: symbolic.SharedMethods, Base: symbolic.SymbolMethods, Doc: "Shared variables have the attributes of TensorVariable, and these."},
		{Methods: symbolic.TensorTypeFields}, {Methods: symbolic.InputFields}, {Methods: symbolic.FunctionMethods}, {Methods: symbolic.GraphPictureMethods}, {Methods: symbolic.TagFields}, {Methods: symbolic.ApplyFields}, {Methods: symbolic.OpFields}, {Methods: symbolic.QueryMethods}, {Methods: symbolic.RewriterMethods}, {Methods: symbolic.PrintFields}, {Methods: symbolic.AssertFields},
		{Methods: symbolic.ModeMethods}, {Methods: symbolic.DebugModeMethods}, {Methods: symbolic.MonitoredMethods}, {Methods: profile.ProfileModeMethods}, {Methods: profile.ProfileMethods}, {Methods: symbolic.SymbolicModuleMethods},
		{Methods: session.ConfigMethods}, {Methods: session.GeneratorMethods}}
	for _, k := range profile.RowKinds {
		types = append(types, assist.Type{Methods: k.Methods})
	}
	for _, m := range pylib.Types {
		types = append(types, assist.Type{Methods: m})
	}
	return assist.Contents{Magics: magics(), Modules: pylib.Modules, Functions: compilerTable, Types: types, IsMaker: symbolic.IsConstructor}
}

// compileModule is theano.compile, which has once more what functions are compiled by, and what a session knows of modes.
func compileModule(modes []value.Member) *value.Module {
	part := func(name string, members ...value.Member) *value.Module {
		return value.NewModule(name, "How functions are compiled.", members...)
	}
	mode := part("theano.compile.mode", append(value.Builtins(append(symbolic.Pick(compilerTable, "Mode"), symbolic.RewriteDatabaseQueryBuiltin)), modes...)...)
	profile := part("theano.compile.profilemode", value.Builtins(symbolic.Pick(compilerTable, "ProfileMode"))...)
	debugmode := part("theano.compile.debugmode", value.Builtins(symbolic.Pick(compilerTable, "DebugMode"))...)
	nanguard := part("theano.compile.nanguardmode", value.Builtins(symbolic.Pick(compilerTable, "NanGuardMode"))...)
	monitor := part("theano.compile.monitormode", value.Builtins(append(symbolic.Pick(compilerTable, "MonitorMode"), symbolic.MonitorTable...))...)
	module := part("theano.compile.module", value.Builtins(symbolic.ModuleTable)...)
	members := append(value.Builtins(append(symbolic.Pick(compilerTable, "Mode", "DebugMode", "NanGuardMode", "MonitorMode", "ProfileMode", "ProfileStats", "function", "shared"), symbolic.InBuiltin)),
		value.Builtins(symbolic.ModuleTable)...)
	members = append(append(members, modes...), symbolic.ClassMembers("theano.compile")...)
	sharedvalue := symbolic.ClassModule("theano.compile.sharedvalue")
	for _, m := range []*value.Module{mode, debugmode, nanguard, monitor, module, profile, sharedvalue} {
		members = append(members, value.Member{Name: strings.TrimPrefix(m.Name(), "theano.compile."), Value: m, Doc: m.Doc()})
	}
	return part("theano.compile", members...)
}

// printingModule is theano.printing.
var printingModule = value.NewModule("theano.printing", "Graphs to look at.",
	value.Builtins(append([]value.Builtin{symbolic.DebugprintBuiltin, symbolic.PydotprintBuiltin}, symbolic.PrintTable...))...)

// raiseModule is theano.raise_op.
var raiseModule = value.NewModule("theano.raise_op", "Checks that are made when a function runs.", value.Builtins(symbolic.AssertTable)...)
