package pylib

import (
	"slices"

	"github.com/arignote/arignote/starlib/pylib/binary"
	"github.com/arignote/arignote/starlib/pylib/collected"
	"github.com/arignote/arignote/starlib/pylib/dates"
	"github.com/arignote/arignote/starlib/pylib/paths"
	"github.com/arignote/arignote/starlib/pylib/streams"
	"github.com/arignote/arignote/starlib/pylib/texts"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Modules are the modules of a session by the names under which they are imported: os.path is an
// attribute of os.
func Modules(s *session.Session) starlark.StringDict {
	return s.Local(modulesKey{}, func() any {
		out := starlark.StringDict{"sys": sysModule(s), "logging": loggingModule(s), "six": Extended(s, sixModule(s)), "os": Extended(s, osModule(s))}
		collections := Extended(s, collectionsModule)
		collections.Part("abc", func() (starlark.Value, error) { return s.Import("collections.abc") })
		out["collections"] = collections
		for _, m := range []*value.Module{timeitModule, warningsModule, gzipModule, pickleModule, itertoolsModule, functoolsModule,
			copyModule, randomModule, argparseModule} {
			out[m.Name()] = m
		}
		out["cPickle"], out["csv"] = pickleModule, Extended(s, csvModule)
		for _, m := range slices.Concat(texts.Modules, dates.Modules, binary.Modules, paths.Modules, collected.Modules, []*value.Module{ioModule, platformModule}) {
			out[m.Name()] = m
		}
		return out
	}).(starlark.StringDict)
}

type modulesKey struct{}

// Types are the tables of the values that the modules make.
func Types() []*value.Methods {
	return slices.Concat(types, texts.Types(), dates.Types(), binary.Types(), streams.Types(), paths.Types())
}

var types = []*value.Methods{FileMethods, streamMethods, inputMethods, environMethods, counterMethods, defaultDictMethods, dequeMethods, namedTupleMethods,
	partialMethods, randomMethods,
	parserMethods, groupMethods, namespaceMethods, loggerMethods, handlerMethods, formatterMethods, csvReaderMethods, csvWriterMethods, csvDictMethods, csvDictWriterMethods, catcherMethods}
