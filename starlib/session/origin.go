package session

import (
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Origin returns the user's code that is running, outermost frame first. Operators and
// attributes get no thread from Starlark and pass nil, for the session's current one.
// Frames of builtins and of helpers that cells are lowered to are left out, so the last
// frame is the user's line in either case.
func (s *Session) Origin(thread *starlark.Thread) []graph.Frame {
	if thread == nil {
		thread = s.cur
	}
	if thread == nil {
		return nil
	}
	return UserFrames(value.StackOf(thread))
}

// Current is the thread that runs, nil between cells: for what calls functions of the user without
// having been given one.
func (s *Session) Current() *starlark.Thread { return s.cur }

// Outermost is the thread of the cell that runs, of which all others are parts; nil between cells.
// Only what runs in a cell may ask.
func (s *Session) Outermost() *starlark.Thread {
	if len(s.threads) == 0 {
		return nil
	}
	return s.threads[0]
}

// UserFrames are the calls of a stack that are of code of the user's or of the library.
func UserFrames(stack starlark.CallStack) []graph.Frame {
	frames := make([]graph.Frame, 0, len(stack))
	for i, f := range stack {
		if f.Name == lower.Magic && i+1 < len(stack) && len(frames) > 0 {
			frames = frames[:len(frames)-1] // the code of a magic has a frame of its own
		}
		if f.Pos.Line == 0 || Hidden(f.Name) {
			continue
		}
		frames = append(frames, graph.Frame{File: f.Pos.Filename(), Line: int(f.Pos.Line), Col: int(f.Pos.Col), Func: f.Name})
	}
	return frames
}

// Hidden reports whether a function is one that no user made: its name cannot be written by users.
func Hidden(name string) bool { return strings.HasPrefix(name, "$") }
