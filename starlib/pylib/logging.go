package pylib

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/starlib/library"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// levels are how grave messages are, from the least.
var levels = []struct {
	name string
	n    int
}{{"DEBUG", 10}, {"INFO", 20}, {"WARNING", 30}, {"ERROR", 40}, {"CRITICAL", 50}}

// A logger hands messages to its handlers, and to those of the loggers above it: a is above a.b,
// and the root above all.
type logger struct {
	class
	name     string
	level    int // 0: that of the logger above
	alone    bool
	handlers []*handler
	root     *logger // nil: it is the root
	all      map[string]*logger
	disabled int // of the root: what is not graver is not written
}

// above is the next logger that messages go to, nil of the root.
func (l *logger) above() *logger {
	if l.root == nil {
		return nil
	}
	for name := l.name; ; {
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			return l.root
		}
		if name = name[:i]; l.root.all[name] != nil {
			return l.root.all[name]
		}
	}
}

// least is the level from which on messages are written.
func (l *logger) least() int {
	for ; l != nil; l = l.above() {
		if l.level != 0 {
			return l.level
		}
	}
	return 0
}

func (l *logger) writes(level int) bool {
	root := l
	if l.root != nil {
		root = l.root
	}
	return level >= l.least() && level > root.disabled
}

// reached are the handlers that messages of the logger go to.
func (l *logger) reached() (all []*handler) {
	for at := l; at != nil; at = at.above() {
		all = append(all, at.handlers...)
		if at.alone {
			break
		}
	}
	return all
}

// A handler writes messages.
type handler struct {
	class
	stream starlark.Value // what has a method write
	level  int
	format *formatter
}

// A formatter says how a message is written.
type formatter struct {
	class
	text, date string
}

const usualFormat, usualDate = "%(levelname)s:%(name)s:%(message)s", "%Y-%m-%d %H:%M:%S"

func (l *logger) Table() *value.Methods                    { return loggerMethods }
func (l *logger) AttrNames() []string                      { return loggerMethods.Names() }
func (l *logger) Attr(name string) (starlark.Value, error) { return loggerMethods.Attr(l, name) }

// SetField is l.propagate = x.
func (l *logger) SetField(name string, v starlark.Value) error {
	if name != "propagate" {
		return fmt.Errorf("cannot assign to .%s of a Logger: .propagate can be assigned", name)
	}
	l.alone = !bool(v.Truth())
	return nil
}

func (h *handler) Table() *value.Methods                      { return handlerMethods }
func (h *handler) AttrNames() []string                        { return handlerMethods.Names() }
func (h *handler) Attr(name string) (starlark.Value, error)   { return handlerMethods.Attr(h, name) }
func (f *formatter) Table() *value.Methods                    { return formatterMethods }
func (f *formatter) AttrNames() []string                      { return formatterMethods.Names() }
func (f *formatter) Attr(name string) (starlark.Value, error) { return formatterMethods.Attr(f, name) }
func (l *logger) String() string                              { return fmt.Sprintf("<Logger %s>", l.name) }

// levelOf reads a level: a number, or its name.
func levelOf(v starlark.Value) (int, error) {
	name := text(v)
	for _, l := range levels {
		if strings.EqualFold(name, l.name) || name == "WARN" && l.n == 30 || name == "FATAL" && l.n == 50 {
			return l.n, nil
		}
	}
	n, err := value.Int(v)
	if err != nil {
		return 0, failure("ValueError", "got the level %s, want logging.INFO or another, or its name", value.Repr(v))
	}
	return n, nil
}

func levelName(n int) string {
	for _, l := range levels {
		if l.n == n {
			return l.name
		}
	}
	return fmt.Sprintf("Level %d", n)
}

// log writes a message if it is grave enough.
func (l *logger) log(thread *starlark.Thread, level int, a *logArgs) error {
	msg, args := a.Msg, a.Args
	if !l.writes(level) {
		return nil
	}
	line := value.Str(msg)
	if len(args) > 0 {
		var with starlark.Value = args
		if d, ok := args[0].(starlark.IterableMapping); ok && len(args) == 1 && len(d.Items()) > 0 {
			with = d
		}
		out, err := value.FormatPercent(thread, line, with)
		if err != nil {
			return err
		}
		line = out
	}
	if bool(orNone(a.Info).Truth()) {
		line += handled(thread)
	}
	handlers := l.reached()
	if len(handlers) == 0 { // as before basicConfig: the message alone
		if level >= 30 {
			session.Of(thread).Output().Stream("stderr", line+"\n")
		}
		return nil
	}
	now := time.Now()
	for _, h := range handlers {
		if level < h.level || h.stream == nil {
			continue
		}
		text, err := h.format.line(l.name, level, line, now)
		if err != nil {
			return err
		}
		write, err := value.Attr(h.stream, "write")
		if err == nil {
			_, err = value.Call(thread, write, starlark.Tuple{starlark.String(text + "\n")}, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// handled is the exception that is being handled, as it stands below a message.
func handled(thread *starlark.Thread) string {
	e := session.Of(thread).Handling()
	if e == nil {
		return "\nNoneType: None"
	}
	text := "\n" + e.Type()
	if msg := value.Str(e); msg != "" {
		text += ": " + msg
	}
	return text
}

// line is a message as the formatter writes it.
func (f *formatter) line(name string, level int, msg string, now time.Time) (string, error) {
	stamp, err := library.Strftime(f.date, now)
	if err != nil {
		return "", err
	}
	if f.date == usualDate {
		stamp += fmt.Sprintf(",%03d", now.Nanosecond()/1e6)
	}
	d := new(slot.Dict)
	for k, v := range map[string]starlark.Value{"message": starlark.String(msg), "name": starlark.String(name), "levelname": starlark.String(levelName(level)),
		"levelno": starlark.MakeInt(level), "asctime": starlark.String(stamp), "created": starlark.Float(float64(now.UnixNano()) / 1e9),
		"process": starlark.MakeInt(0),
		"msecs":   starlark.Float(float64(now.Nanosecond()) / 1e6), "module": starlark.String(""), "filename": starlark.String(""), "funcName": starlark.String(""),
		"lineno": starlark.MakeInt(0), "threadName": starlark.String("MainThread"), "pathname": starlark.String("")} {
		d.SetKey(starlark.String(k), v)
	}
	return value.FormatPercent(nil, f.text, d)
}

type logArgs struct {
	Msg  starlark.Value `arg:"msg: text"`
	Args starlark.Tuple `arg:"*args: values that % puts into it"`
	Info starlark.Value `arg:"exc_info=None: True to write the exception that is being handled too"`
}

// atLevel are the arguments of log.
type atLevel struct {
	Level starlark.Value `arg:"level: logging.INFO or another"`
	logArgs
}

type numberArg struct {
	Level starlark.Value `arg:"level: logging.INFO or another"`
}

// loggingModule is the module of a session, whose loggers are its own.
func loggingModule(s *session.Session) *value.Module {
	root := &logger{class: "Logger", name: "root", level: 30, all: map[string]*logger{}}
	stderr := &stream{"stream", "stderr"}
	rows := []value.Builtin{
		value.Function("basicConfig", "Says which messages are written, and how; without effect if that was said before.",
			`logging.basicConfig(level=logging.INFO); logging.info("a") # INFO:root:a`,
			func(thread *starlark.Thread, a *struct {
				_      struct{}       `arg:"*:"`
				Level  starlark.Value `arg:"level=None: the least level that is written"`
				Format string         `arg:"format=\"%(levelname)s:%(name)s:%(message)s\": how"`
				Date   string         `arg:"datefmt=\"%Y-%m-%d %H:%M:%S\": how %(asctime)s is written"`
				File   starlark.Value `arg:"filename=None: a file to write to"`
				Mode   string         `arg:"filemode=\"a\": how it is opened"`
				Stream starlark.Value `arg:"stream=None: what has a method write"`
				List   starlark.Value `arg:"handlers=None: handlers to write with"`
				Force  bool           `arg:"force=False: forget what was said before"`
			}) (starlark.Value, error) {
				if a.Force {
					root.handlers = nil
				}
				if len(root.handlers) > 0 {
					return starlark.None, nil
				}
				if a.Level != nil && a.Level != starlark.None {
					level, err := levelOf(a.Level)
					if err != nil {
						return nil, value.Named("", "basicConfig", err)
					}
					root.level = level
				}
				f := &formatter{"Formatter", a.Format, a.Date}
				if a.List != nil && a.List != starlark.None {
					items, err := elements(thread, a.List)
					for _, x := range items {
						h, ok := x.(*handler)
						if !ok {
							return nil, failure("TypeError", "basicConfig: for parameter handlers: got a %s, want handlers", x.Type())
						}
						if h.format.text == "%(message)s" {
							h.format = f
						}
						root.handlers = append(root.handlers, h)
					}
					return starlark.None, err
				}
				var to starlark.Value = stderr
				switch {
				case a.File != nil && a.File != starlark.None:
					file, err := openFile(thread, a.File, a.Mode, "utf-8", plainFile)
					if err != nil {
						return nil, err
					}
					to = file
				case a.Stream != nil && a.Stream != starlark.None:
					to = a.Stream
				}
				root.handlers = []*handler{{"Handler", to, 0, f}}
				return starlark.None, nil
			}),
		value.Function("getLogger", "The logger of a name; without one, that of all.", `logging.getLogger("a") == logging.getLogger("a") # True`,
			func(_ *starlark.Thread, a *struct {
				Name starlark.Value `arg:"name=None: a name"`
			}) (starlark.Value, error) {
				name := text(orNone(a.Name))
				if name == "" || name == "root" {
					return root, nil
				}
				if root.all[name] == nil {
					root.all[name] = &logger{class: "Logger", name: name, root: root}
				}
				return root.all[name], nil
			}),
		value.Function("Formatter", "Says how messages are written.", `logging.Formatter("%(message)s") # <Formatter>`, func(_ *starlark.Thread, a *struct {
			Format string         `arg:"fmt=\"%(message)s\": text with %(message)s, %(levelname)s, %(name)s and %(asctime)s in it"`
			Date   starlark.Value `arg:"datefmt=None: how %(asctime)s is written"`
		}) (starlark.Value, error) {
			date := text(orNone(a.Date))
			if date == "" {
				date = usualDate
			}
			return &formatter{"Formatter", a.Format, date}, nil
		}),
		value.Function("StreamHandler", "Writes messages to stderr, or to what has a method write.", `logging.StreamHandler() # <Handler>`,
			func(_ *starlark.Thread, a *struct {
				Stream starlark.Value `arg:"stream=None: what has a method write"`
			}) (starlark.Value, error) {
				h := &handler{"Handler", stderr, 0, &formatter{"Formatter", "%(message)s", usualDate}}
				if to := notNone(orNone(a.Stream)); to != nil {
					h.stream = to
				}
				return h, nil
			}),
		value.Function("FileHandler", "Writes messages to a file.", `logging.FileHandler("a") # <Handler>`, func(thread *starlark.Thread, a *struct {
			File starlark.Value `arg:"filename: its name"`
			Mode string         `arg:"mode=\"a\": how it is opened"`
		}) (starlark.Value, error) {
			file, err := openFile(thread, a.File, a.Mode, "utf-8", plainFile)
			return &handler{"Handler", file, 0, &formatter{"Formatter", "%(message)s", usualDate}}, err
		}),
	}
	rows = append(rows,
		value.Function("log", "Writes a message of a level.", `logging.basicConfig(level=10); logging.log(logging.INFO, "a") # INFO:root:a`,
			func(thread *starlark.Thread, a *atLevel) (starlark.Value, error) {
				n, err := levelOf(a.Level)
				if err != nil {
					return nil, err
				}
				return starlark.None, root.log(thread, n, &a.logArgs)
			}),
		value.Function("exception", "Writes a message of the level ERROR, and the exception that is being handled.",
			"logging.basicConfig(); logging.exception(\"a\") # ERROR:root:a\nNoneType: None", func(thread *starlark.Thread, a *logArgs) (starlark.Value, error) {
				a.Info = starlark.True
				return starlark.None, root.log(thread, 40, a)
			}),
		value.Function("disable", "Says that messages up to a level are not written.", `logging.disable(logging.ERROR); logging.getLogger("a").isEnabledFor(logging.ERROR) # False`,
			func(_ *starlark.Thread, a *struct {
				Level starlark.Value `arg:"level=50: logging.INFO or another; logging.NOTSET writes all again"`
			}) (starlark.Value, error) {
				root.disabled = 50
				if a.Level != nil {
					n, err := levelOf(a.Level)
					if err != nil {
						return nil, err
					}
					root.disabled = n
				}
				return starlark.None, nil
			}),
		value.Function("getLevelName", "The name of a level.", `logging.getLevelName(20) # "INFO"`, func(_ *starlark.Thread, a *numberArg) (starlark.Value, error) {
			n, err := levelOf(a.Level)
			return starlark.String(levelName(n)), err
		}),
		value.Function("NullHandler", "Writes nothing.", `logging.NullHandler() # <Handler>`, func(*starlark.Thread, *none) (starlark.Value, error) {
			return &handler{"Handler", nil, 0, &formatter{"Formatter", "%(message)s", usualDate}}, nil
		}))
	members := []value.Member{constant("logging", "NOTSET", starlark.MakeInt(0), "No level: that of the logger above."),
		constant("logging", "WARN", starlark.MakeInt(30), "WARNING."), constant("logging", "FATAL", starlark.MakeInt(50), "CRITICAL.")}
	for _, l := range levels {
		members = append(members, constant("logging", l.name, starlark.MakeInt(l.n), "A level."))
		example := fmt.Sprintf("logging.basicConfig(level=10); logging.%s(\"x is %%d\", 3) # %s:root:x is 3", strings.ToLower(l.name), l.name)
		rows = append(rows, value.Function(strings.ToLower(l.name), "Writes a message of the level "+l.name+".", example, func(thread *starlark.Thread,
			a *logArgs) (starlark.Value, error) {
			return starlark.None, root.log(thread, l.n, a)
		}))
	}
	return module("logging", "Messages by how grave they are.", rows, members...)
}

type levelArg struct {
	Level starlark.Value `arg:"level: logging.INFO or another, or its name"`
}

var loggerMethods = func() *value.Methods {
	rows := []value.Builtin{
		method("addHandler", "Adds a handler.", `import logging; l = logging.getLogger("a"); l.addHandler(logging.StreamHandler()); l.error("b") # b`,
			func(_ *starlark.Thread, l *logger, a *struct {
				X starlark.Value `arg:"hdlr: a handler"`
			}) (starlark.Value, error) {
				h, ok := a.X.(*handler)
				if !ok {
					return nil, failure("TypeError", "addHandler: got %s, want a handler", a.X.Type())
				}
				l.handlers = append(l.handlers, h)
				return nil, nil
			}),
		method("removeHandler", "Takes a handler away.",
			`import logging; l = logging.getLogger("a"); h = logging.StreamHandler(); l.addHandler(h); l.removeHandler(h); l.handlers # []`,
			func(_ *starlark.Thread, l *logger, a *struct {
				X starlark.Value `arg:"hdlr: a handler"`
			}) (starlark.Value, error) {
				l.handlers = slices.DeleteFunc(l.handlers, func(h *handler) bool { return starlark.Value(h) == a.X })
				return nil, nil
			}),
		method("log", "Writes a message of a level.", `import logging; logging.basicConfig(level=10); logging.getLogger("a").log(20, "x") # INFO:a:x`,
			func(thread *starlark.Thread, l *logger, a *atLevel) (starlark.Value, error) {
				n, err := levelOf(a.Level)
				if err != nil {
					return nil, err
				}
				return nil, l.log(thread, n, &a.logArgs)
			}),
		method("exception", "Writes a message of the level ERROR, and the exception that is being handled.",
			"import logging; logging.basicConfig(); logging.getLogger(\"a\").exception(\"b\") # ERROR:a:b\nNoneType: None",
			func(thread *starlark.Thread, l *logger, a *logArgs) (starlark.Value, error) {
				a.Info = starlark.True
				return nil, l.log(thread, 40, a)
			}),
		method("warn", "Writes a message of the level WARNING.", `import logging; logging.basicConfig(); logging.getLogger("a").warn("x") # WARNING:a:x`,
			func(thread *starlark.Thread, l *logger, a *logArgs) (starlark.Value, error) {
				return nil, l.log(thread, 30, a)
			}),
		method("isEnabledFor", "Whether messages of a level are written.", `import logging; logging.getLogger("a").isEnabledFor(logging.ERROR) # True`,
			func(_ *starlark.Thread, l *logger, a *numberArg) (starlark.Value, error) {
				n, err := levelOf(a.Level)
				return starlark.Bool(l.writes(n)), err
			}),
		method("getEffectiveLevel", "The least level that is written, by the loggers above too.",
			`import logging; logging.getLogger("a").getEffectiveLevel() # 30`,
			func(_ *starlark.Thread, l *logger, _ *none) (starlark.Value, error) {
				return starlark.MakeInt(l.least()), nil
			}),
		method("hasHandlers", "Whether any handler gets its messages.", `import logging; logging.getLogger("a").hasHandlers() # False`,
			func(_ *starlark.Thread, l *logger, _ *none) (starlark.Value, error) {
				return starlark.Bool(len(l.reached()) > 0), nil
			}),
		method("setLevel", "Says which messages are written.", `import logging; l = logging.getLogger("a"); l.setLevel("INFO"); l.level # 20`,
			func(_ *starlark.Thread, l *logger, a *levelArg) (starlark.Value, error) {
				n, err := levelOf(a.Level)
				l.level = n
				return nil, err
			}),
	}
	for _, level := range levels {
		name := strings.ToLower(level.name)
		example := fmt.Sprintf("import logging; logging.basicConfig(level=10); logging.getLogger(\"a\").%s(\"x is %%d\", 3) # %s:a:x is 3", name, level.name)
		rows = append(rows, method(name, "Writes a message of the level "+level.name+".", example, func(thread *starlark.Thread, l *logger,
			a *logArgs) (starlark.Value, error) {
			return nil, l.log(thread, level.n, a)
		}))
	}
	return value.NewMethods("Logger", rows).With(
		value.FieldOf("name", "Its name.", `import logging; logging.getLogger("a").name # "a"`,
			func(l *logger) starlark.Value { return starlark.String(l.name) }),
		value.FieldOf("level", "The least level that is written; 0 is that of the logger above.", `import logging; logging.getLogger("a").level # 0`,
			func(l *logger) starlark.Value { return starlark.MakeInt(l.level) }),
		value.FieldOf("handlers", "Its handlers.", `import logging; logging.getLogger("a").handlers # []`, func(l *logger) starlark.Value {
			out := new(slot.List)
			for _, h := range l.handlers {
				out.Append(h)
			}
			return out
		}),
		value.FieldOf("propagate", "Whether messages go to the loggers above too; can be assigned.",
			`import logging; l = logging.getLogger("a"); l.propagate = False; l.propagate # False`,
			func(l *logger) starlark.Value { return starlark.Bool(!l.alone) }))
}()

var handlerMethods = value.NewMethods("Handler", []value.Builtin{
	method("setFormatter", "Says how messages are written.",
		`import logging; print(logging.StreamHandler().setFormatter(logging.Formatter("%(message)s"))) # None`,
		func(_ *starlark.Thread, h *handler, a *struct {
			X starlark.Value `arg:"fmt: a formatter"`
		}) (starlark.Value, error) {
			f, ok := a.X.(*formatter)
			if !ok {
				return nil, failure("TypeError", "setFormatter: got %s, want a Formatter", a.X.Type())
			}
			h.format = f
			return nil, nil
		}),
	method("setLevel", "Says which messages are written.", `import logging; h = logging.StreamHandler(); h.setLevel(20); h.level # 20`,
		func(_ *starlark.Thread, h *handler, a *levelArg) (starlark.Value, error) {
			n, err := levelOf(a.Level)
			h.level = n
			return nil, err
		}),
	method("close", "Closes the file that it writes to.", `import logging; h = logging.FileHandler("a", "w"); h.close(); open("a").read() # ""`,
		func(thread *starlark.Thread, h *handler, _ *none) (starlark.Value, error) {
			f, ok := h.stream.(*File)
			if !ok {
				return nil, nil
			}
			end, err := value.Attr(f, "close")
			if err == nil {
				_, err = value.Call(thread, end, nil, nil)
			}
			h.stream = nil
			return nil, err
		}),
	method("flush", "Does nothing: messages are written at once.", `import logging; print(logging.StreamHandler().flush()) # None`,
		func(*starlark.Thread, *handler, *none) (starlark.Value, error) { return nil, nil }),
}).With(value.FieldOf("level", "The least level that is written.", `import logging; logging.StreamHandler().level # 0`,
	func(h *handler) starlark.Value { return starlark.MakeInt(h.level) }))

var formatterMethods = value.NewMethods("Formatter", nil).With(
	value.FieldOf("datefmt", "How %(asctime)s is written.", `import logging; logging.Formatter("%(message)s", "%H:%M").datefmt # "%H:%M"`,
		func(f *formatter) starlark.Value { return starlark.String(f.date) }))
