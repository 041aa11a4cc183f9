package starlib

import (
	"github.com/arignote/arignote/starlib/lower"
	"go.starlark.net/syntax"
)

// fileOptions is the dialect of cells and files: Starlark with the restrictions that
// suit build files lifted.
var fileOptions = &syntax.FileOptions{
	Set:             true,
	While:           true,
	TopLevelControl: true,
	GlobalReassign:  true,
	Recursion:       true,
}

// parse is the one place where text becomes a syntax tree. A parser for more than
// standard Starlark goes here: it has only to produce trees of standard nodes.
// firstLine is the number of the text's first line in the file.
func parse(file, text string, firstLine int) (*syntax.File, error) {
	f, err := fileOptions.Parse(file, syntax.FilePortion{Content: []byte(text), FirstLine: int32(firstLine), FirstCol: 1}, 0)
	if err == nil {
		lower.SliceTargets(f)
	}
	return f, err
}
