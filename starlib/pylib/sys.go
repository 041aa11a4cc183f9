package pylib

import (
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
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
	m := sysMembers(s)
	for _, name := range []string{"stdout", "stderr"} {
		own := m.Member(name).Value
		m.Vary(name, value.Variable{
			Get: func() starlark.Value {
				if to := s.Stream(name); to != nil {
					return to
				}
				return own
			},
			Set: func(v starlark.Value) error {
				if v == own {
					v = nil
				}
				s.SetStream(name, v)
				return nil
			},
		})
	}
	m.Vary("modules", value.Variable{
		Get: func() starlark.Value { return s.ImportedModules() },
		Set: func(starlark.Value) error { return failure("AttributeError", "module sys: cannot assign to .modules") },
	})
	return m
}

// floatInfo is sys.float_info.
var floatInfo = starlarkstruct.FromStringDict(starlark.String("float_info"), starlark.StringDict{
	"max": starlark.Float(math.MaxFloat64), "min": starlark.Float(0x1p-1022), "epsilon": starlark.Float(0x1p-52), "dig": starlark.MakeInt(15),
	"mant_dig": starlark.MakeInt(53), "max_exp": starlark.MakeInt(1024), "min_exp": starlark.MakeInt(-1021), "max_10_exp": starlark.MakeInt(308),
	"min_10_exp": starlark.MakeInt(-307), "radix": starlark.MakeInt(2), "rounds": starlark.MakeInt(1),
})

// sizeOf is about how many bytes a value takes.
func sizeOf(v starlark.Value) int64 {
	const header = 48
	switch x := v.(type) {
	case *np.Array:
		return header + int64(x.D.NBytes())
	case starlark.String:
		return header + int64(len(x))
	case starlark.Bytes:
		return header + int64(len(x))
	case *slot.Dict:
		return header + 96*int64(x.Len())
	case *slot.Set:
		return header + 64*int64(x.Len())
	case starlark.Sequence:
		return header + 24*int64(x.Len())
	}
	return header
}

// An input is sys.stdin, which asks the front end for a line.
type input struct{ class }

func (i *input) String() string                           { return "<stream stdin>" }
func (i *input) Table() *value.Methods                    { return inputMethods }
func (i *input) Attr(name string) (starlark.Value, error) { return inputMethods.Attr(i, name) }
func (i *input) AttrNames() []string                      { return inputMethods.Names() }

var inputMethods = value.NewMethods("stdin", []value.Builtin{
	method("readline", "A line that the user types, with its end; the front end is asked for it.", "import sys; callable(sys.stdin.readline) # True", func(thread *starlark.Thread, _ *input, _ *none) (starlark.Value, error) {
		line, err := value.Call(thread, session.Standard()["input"], nil, nil)
		if text, ok := line.(starlark.String); ok && err == nil {
			return text + "\n", nil
		}
		return line, err
	}),
	method("isatty", "False: what is typed comes through the front end.", `import sys; sys.stdin.isatty() # False`,
		func(*starlark.Thread, *input, *none) (starlark.Value, error) { return starlark.False, nil }),
})

func sysMembers(s *session.Session) *value.Module {
	stdout, stderr := &stream{"stream", "stdout"}, &stream{"stream", "stderr"}
	version := starlark.Tuple{starlark.MakeInt(3), starlark.MakeInt(11), starlark.MakeInt(0), starlark.String("final"), starlark.MakeInt(0)}
	return module("sys", "The program: its arguments, its streams, its end.", []value.Builtin{
		value.Function("exit", "Ends the program, in a notebook the cell.", `type(sys.exit) # <class 'builtin_function_or_method'>`,
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
		value.Function("getsizeof", "The bytes of an array; of other values about what they take, without what they hold.", `sys.getsizeof(np.zeros(100)) >= 800 # True`,
			func(_ *starlark.Thread, a *struct {
				X       starlark.Value `arg:"object: a value"`
				Default starlark.Value `arg:"default=None: is not used"`
			}) (starlark.Value, error) {
				return starlark.MakeInt64(sizeOf(a.X)), nil
			}),
		value.Function("getdefaultencoding", "The encoding of text.", `sys.getdefaultencoding() # "utf-8"`,
			func(*starlark.Thread, *none) (starlark.Value, error) { return starlark.String("utf-8"), nil }),
		value.Function("getfilesystemencoding", "The encoding of the names of files.", `sys.getfilesystemencoding() # "utf-8"`,
			func(*starlark.Thread, *none) (starlark.Value, error) { return starlark.String("utf-8"), nil }),
		value.Function("intern", "The text itself: equal texts are one.", `sys.intern("a") # "a"`, func(_ *starlark.Thread, a *struct {
			Text string `arg:"string: text"`
		}) (starlark.Value, error) {
			return starlark.String(a.Text), nil
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
		value.Member{Name: "argv", Value: s.Arguments(), Doc: "The script and its arguments.", Example: `import sys; len(sys.argv) # 1`},
		value.Member{Name: "path", Value: s.SearchPath(), Doc: "The folders in which import looks; \"\" is that of the notebook or script.",
			Example: `import sys; sys.path # [""]`},
		value.Member{Name: "stdout", Value: stdout, Doc: "Where print writes: the output, or a value with a method write that it was set to.", Example: `import sys; n = sys.stdout.write("a") # a`},
		value.Member{Name: "stderr", Value: stderr, Doc: "The output for errors, or what it was set to.",
			Example: `import sys; print("a", file=sys.stderr) # a`},
		value.Member{Name: "__stdout__", Value: stdout, Doc: "The output, whatever sys.stdout was set to.", Example: `import sys; sys.stdout is sys.__stdout__ # True`},
		value.Member{Name: "__stderr__", Value: stderr, Doc: "The output for errors, whatever sys.stderr was set to.", Example: `import sys; sys.stderr is sys.__stderr__ # True`},
		value.Member{Name: "stdin", Value: &input{"stdin"}, Doc: "The input: lines that the user types.", Example: `import sys; sys.stdin.isatty() # False`},
		value.Member{Name: "float_info", Value: floatInfo, Doc: "The limits of floats: max, min, epsilon, dig, mant_dig, max_exp, min_exp, radix.",
			Example: `import sys; sys.float_info.epsilon # 2.220446049250313e-16`},
		constant("sys", "maxunicode", starlark.MakeInt(0x10ffff), "The largest code point."),
		constant("sys", "hexversion", starlark.MakeInt(0x030b00f0), "The version as a number."),
		value.Member{Name: "modules", Value: new(slot.Dict), Doc: "A dict of the files that were imported so far, and of the modules that are there without a file.", Example: `import sys; "math" in sys.modules # True`},
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
			session.Of(thread).WriteOut(s.name, a.Text)
			return starlark.MakeInt(len([]rune(a.Text))), nil
		}),
	method("writelines", "Writes texts.", `import sys; sys.stderr.writelines(["a", "b"]) # ab`, func(thread *starlark.Thread, s *stream, a *struct {
		Lines starlark.Value `arg:"lines: an iterable of texts"`
	}) (starlark.Value, error) {
		text, err := joined(thread, a.Lines)
		session.Of(thread).WriteOut(s.name, text)
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
