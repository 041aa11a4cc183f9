// Package streams is files in memory: StringIO and BytesIO of Python's module io, to which package
// pylib adds open.
package streams

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Buffer is a file in memory, of text or of bytes.
type Buffer struct {
	value.Identity
	data   []byte
	at     int // bytes
	binary bool
	closed bool
	asked  int // bytes of memory
}

var (
	_ starlark.Iterable = (*Buffer)(nil)
	_ value.Nexter      = (*Buffer)(nil)
	_ value.Classed     = (*Buffer)(nil)
)

// Members are those of the module io that are in memory.
func Members() []value.Member {
	members := []value.Member{textClass.Member(), bytesClass.Member()}
	for i, name := range []string{"SEEK_SET", "SEEK_CUR", "SEEK_END"} {
		members = append(members, rows.Constant("io", name, starlark.MakeInt(i), "From where seek counts: the beginning, here, or the end."))
	}
	return append(members, rows.Exceptions("io", "UnsupportedOperation")...)
}

// Types are the tables of the values.
func Types() []*value.Methods { return []*value.Methods{textMethods(), bytesMethods()} }

func (b *Buffer) Table() *value.Methods {
	if b.binary {
		return bytesMethods()
	}
	return textMethods()
}
func (b *Buffer) Attr(name string) (starlark.Value, error) { return b.Table().Attr(b, name) }
func (b *Buffer) AttrNames() []string                      { return b.Table().Names() }
func (b *Buffer) Class() starlark.Value                    { return classOf(b.binary) }
func (b *Buffer) String() string                           { return "<_" + string(b.Identity) + " object>" }
func (b *Buffer) Iterate() starlark.Iterator               { return lines{b} }

type lines struct{ b *Buffer }

func (l lines) Next(p *starlark.Value) bool {
	v, ok, err := l.b.NextValue()
	*p = v
	return ok && err == nil
}
func (lines) Done() {}

// NextValue is next(b): a line.
func (b *Buffer) NextValue() (starlark.Value, bool, error) {
	if err := b.open(); err != nil {
		return nil, false, err
	}
	line := b.line(-1)
	return line, bool(line.Truth()), nil
}

func (b *Buffer) open() error {
	if b.closed {
		return value.Failure("ValueError", "I/O operation on closed file")
	}
	return nil
}

// Binary reports whether it is of bytes.
func (b *Buffer) Binary() bool { return b.binary }

// Rest is the bytes that follow. After reading n of them the reader calls Skip(n).
func (b *Buffer) Rest() []byte { return b.data[min(b.at, len(b.data)):] }

// Skip goes on by n bytes.
func (b *Buffer) Skip(n int) { b.at += n }

// take reads n bytes.
func (b *Buffer) take(n int) starlark.Value {
	rest := b.Rest()
	n = min(n, len(rest))
	b.at += n
	if b.binary {
		return starlark.Bytes(rest[:n])
	}
	return starlark.String(rest[:n])
}

// bytesOf is how many bytes n characters of s have; -1 is all.
func (b *Buffer) bytesOf(s []byte, n int) int {
	if n < 0 {
		return len(s)
	}
	if b.binary {
		return min(n, len(s))
	}
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRune(s[at:])
		at += size
	}
	return at
}

// line is the next line, or as much of it as n says.
func (b *Buffer) line(n int) starlark.Value {
	rest := b.Rest()
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i+1]
	}
	return b.take(b.bytesOf(rest, n))
}

// Write writes bytes, or text in UTF-8, where the buffer is.
func (b *Buffer) Write(text string) error {
	if err := b.open(); err != nil {
		return err
	}
	if n := max(b.at, len(b.data)) + len(text); n > 1<<20 && n > b.asked {
		b.asked = 2 * n
		if err := value.Ask("write", "a file in memory", int64(b.asked)); err != nil {
			return err
		}
	}
	if gap := b.at - len(b.data); gap > 0 {
		b.data = append(b.data, make([]byte, gap)...)
	}
	end := b.at
	if end < len(b.data) {
		n := len(text)
		if !b.binary {
			n = utf8.RuneCountInString(text)
		}
		end += b.bytesOf(b.data[end:], n)
	}
	if end == len(b.data) {
		b.data = append(b.data[:b.at], text...)
	} else {
		b.data = append(append(b.data[:b.at:b.at], text...), b.data[end:]...)
	}
	b.at += len(text)
	return nil
}

// put writes a value, and says how much that was.
func (b *Buffer) put(v starlark.Value) (int, error) {
	switch x := v.(type) {
	case starlark.String:
		if !b.binary {
			return utf8.RuneCountInString(string(x)), b.Write(string(x))
		}
		return 0, value.Failure("TypeError", "a bytes-like object is required, not 'str'")
	case starlark.Bytes:
		if b.binary {
			return len(x), b.Write(string(x))
		}
	}
	if b.binary {
		return 0, value.Failure("TypeError", "a bytes-like object is required, not '%s'", value.TypeName(v))
	}
	return 0, value.Failure("TypeError", "string argument expected, got '%s'", value.TypeName(v))
}

// chars is how many characters, or bytes, come before a byte.
func (b *Buffer) chars(at int) int {
	if b.binary || at > len(b.data) {
		return at
	}
	return utf8.RuneCount(b.data[:at])
}

// seek goes to a place.
func (b *Buffer) seek(n, whence int) error {
	from := map[int]int{0: 0, 1: b.at, 2: len(b.data)}[whence]
	switch {
	case whence < 0 || whence > 2:
		return value.Failure("ValueError", "invalid whence (%d, should be 0, 1 or 2)", whence)
	case !b.binary && whence > 0 && n != 0:
		return value.Failure("OSError", "Can't do nonzero cur-relative seeks")
	case whence == 0 && n < 0:
		return value.Failure("ValueError", "Negative seek position %d", n)
	case !b.binary && whence == 0:
		at := b.bytesOf(b.data, n)
		b.at = at + n - b.chars(at)
	default:
		b.at = max(from+n, 0)
	}
	return nil
}

func classOf(binary bool) *rows.Type {
	if binary {
		return bytesClass
	}
	return textClass
}

var (
	textClass = rows.NewType("io.StringIO", value.Function("StringIO", "A file of text in memory.", `f = io.StringIO(); f.write("abc"); f.getvalue() # "abc"`, func(_ *starlark.Thread, a *struct {
		Text    string         `arg:"initial_value=\"\": what it holds at first"`
		Newline starlark.Value `arg:"newline=\"\\n\": without effect: lines end as they are written"`
	}) (starlark.Value, error) {
		return &Buffer{Identity: "io.StringIO", data: []byte(a.Text)}, nil
	}), func() *value.Methods { return textMethods() }, nil)
	bytesClass = rows.NewType("io.BytesIO", value.Function("BytesIO", "A file of bytes in memory.", `f = io.BytesIO(b"abc"); f.read(2) # b"ab"`, func(_ *starlark.Thread, a *struct {
		Bytes starlark.Value `arg:"initial_bytes=None: what it holds at first"`
	}) (starlark.Value, error) {
		b := &Buffer{Identity: "io.BytesIO", binary: true}
		if a.Bytes != nil {
			x, ok := a.Bytes.(starlark.Bytes)
			if !ok {
				return nil, value.Failure("TypeError", "a bytes-like object is required, not '%s'", value.TypeName(a.Bytes))
			}
			b.data = []byte(x)
		}
		return b, nil
	}), func() *value.Methods { return bytesMethods() }, nil)

	textMethods  = rows.Lazily("io.StringIO", func() []value.Builtin { return methods("io.StringIO", `"`) }, fields("io.StringIO")...)
	bytesMethods = rows.Lazily("io.BytesIO", func() []value.Builtin { return methods("io.BytesIO", `b"`) }, fields("io.BytesIO")...)
)

type sizeArg struct {
	Size *int `arg:"size=-1: how much; -1 for all"`
}

func (a *sizeArg) n() int {
	if a.Size == nil {
		return -1
	}
	return *a.Size
}

func fields(class string) []value.Field {
	return []value.Field{value.FieldOf("closed", "Whether it was closed.", "import io; "+class+"().closed # False", func(b *Buffer) starlark.Value { return starlark.Bool(b.closed) })}
}

// methods are those of both classes; quote begins a text in examples.
func methods(class, quote string) []value.Builtin {
	make := class + `(` + quote + `a\nb\n")`
	ask := func(name, doc string, yes bool) value.Builtin {
		return of(name, doc, make+"."+name+"() # "+map[bool]string{true: "True", false: "False"}[yes], func(*starlark.Thread, *Buffer, *rows.None) (starlark.Value, error) { return starlark.Bool(yes), nil })
	}
	return []value.Builtin{
		of("__enter__", "The file: with calls it.", make+`.__enter__().closed # False`, func(_ *starlark.Thread, b *Buffer, _ *rows.None) (starlark.Value, error) { return b, b.open() }),
		of("__exit__", "Closes the file: with calls it.", `f = `+make+`; f.__exit__(None, None, None); f.closed # True`, func(_ *starlark.Thread, b *Buffer, _ *struct {
			Args starlark.Tuple `arg:"*args: the error that ends the block, or None"`
		}) (starlark.Value, error) {
			b.closed, b.data = true, nil
			return nil, nil
		}),
		of("close", "Closes the file, and forgets what it holds.", `f = `+make+`; f.close(); f.closed # True`, func(_ *starlark.Thread, b *Buffer, _ *rows.None) (starlark.Value, error) {
			b.closed, b.data = true, nil
			return nil, nil
		}),
		of("flush", "Does nothing.", `print(`+make+`.flush()) # None`, func(_ *starlark.Thread, b *Buffer, _ *rows.None) (starlark.Value, error) { return nil, b.open() }),
		of("getvalue", "All that it holds.", make+`.getvalue() # `+quote+`a\nb\n"`, func(thread *starlark.Thread, b *Buffer, _ *rows.None) (starlark.Value, error) {
			if err := b.open(); err != nil {
				return nil, err
			}
			if b.binary {
				return starlark.Bytes(b.data), nil
			}
			return starlark.String(b.data), nil
		}),
		ask("isatty", "False: it is no terminal.", false),
		of("read", "What follows in the file.", make+`.read(3) # `+quote+`a\nb"`, func(_ *starlark.Thread, b *Buffer, a *sizeArg) (starlark.Value, error) {
			return b.take(b.bytesOf(b.Rest(), a.n())), b.open()
		}),
		ask("readable", "True: it can be read.", true),
		of("readline", "The next line, with its end.", make+`.readline() # `+quote+`a\n"`, func(_ *starlark.Thread, b *Buffer, a *sizeArg) (starlark.Value, error) {
			return b.line(a.n()), b.open()
		}),
		of("readlines", "The lines that follow, with their ends.", make+`.readlines() # [`+quote+`a\n", `+quote+`b\n"]`, func(thread *starlark.Thread, b *Buffer, _ *struct {
			Hint starlark.Value `arg:"hint=-1: without effect: all lines are read"`
		}) (starlark.Value, error) {
			var all []starlark.Value
			poll := value.PollOf(thread)
			for len(b.Rest()) > 0 {
				poll.Ask(value.PerElement)
				all = append(all, b.line(-1))
			}
			return slot.NewList(all), b.open()
		}),
		of("seek", "Goes to a place.", `f = `+make+`; f.seek(2); f.read(1) # `+quote+`b"`, func(_ *starlark.Thread, b *Buffer, a *struct {
			At     int `arg:"offset: the place"`
			Whence int `arg:"whence=0: 0 from the beginning, 1 from here, 2 from the end"`
		}) (starlark.Value, error) {
			if err := b.open(); err != nil {
				return nil, err
			}
			err := b.seek(a.At, a.Whence)
			return starlark.MakeInt(b.chars(b.at)), err
		}),
		ask("seekable", "True: it has places.", true),
		of("tell", "The place.", make+`.tell() # 0`, func(_ *starlark.Thread, b *Buffer, _ *rows.None) (starlark.Value, error) {
			return starlark.MakeInt(b.chars(b.at)), b.open()
		}),
		of("truncate", "Cuts the file off where it is, or at a size.", `f = `+make+`; f.truncate(1); f.getvalue() # `+quote+`a"`, func(_ *starlark.Thread, b *Buffer, a *struct {
			Size *int `arg:"size=None: the size; None: up to where the file is"`
		}) (starlark.Value, error) {
			at := b.at
			if a.Size != nil {
				if *a.Size < 0 {
					return nil, value.Failure("ValueError", "Negative size value %d", *a.Size)
				}
				at = b.bytesOf(b.data, *a.Size)
			}
			b.data = b.data[:min(at, len(b.data))]
			if a.Size != nil {
				return starlark.MakeInt(*a.Size), b.open()
			}
			return starlark.MakeInt(b.chars(at)), b.open()
		}),
		ask("writable", "True: it can be written.", true),
		of("write", "Writes, and returns how much.", class+`().write(`+quote+`abc") # 3`, func(_ *starlark.Thread, b *Buffer, a *struct {
			X starlark.Value `arg:"x: text, or bytes"`
		}) (starlark.Value, error) {
			n, err := b.put(a.X)
			return starlark.MakeInt(n), err
		}),
		of("writelines", "Writes texts one after the other.", `f = `+class+`(); f.writelines([`+quote+`a", `+quote+`b"]); f.getvalue() # `+quote+`ab"`, func(thread *starlark.Thread, b *Buffer, a *struct {
			Lines starlark.Value `arg:"lines: an iterable of texts, or of bytes"`
		}) (starlark.Value, error) {
			items, err := rows.Elements(thread, a.Lines)
			for _, v := range value.Heard(thread, items) {
				if err == nil {
					_, err = b.put(v)
				}
			}
			return nil, err
		}),
	}
}

// of is the row of a method.
func of[A any](name, doc, example string, fn func(thread *starlark.Thread, b *Buffer, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, "import io; "+strings.TrimSpace(example), fn)
}
