package display

import (
	"slices"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// objectTable is the objects that can be shown. Cells have the first four without an import.
var objectTable = func() []value.Builtin {
	table := []value.Builtin{imageBuiltin}
	for _, name := range []string{"HTML", "Markdown", "SVG"} {
		table = append(table, kindNamed(name).builtin())
	}
	return table
}()

func kindNamed(name string) kind {
	for _, k := range kinds {
		if k.name == name {
			return k
		}
	}
	panic("BUG: no kind " + name)
}

// onlyImported are the objects that have to be imported.
var onlyImported = func() []value.Builtin {
	table := append([]value.Builtin{jsonBuiltin, audioBuiltin, videoBuiltin}, frameTable...)
	for _, name := range []string{"Latex", "Math", "Javascript", "Pretty", "Code"} {
		table = append(table, kindNamed(name).builtin())
	}
	for i := range table {
		table[i].Example = "from IPython.display import " + table[i].Name + "; " + table[i].Example
	}
	return table
}()

// Table is what cells have without an import, as in IPython: display and get_ipython, and what
// updates, clears and shows the most.
var Table = append(append(append([]value.Builtin{}, functionTable...), objectTable...), shellTable...)

// Modules are those that are imported: IPython, and matplotlib_inline, to which the settings of
// figures have moved.
func Modules(*session.Session) starlark.StringDict {
	return starlark.StringDict{"IPython": ipython, "matplotlib_inline": inlineModule}
}

var (
	displayModule = value.NewModule("IPython.display", "What shows values in the front end, and values that are made to be shown.",
		value.Builtins(slices.Concat(functionTable, objectTable, moreTable, onlyImported, inlineTable))...)
	captureModule = value.NewModule("IPython.utils.capture", "Keeping what is shown.", value.Builtins(captureTable)...)
	utilsModule   = value.NewModule("IPython.utils", "Parts of IPython that programs import.", inside(captureModule, "capture"))
	backendModule = value.NewModule("matplotlib_inline.backend_inline", "How figures are shown in notebooks.", value.Builtins(inlineTable)...)
	inlineModule  = value.NewModule("matplotlib_inline", "Figures in notebooks.", inside(backendModule, "backend_inline"))
	shellModule   = value.NewModule("IPython.core.getipython", "The session.", value.Builtins(shellTable)...)
	// What older programs import from IPython.core is documented where it is now.
	coreModule = value.NewModule("IPython.core", "Parts of IPython that programs import.",
		value.Member{Name: "display", Value: displayModule.Member("display").Value, Behind: displayModule},
		value.Member{Name: "getipython", Value: shellModule.Member("get_ipython").Value, Behind: shellModule})
	ipython = value.NewModule("IPython", "What programs that were written for IPython import.",
		append(value.Builtins(shellTable), inside(displayModule, "display"), inside(utilsModule, "utils"), inside(coreModule, "core"),
			value.Member{Name: "__version__", Value: starlark.String("8.5.0"), Doc: "The version of IPython whose names these are.",
				Example: `import IPython; IPython.__version__ # "8.5.0"`},
			value.Member{Name: "version_info", Value: starlark.Tuple{starlark.MakeInt(8), starlark.MakeInt(5), starlark.MakeInt(0)}, Doc: "Its numbers.",
				Example: `import IPython; IPython.version_info # (8, 5, 0)`})...)
)

func inside(m *value.Module, name string) value.Member {
	return value.Member{Name: name, Value: m, Doc: m.Doc(), Example: "import " + m.Name() + "; " + m.Name() + " # " + m.String()}
}

// Types are the tables of the values.
var Types = []*value.Methods{ObjectMethods, HandleMethods, CapturedMethods, OutputMethods, PrinterMethods, WithinMethods, ShellMethods}
