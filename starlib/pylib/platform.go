package pylib

import (
	"runtime"
	"strings"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/pylib/streams"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// ioModule is io, whose files in memory are of package streams.
var ioModule = value.NewLazyModule("io", "Files, and files in memory.", func() []value.Member {
	return append(streams.Members(), value.Member{Name: "open", Value: Open.Value()})
})

// machines are the processors as C calls them.
var machines = map[string]string{"amd64": "x86_64", "arm64": "aarch64", "386": "i686"}

// systemName is the system's name as it says it itself.
func systemName() string { return strings.ToUpper(runtime.GOOS[:1]) + runtime.GOOS[1:] }

func machineName() string {
	if name, ok := machines[runtime.GOARCH]; ok && !(name == "aarch64" && runtime.GOOS == "darwin") {
		return name
	}
	return runtime.GOARCH
}

// said is the row of a function that says a word.
func said(name, doc, example string, word func() string) value.Builtin {
	return value.Function(name, doc, example, func(*starlark.Thread, *none) (starlark.Value, error) { return starlark.String(word()), nil })
}

var platformModule = value.NewLazyModule("platform", "The machine and the language. What would tell one machine from others of its kind is left out.", func() []value.Member {
	nothing := func() string { return "" }
	return rows.Functions("platform", []value.Builtin{
		value.Function("architecture", "The pair of how wide addresses are, and nothing.", `platform.architecture() # ("64bit", "")`,
			func(*starlark.Thread, *none) (starlark.Value, error) {
				return starlark.Tuple{starlark.String("64bit"), starlark.String("")}, nil
			}),
		said("machine", "The kind of processor.", `len(platform.machine()) > 0 # True`, machineName),
		said("node", "Nothing: the name of the machine is not told.", `platform.node() # ""`, nothing),
		said("platform", "The system and the kind of processor.", `platform.platform().startswith(platform.system()) # True`, func() string { return systemName() + "-" + machineName() }),
		said("processor", "Nothing: what else the processor is called is not told.", `platform.processor() # ""`, nothing),
		said("python_implementation", "The name of the implementation.", `platform.python_implementation() # "Arignote"`, func() string { return "Arignote" }),
		said("python_version", "The version of Python whose language this is nearest to.", `platform.python_version().split(".")[0] # "3"`, func() string { return Version }),
		value.Function("python_version_tuple", "Its numbers, as texts.", `platform.python_version_tuple()[0] # "3"`, func(*starlark.Thread, *none) (starlark.Value, error) {
			var parts starlark.Tuple
			for part := range strings.SplitSeq(Version, ".") {
				parts = append(parts, starlark.String(part))
			}
			return parts, nil
		}),
		said("release", "Nothing: the version of the system is not told.", `platform.release() # ""`, nothing),
		said("system", "The system.", `platform.system() in ("Linux", "Darwin") # True`, systemName),
		said("version", "Nothing: the version of the system is not told.", `platform.version() # ""`, nothing),
	})
})
