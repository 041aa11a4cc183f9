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

// portableDialect is the same, of what says that it is standard Starlark.
var portableDialect = func() *syntax.FileOptions { d := *dialect; return &d }()

// ParseText is the one place where text becomes a syntax tree. line and col are where it begins in its file. A text may be portable
// because the file is that it is a cell of.
func ParseText(file, text string, line, col int, portable bool) (*syntax.File, error) {
	options := parse.Options{Dialect: dialect, FirstLine: line, FirstCol: col, Portable: portable || parse.IsPortable(text)}
	if options.Portable {
		options.Dialect = portableDialect
	}
	f, err := parse.File(file, text, options)
	if err != nil {
		return nil, err
	}
	if !options.Portable {
		extend(f)
	}
	return f, nil
}

// extend rewrites what only the place tells from standard Starlark.
func extend(f *syntax.File) {
	lower.SliceTargets(f)
	lower.StarArguments(f)
}

// ParseText parses a text that is a part of the file which is running.
func (s *Session) ParseText(file, text string, line, col int) (*syntax.File, error) {
	return ParseText(file, text, line, col, s.portable)
}
