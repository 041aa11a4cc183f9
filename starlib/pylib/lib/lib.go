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
	"csv":  {"_more_csv", []string{"Dialect", "Error", "QUOTE_ALL", "QUOTE_MINIMAL", "QUOTE_NONE", "QUOTE_NONNUMERIC", "Sniffer", "excel", "excel_tab", "list_dialects", "unix_dialect"}},
	"json": {"_more_json", []string{"JSONDecoder", "JSONEncoder"}},
	"os":   {"_more_os", []string{"DirEntry", "PathLike", "access", "fspath", "removedirs", "scandir", "stat", "stat_result", "walk"}},
	"os.path": {"_more_path", []string{"commonpath", "commonprefix", "expandvars", "getatime", "getctime", "lexists", "normcase", "relpath",
		"samefile", "splitdrive"}},
	"six": {"_more_six", []string{"Iterator", "MAXSIZE", "PY34", "add_metaclass", "advance_iterator", "b", "class_types", "ensure_binary", "ensure_str", "ensure_text",
		"get_function_code", "get_function_defaults", "get_method_function", "get_method_self", "int2byte", "python_2_unicode_compatible", "raise_from", "reraise",
		"u", "unichr", "viewitems", "viewkeys", "viewvalues", "with_metaclass", "wraps"}},
	"time": {"_more_time", []string{"asctime", "gmtime", "localtime", "mktime", "strptime", "struct_time", "timezone"}},
}
