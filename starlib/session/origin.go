package session

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/lower"
	"go.starlark.net/starlark"
)

// A Frame is a place in the user's code: where a value was made, or where an error
// passed through.
type Frame struct {
	File      string
	Line, Col int    // 1-based; columns count code points
	Func      string // "<toplevel>" outside functions
}

// Pos returns the frame's position as file:line:col.
func (f Frame) Pos() string { return fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Col) }

func (f Frame) String() string { return f.Pos() + " in " + f.Func }

// Origin returns the user's code that is running, outermost frame first. Operators and
// attributes get no thread from Starlark and pass nil, for the session's current one.
// Frames of builtins and of helpers that cells are lowered to are left out, so the last
// frame is the user's line in either case.
func (s *Session) Origin(thread *starlark.Thread) []Frame {
	if thread == nil {
		thread = s.cur
	}
	if thread == nil {
		return nil
	}
	return userFrames(thread.CallStack())
}

func userFrames(stack starlark.CallStack) []Frame {
	frames := make([]Frame, 0, len(stack))
	for i, f := range stack {
		if f.Name == lower.Magic && i+1 < len(stack) && len(frames) > 0 {
			frames = frames[:len(frames)-1] // the code of a magic has a frame of its own
		}
		if f.Pos.Line == 0 || Hidden(f.Name) {
			continue
		}
		frames = append(frames, Frame{f.Pos.Filename(), int(f.Pos.Line), int(f.Pos.Col), f.Name})
	}
	return frames
}

// Hidden reports whether a function is one that lowering made: its name cannot be written by users.
func Hidden(name string) bool { return strings.HasPrefix(name, "$") }
