// Package lib has modules of Python's standard library as files in the language: NAME.py, or a
// folder of them with __init__.py. They are in the program, and a session compiles one when it is
// imported for the first time. Those whose names begin with _ are for the others.
//
// They are written from what Python documents, for the language that is here. What needs the
// machine stands in package pylib/inside, as modules in Go that these import.
package lib

import "embed"

// Files are the modules.
//
//go:embed *.py importlib/*.py unittest/*.py urllib/*.py
var Files embed.FS

// More lists, for each module in Go that a file of the library extends, the file and its names: a
// program finds them in the module. The file runs when a program names one of them.
var More = map[string]struct {
	File  string
	Names []string
}{
	"collections": {"_more_collections", []string{"Callable", "ChainMap", "Container", "Hashable", "ItemsView", "Iterable", "Iterator", "KeysView", "Mapping",
		"MutableMapping", "MutableSequence", "MutableSet", "Sequence", "Set", "Sized", "UserDict", "UserList", "ValuesView"}},
	"json": {"_more_json", []string{"JSONDecoder", "JSONEncoder"}},
	"os":   {"_more_os", []string{"DirEntry", "PathLike", "access", "fspath", "removedirs", "scandir", "stat", "stat_result", "walk"}},
	"os.path": {"_more_path", []string{"commonpath", "commonprefix", "expandvars", "getatime", "getctime", "lexists", "normcase", "relpath",
		"samefile", "splitdrive"}},
	"time": {"_more_time", []string{"asctime", "gmtime", "localtime", "mktime", "strptime", "struct_time", "timezone"}},
}
