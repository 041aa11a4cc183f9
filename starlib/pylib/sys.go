package pylib

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An Exit is sys.exit, which ends a program.
type Exit struct {
	status int
	msg    string
	code   starlark.Value
}

func (e *Exit) Error() string     { return e.msg }
func (e *Exit) ErrorName() string { return "SystemExit" }

// ExceptionArgs is what sys.exit was given.
func (e *Exit) ExceptionArgs() starlark.Tuple {
	if e.code == starlark.None {
		return nil
	}
	return starlark.Tuple{e.code}
}

// ExitStatus is that of the program; 0 is success.
func (e *Exit) ExitStatus() int { return e.status }

// Version is the version of Python whose language this is.
const Version = "3.11"

func sysModule(s *session.Session) *value.Module {
	version := starlark.Tuple{starlark.MakeInt(3), starlark.MakeInt(11), starlark.MakeInt(0), starlark.String("final"), starlark.MakeInt(0)}
	return module("sys", "The program: its arguments, its streams, its end.", []value.Builtin{
		value.Function("exit", "Ends the program, in a notebook the cell.", `type(sys.exit) # "builtin_function_or_method"`,
			func(_ *starlark.Thread, a *struct {
				Status starlark.Value `arg:"status=None: 0 or None for success, another number, or text that is printed as the error"`
			}) (starlark.Value, error) {
				switch x := value.NumberOf(orNone(a.Status)).(type) {
				case starlark.NoneType:
					return nil, &Exit{0, "0", orNone(a.Status)}
				case starlark.Bool:
					if x {
						return nil, &Exit{1, "1", orNone(a.Status)}
					}
					return nil, &Exit{0, "0", orNone(a.Status)}
				case starlark.Int:
					n, err := starlark.AsInt32(x)
					if err != nil {
						n = 1
					}
					return nil, &Exit{n, x.String(), orNone(a.Status)}
				default:
					return nil, &Exit{1, value.Str(x), orNone(a.Status)}
				}
			}),
		value.Function("exc_info", "The class of the exception that is being handled, the exception, and None; three times None if there is none.",
			`sys.exc_info() # (None, None, None)`, func(thread *starlark.Thread, _ *none) (starlark.Value, error) {
				e := session.Of(thread).Handling()
				if e == nil {
					return starlark.Tuple{starlark.None, starlark.None, starlark.None}, nil
				}
				return starlark.Tuple{value.TypeOf(e), e, starlark.None}, nil
			}),
		value.Function("getrecursionlimit", "How deep functions may call each other.", `sys.getrecursionlimit() # 20000`,
			func(*starlark.Thread, *none) (starlark.Value, error) { return starlark.MakeInt(session.MaxDepth), nil }),
		value.Function("setrecursionlimit", "Does nothing: the depth is bounded by what is there.",
			`sys.setrecursionlimit(5000); sys.getrecursionlimit() # 20000`,
			func(_ *starlark.Thread, a *struct {
				N int `arg:"limit: a depth"`
			}) (starlark.Value, error) {
				return starlark.None, nil
			}),
	},
		value.Member{Name: "argv", Value: s.Arguments(), Doc: "The script and its arguments: those after --.", Example: `import sys; len(sys.argv) # 1`},
		value.Member{Name: "path", Value: s.SearchPath(), Doc: "The folders in which import looks; \"\" is that of the notebook or script.",
			Example: `import sys; sys.path # [""]`},
		value.Member{Name: "stdout", Value: &stream{"stream", "stdout"}, Doc: "The output.", Example: `import sys; n = sys.stdout.write("a") # a`},
		value.Member{Name: "stderr", Value: &stream{"stream", "stderr"}, Doc: "The output for errors.",
			Example: `import sys; print("a", file=sys.stderr) # a`},
		constant("sys", "maxsize", starlark.MakeInt64(1<<63-1), "The largest length."),
		constant("sys", "maxint", starlark.MakeInt64(1<<63-1), "The same, as Python 2 has it."),
		constant("sys", "version", starlark.String(Version+" (Starlark, Arignote)"), "The version of Python whose language this is nearest to."),
		constant("sys", "version_info", version, "Its numbers."),
		constant("sys", "platform", starlark.String(runtime.GOOS), "The system."),
		constant("sys", "byteorder", starlark.String("little"), "Which byte of a number is first in memory."),
		value.Member{Name: "executable", Value: starlark.String(""), Doc: "Nothing: there is no Python.", Example: `import sys; sys.executable # ""`},
	)
}

// A stream is sys.stdout or sys.stderr: the running cell's.
type stream struct {
	class
	name string
}

func (s *stream) String() string                           { return "<stream " + s.name + ">" }
func (s *stream) Table() *value.Methods                    { return streamMethods }
func (s *stream) Attr(name string) (starlark.Value, error) { return streamMethods.Attr(s, name) }
func (s *stream) AttrNames() []string                      { return streamMethods.Names() }

var streamMethods = value.NewMethods("stream", []value.Builtin{
	method("write", "Writes text, and returns how many characters.", `import sys; n = sys.stderr.write("a") # a`,
		func(thread *starlark.Thread, s *stream, a *struct {
			Text string `arg:"text: text"`
		}) (starlark.Value, error) {
			session.Of(thread).Output().Stream(s.name, a.Text)
			return starlark.MakeInt(len([]rune(a.Text))), nil
		}),
	method("writelines", "Writes texts.", `import sys; sys.stderr.writelines(["a", "b"]) # ab`, func(thread *starlark.Thread, s *stream, a *struct {
		Lines starlark.Value `arg:"lines: an iterable of texts"`
	}) (starlark.Value, error) {
		text, err := joined(thread, a.Lines)
		session.Of(thread).Output().Stream(s.name, text)
		return nil, err
	}),
	method("flush", "Does nothing: output is never held back for long.", `import sys; print(sys.stdout.flush()) # None`,
		func(*starlark.Thread, *stream, *none) (starlark.Value, error) {
			return nil, nil
		}),
	method("isatty", "False: what is printed goes through the front end.", `import sys; sys.stdout.isatty() # False`,
		func(*starlark.Thread, *stream, *none) (starlark.Value, error) { return starlark.False, nil }),
})

// joined is the texts of an iterable as one.
func joined(thread *starlark.Thread, lines starlark.Value) (string, error) {
	items, err := elements(thread, lines)
	var b strings.Builder
	for _, v := range items {
		text, ok := starlark.AsString(v)
		if !ok {
			return b.String(), fmt.Errorf("writelines: got %s, want text", v.Type())
		}
		b.WriteString(text)
	}
	return b.String(), err
}
