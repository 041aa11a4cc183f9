package inside

import (
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var tracebackModule = value.NewModule("_traceback", "The calls that an error has left, and those that wait.", value.Builtins([]value.Builtin{
	value.Function("frames", "The calls that an exception has left, from the one that handles it: (file, line, function, text of the line).", "",
		func(thread *starlark.Thread, a *one) (starlark.Value, error) {
			s := session.Of(thread)
			o, ok := a.X.(*value.Object)
			if !ok || o.Err() == nil {
				return starlark.Tuple{}, nil
			}
			frames := s.NewError(session.ContextOf(thread), o.Err()).Frames()
			return shown(s, frames[min(outer(frames, waiting(thread)), len(frames)):]), nil
		}),
	value.Function("stack", "The calls that wait, outermost first.", "",
		func(thread *starlark.Thread, _ *nothing) (starlark.Value, error) {
			return shown(session.Of(thread), waiting(thread)), nil
		}),
	value.Function("handling", "The exception that is being handled, None if none is.", "",
		func(thread *starlark.Thread, _ *nothing) (starlark.Value, error) {
			if e := session.Of(thread).Handling(); e != nil {
				return e, nil
			}
			return starlark.None, nil
		}),
})...)

// waiting are the calls of the user's that wait, outermost first, without those of the library that
// ask.
func waiting(thread *starlark.Thread) []graph.Frame {
	frames := session.UserFrames(value.StackOf(thread))
	for n := len(frames); n > 0 && strings.HasPrefix(frames[n-1].File, session.Library); n = len(frames) {
		frames = frames[:n-1]
	}
	return frames
}

// outer counts the calls of an error that are around the one that handles it.
func outer(left, waits []graph.Frame) int {
	n := 0
	for n+1 < len(waits) && n < len(left) && left[n].File == waits[n].File && left[n].Func == waits[n].Func {
		n++
	}
	return n
}

// shown are calls with the texts of their lines.
func shown(s *session.Session, frames []graph.Frame) starlark.Tuple {
	out := make(starlark.Tuple, len(frames))
	for i, f := range frames {
		name := f.Func
		if name == "" || name == "<toplevel>" {
			name = "<module>"
		}
		text := strings.TrimSpace(s.Source(f.File).Line(f.Line))
		out[i] = starlark.Tuple{starlark.String(f.File), starlark.MakeInt(f.Line), starlark.String(name), starlark.String(text)}
	}
	return out
}
