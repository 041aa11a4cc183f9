package session

import (
	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/parse"
	"go.starlark.net/syntax"
)

// dialect is that of cells and files: Starlark with the restrictions that suit build files lifted.
var dialect = &syntax.FileOptions{
	Set:             true,
	While:           true,
	TopLevelControl: true,
	GlobalReassign:  true,
	Recursion:       true,
}

// ParseText is the one place where text becomes a syntax tree. line and col are where it begins in
// its file.
func ParseText(file, text string, line, col int) (*syntax.File, error) {
	f, err := parse.File(file, text, parse.Options{Dialect: dialect, FirstLine: line, FirstCol: col})
	if err != nil {
		return nil, err
	}
	extend(f)
	return f, nil
}

// extend rewrites what only the place tells from standard Starlark.
func extend(f *syntax.File) {
	lower.SliceTargets(f)
	lower.StarArguments(f)
}
