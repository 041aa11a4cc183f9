package inside

import (
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var outputModule = value.NewModule("_output", "Output that goes to a value with a method write.", value.Builtins([]value.Builtin{
	value.Function("push", "Has what is printed to a stream go to a value, until pop.", "",
		func(thread *starlark.Thread, a *struct {
			Name string         `arg:"stream: \"stdout\" or \"stderr\""`
			To   starlark.Value `arg:"to: what has a method write"`
		}) (starlark.Value, error) {
			write, err := value.Attr(a.To, "write")
			if err != nil {
				return nil, err
			}
			s := session.Of(thread)
			p := s.Local(pushedKey{}, func() any { return new(pushed) }).(*pushed)
			p.back = append(p.back, s.Redirect(&written{s.Output(), s, a.Name, write}))
			return starlark.None, nil
		}),
	value.Function("pop", "Ends the last push.", "", func(thread *starlark.Thread, _ *nothing) (starlark.Value, error) {
		p := session.Of(thread).Local(pushedKey{}, func() any { return new(pushed) }).(*pushed)
		if n := len(p.back); n > 0 {
			p.back[n-1]()
			p.back = p.back[:n-1]
		}
		return starlark.None, nil
	}),
})...)

type pushedKey struct{}

// pushed are what end the redirections, the last one last.
type pushed struct{ back []func() }

// A written output has one stream go to a function of the program's.
type written struct {
	session.Output
	s     *session.Session
	name  string
	write starlark.Value
}

// Stream writes text. What the function raises makes the running statement fail.
func (w *written) Stream(name, text string) {
	if name != w.name {
		w.Output.Stream(name, text)
		return
	}
	if _, err := value.Call(w.s.Current(), w.write, starlark.Tuple{starlark.String(text)}, nil); err != nil {
		w.s.Fail(err)
	}
}
