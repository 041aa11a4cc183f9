package pylib

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/pylib/paths"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A File is an open file: of text, or of bytes. What is read of it is in memory as a whole, within
// config.memory_limit; what is written goes to the system at once. One that is open for both, r+,
// has in memory the bytes that the system has, and makes text of them as it is read.
type File struct {
	class
	name, mode string
	binary     bool
	latin      bool // the text has a byte a character
	closed     bool
	session    *session.Session

	in   io.Reader // not yet read; nil if all is in data
	data []byte    // of text, as UTF-8 with lines that end in \n
	at   int

	out    io.Writer // nil if it is open for reading
	wrote  int64
	both   *os.File // if it is open for reading and writing
	append bool     // of both: what is written comes to the end
	ahead  bool     // of both: text was read since the last seek or write
	finish []io.Closer
}

var _ starlark.Iterable = (*File)(nil)

func (f *File) String() string                           { return fmt.Sprintf("<file %q, mode %q>", f.name, f.mode) }
func (f *File) Table() *value.Methods                    { return FileMethods }
func (f *File) Attr(name string) (starlark.Value, error) { return FileMethods.Attr(f, name) }
func (f *File) AttrNames() []string                      { return FileMethods.Names() }

// Open is the function open.
var Open = opener("open",
	`open("a", "w").write("abc"); open("a").read() # "abc"`, "Opens a file of text, or with b in the mode of bytes. with open(...) as f closes it.", false)

var gzipModule = module("gzip", "Compressed files.", []value.Builtin{opener("open",
	`f = gzip.open("a", "wb"); f.write(b"abc"); f.close(); gzip.open("a").read() # b"abc"`,
	"Opens a compressed file of bytes, or with t in the mode of text. It is whole when it is closed.", true),
	value.Function("compress", "Bytes, compressed.", `gzip.decompress(gzip.compress(b"abc")) # b"abc"`, func(thread *starlark.Thread, a *struct {
		Data  starlark.Value `arg:"data: bytes"`
		Level int            `arg:"compresslevel=9: 0 to 9"`
	}) (starlark.Value, error) {
		data, ok := a.Data.(starlark.Bytes)
		if !ok {
			return nil, fmt.Errorf("compress: got %s, want bytes", a.Data.Type())
		}
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, a.Level)
		if err != nil {
			return nil, fmt.Errorf("compress: for parameter compresslevel: got %d, want 0 to 9", a.Level)
		}
		poll := value.PollOf(thread)
		poll.Each(len(data), func(first, end int) { io.WriteString(w, string(data[first:end])) })
		err = w.Close()
		return starlark.Bytes(b.String()), err
	}),
	value.Function("decompress", "Compressed bytes as they were.", `gzip.decompress(gzip.compress(b"abc")) # b"abc"`, func(thread *starlark.Thread, a *struct {
		Data starlark.Value `arg:"data: bytes"`
	}) (starlark.Value, error) {
		data, ok := a.Data.(starlark.Bytes)
		if !ok {
			return nil, fmt.Errorf("decompress: got %s, want bytes", a.Data.Type())
		}
		r, err := gzip.NewReader(strings.NewReader(string(data)))
		if err != nil {
			return nil, fmt.Errorf("decompress: %w", err)
		}
		f := &File{name: "decompress", in: r, binary: true, session: session.Of(thread)}
		err = f.fill()
		return starlark.Bytes(heardText(f.poll(), f.data)), err
	}),
}, exceptions("gzip", "BadGzipFile")...)

func opener(name, example, doc string, zipped bool) value.Builtin {
	if zipped {
		return value.Function(name, doc, example, func(thread *starlark.Thread, a *struct {
			File     starlark.Value `arg:"filename: its name, or a file of bytes that is open"`
			Mode     string         `arg:"mode=\"rb\": r to read, w to write, a to append, x to write a file that is not there; t for text"`
			Level    int            `arg:"compresslevel=9: 0 to 9"`
			Encoding string         `arg:"encoding=\"utf-8\": utf-8, ascii or latin1"`
		}) (starlark.Value, error) {
			mode := a.Mode
			if !strings.Contains(mode, "t") && !strings.Contains(mode, "b") {
				mode += "b"
			}
			return openFile(thread, a.File, mode, a.Encoding, a.Level)
		})
	}
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *openArgs) (starlark.Value, error) {
		return openFile(thread, a.File, a.Mode, a.Encoding, plainFile)
	})
}

type openArgs struct {
	File     starlark.Value `arg:"file: its name"`
	Mode     string         `arg:"mode=\"r\": r to read, w to write, a to append, x to write a file that is not there; b for bytes; with +, to read and to write"`
	Buffer   int            `arg:"buffering=-1: without effect"`
	Encoding string         `arg:"encoding=\"utf-8\": utf-8, ascii or latin1"`
	Errors   starlark.Value `arg:"errors=None: without effect: what is no text is an error"`
	Newline  starlark.Value `arg:"newline=None: without effect: \\r\\n is read as \\n"`
}

func init() {
	paths.Open = func(thread *starlark.Thread, name, mode, encoding string) (starlark.Value, error) {
		return openFile(thread, starlark.String(name), mode, encoding, plainFile)
	}
}

// plainFile is the level of a file that is not compressed.
const plainFile = -1

func openFile(thread *starlark.Thread, file starlark.Value, mode, encoding string, level int) (starlark.Value, error) {
	f := &File{class: "file", mode: mode, session: session.Of(thread)}
	kind, both := "", false
	for _, r := range mode {
		switch {
		case strings.ContainsRune("rwax", r) && kind == "":
			kind = string(r)
		case r == 'b':
			f.binary = true
		case r == 't', r == 'U':
		case r == '+' && !both && level == plainFile:
			both = true
		case r == '+' && level != plainFile:
			return nil, failure("ValueError", "open: got mode %q: a compressed file is read or written as a whole; open it to read it, and again to write it", mode)
		default:
			return nil, failure("ValueError", `open: got mode %q, want one of r, w, a, x, with b for bytes, and + to read and write`, mode)
		}
	}
	switch strings.ReplaceAll(strings.ToLower(encoding), "_", "-") {
	case "utf-8", "utf8", "ascii", "utf-8-sig":
	case "latin1", "latin-1", "iso-8859-1":
		f.latin = true
	default:
		return nil, failure("LookupError", "open: got encoding %q, want utf-8, ascii or latin1", encoding)
	}
	if over, ok := file.(*File); ok && level != plainFile {
		if kind != "r" || over.out != nil {
			return nil, failure("ValueError", "open: a file that is open can be read, and not written")
		}
		if err := over.fill(); err != nil {
			return nil, err
		}
		f.name = over.name
		return f, f.unzip(bytes.NewReader(over.data[over.at:]))
	}
	name, ok := value.PathOf(file)
	if !ok {
		return nil, failure("TypeError", "open: for parameter file: got %s, want the name of a file", file.Type())
	}
	f.name = name
	s := session.Of(thread)
	path, door := s.Path(name), s.Files()
	var opened *os.File
	var err error
	if how, ok := map[string]int{"r": 0, "w": os.O_CREATE | os.O_TRUNC, "a": os.O_CREATE, "x": os.O_CREATE | os.O_EXCL}[kind]; both && ok {
		opened, err = door.Update(path, how)
	} else if both {
		return nil, failure("ValueError", `open: got mode %q, want one of r, w, a, x before the +`, mode)
	} else {
		opened, err = map[string]func(string) (*os.File, error){"r": door.Open, "w": door.Create, "a": door.Append, "x": door.CreateNew, "": door.Open}[kind](path)
	}
	if err != nil {
		err = noFile(name, err)
		if e := err.(*value.KindError); e.Kind == "FileNotFoundError" {
			e.Msg += s.NearFile(path)
		}
		return nil, err
	}
	if info, err := opened.Stat(); err == nil && info.IsDir() {
		opened.Close()
		return nil, failure("IsADirectoryError", "open: %s is a folder", name)
	}
	f.finish = []io.Closer{opened}
	switch {
	case both:
		f.both, f.in, f.append = opened, opened, kind == "a"
		if err := f.fill(); err != nil {
			opened.Close()
			return nil, err
		}
		if f.append {
			f.at = len(f.data)
		}
	case kind == "r" || kind == "":
		f.in = opened
		if level != plainFile {
			return f, f.unzip(opened)
		}
	case level == plainFile:
		f.out = opened
	default:
		w, err := gzip.NewWriterLevel(opened, level)
		if err != nil {
			opened.Close()
			return nil, failure("ValueError", "open: for parameter compresslevel: got %d, want 0 to 9", level)
		}
		f.out, f.finish = w, []io.Closer{w, opened}
	}
	return f, nil
}

// unzip makes f the file that r is compressed.
func (f *File) unzip(r io.Reader) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		f.close()
		return failure("BadGzipFile", "open: %s is no gzip file: %v", f.name, err)
	}
	f.in = z
	return nil
}

// fill reads the rest of the file.
func (f *File) fill() error {
	switch {
	case f.closed:
		return failure("ValueError", "%s is closed", f.name)
	case f.out != nil:
		return failure("UnsupportedOperation", "%s is open for writing: mode %q", f.name, f.mode)
	case f.in == nil:
		return nil
	}
	in := f.in
	f.in = nil
	if f.session != nil {
		for _, c := range f.finish {
			if file, ok := c.(*os.File); ok {
				defer f.session.Listen(file)()
			}
		}
		in = f.session.Heard(in)
	}
	var err error
	if f.data, err = f.readAll(in); err != nil || f.binary {
		return err
	}
	if f.both != nil {
		return f.beside(func() error { return f.checkText(f.data) })
	}
	var text []byte
	err = f.beside(func() (err error) {
		text, err = f.text(f.data)
		return err
	})
	f.data = text
	return err
}

// readAll reads in parts, which are put together at the end: memory that grows would be moved as a
// whole.
func (f *File) readAll(in io.Reader) ([]byte, error) {
	const step = 1 << 22
	var parts [][]byte
	for n := 0; ; {
		if err := value.Ask("read", "a file", int64(n+step)); err != nil {
			return nil, err
		}
		var part bytes.Buffer
		read, err := io.CopyN(&part, in, step)
		n += int(read)
		switch {
		case err == nil:
			parts = append(parts, part.Bytes())
			continue
		case err != io.EOF:
			return nil, f.failed(err)
		case len(parts) == 0:
			return part.Bytes(), nil
		}
		poll, all := f.poll(), make([]byte, 0, n)
		for _, p := range append(parts, part.Bytes()) {
			poll.Ask(len(p) / wordBytes)
			all = append(all, p...)
		}
		return all, nil
	}
}

// wordBytes are moved at once: what a poll counts.
const wordBytes = 8

// heardText is a text of bytes.
func heardText(poll tensor.Poll, b []byte) string {
	if len(b) <= textPart {
		return string(b)
	}
	var s strings.Builder
	s.Grow(len(b))
	for part := range slices.Chunk(b, textPart) {
		poll.Ask(textPart / wordBytes)
		s.Write(part)
	}
	return s.String()
}

// textPart is how many bytes of text are moved, or written, between two questions.
const textPart = 1 << 20

// besideFrom is how many bytes of a file are decoded beside the call, which asks meanwhile.
const besideFrom = 4 << 20

// beside calls decode, which only reads what was read.
func (f *File) beside(decode func() error) error {
	if f.session == nil || len(f.data) < besideFrom {
		return decode()
	}
	return tensor.Beside(f.session.Stop(), decode)
}

// failed is the error of a read that failed, or was interrupted.
func (f *File) failed(err error) error {
	if f.session != nil && f.session.Context().Err() != nil {
		return f.session.Context().Err()
	}
	return noFile(f.name, err)
}

// text is what bytes of a file of text are as UTF-8, with lines that end in \n.
func (f *File) text(b []byte) ([]byte, error) {
	if f.latin {
		runes := make([]rune, len(b))
		for i, c := range b {
			runes[i] = rune(c)
		}
		b = []byte(string(runes))
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if err := f.checkText(b); err != nil {
		return b, err
	}
	if bytes.IndexByte(b, '\r') >= 0 {
		b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	}
	return b, nil
}

// checkText says whether bytes are text in UTF-8, unless they are that of latin1 yet.
func (f *File) checkText(b []byte) error {
	if f.both != nil && f.latin || utf8.Valid(b) {
		return nil
	}
	return failure("UnicodeDecodeError",
		`%s is no text in utf-8: open(%q, "rb") reads its bytes, encoding="latin1" each byte as a character`, f.name, f.name)
}

// rest is what follows in the file: nothing behind its end.
func (f *File) rest() []byte { return f.data[min(f.at, len(f.data)):] }

// take is the next n bytes.
func (f *File) take(n int) []byte {
	rest := f.rest()
	n = min(max(n, 0), len(rest))
	f.at += n
	f.ahead = f.both != nil && !f.binary
	return rest[:n:n]
}

// line is the next line with its end, empty at the end of the file.
func (f *File) line() []byte {
	rest := f.rest()
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		return f.take(i + 1)
	}
	return f.take(len(rest))
}

// content is what was read as a value.
func (f *File) content(b []byte) starlark.Value {
	if f.binary {
		return starlark.Bytes(heardText(f.poll(), b))
	}
	if f.both != nil {
		b, _ = f.text(b)
	}
	return starlark.String(heardText(f.poll(), b))
}

// poll asks whether the cell is to end that uses the file.
func (f *File) poll() tensor.Poll {
	if f.session == nil {
		return tensor.Poll{}
	}
	return tensor.Poll{Stop: f.session.Stop()}
}

// write writes text as it is, or bytes.
func (f *File) write(text string) error {
	switch {
	case f.closed:
		return failure("ValueError", "%s is closed", f.name)
	case f.both != nil:
		return f.overwrite([]byte(text))
	case f.out == nil:
		return failure("UnsupportedOperation", "%s is open for reading: mode %q", f.name, f.mode)
	}
	for poll := f.poll(); text != ""; text = text[min(textPart, len(text)):] {
		poll.Ask(textPart)
		n, err := io.WriteString(f.out, text[:min(textPart, len(text))])
		if f.wrote += int64(n); err != nil {
			return noFile(f.name, err)
		}
	}
	return nil
}

// overwrite writes bytes where the file is, or at its end if they are to be appended, or are text
// after text was read: as in CPython, which has read the file on by then.
func (f *File) overwrite(b []byte) error {
	at := f.at
	if f.append || f.ahead {
		at = len(f.data)
	}
	if err := value.Ask("write", "a file", int64(at+len(b))); err != nil {
		return err
	}
	if _, err := f.both.WriteAt(b, int64(at)); err != nil {
		return noFile(f.name, err)
	}
	if grow := at + len(b) - len(f.data); grow > 0 {
		f.data = append(f.data, make([]byte, grow)...)
	}
	copy(f.data[at:], b)
	f.at, f.ahead = at+len(b), false
	return nil
}

// truncate cuts the file off, or fills it up with zeros.
func (f *File) truncate(n int) error {
	switch out, _ := f.out.(*os.File); {
	case f.closed:
		return failure("ValueError", "%s is closed", f.name)
	case n < 0:
		return failure("ValueError", "truncate: got %d bytes, want a number that is not negative", n)
	case f.both != nil:
		if err := f.both.Truncate(int64(n)); err != nil {
			return noFile(f.name, err)
		}
		f.data = append(f.data, make([]byte, max(0, n-len(f.data)))...)[:n]
	case out != nil:
		if err := out.Truncate(int64(n)); err != nil {
			return noFile(f.name, err)
		}
	default:
		return failure("UnsupportedOperation", "%s is open for reading, or compressed: mode %q", f.name, f.mode)
	}
	return nil
}

// put writes text or bytes.
func (f *File) put(v starlark.Value) (n int, err error) {
	switch x := v.(type) {
	case starlark.Bytes:
		if f.binary {
			return len(x), f.write(string(x))
		}
	case starlark.String:
		if f.binary {
			break
		}
		poll, text := f.poll(), string(x)
		if f.latin {
			var latin strings.Builder
			for _, r := range text {
				if r > 255 {
					return 0, failure("UnicodeEncodeError", "latin1 has no %q", r)
				}
				poll.Ask(1)
				latin.WriteByte(byte(r))
			}
			text = latin.String()
		}
		n := value.CountChars(poll, string(x))
		return n, f.write(text)
	}
	want := "text"
	if f.binary {
		want = "bytes"
	}
	return 0, failure("TypeError", "write: got %s, want %s: the file is open in mode %q", v.Type(), want, f.mode)
}

func (f *File) close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	var first error
	for _, c := range f.finish {
		if err := c.Close(); err != nil && first == nil {
			first = noFile(f.name, err)
		}
	}
	f.data, f.in = nil, nil
	return first
}

// Iterate goes through the lines that follow.
func (f *File) Iterate() starlark.Iterator {
	if f.out == nil && !f.closed {
		if err := f.fill(); err != nil && f.session != nil {
			f.data = nil
			f.session.Fail(err) // an iterator cannot
		}
	}
	return lines{f}
}

// NextValue is next(f): a line.
func (f *File) NextValue() (v starlark.Value, ok bool, err error) {
	if err := f.fill(); err != nil {
		return nil, false, err
	}
	line := f.line()
	return f.content(line), len(line) > 0, nil
}

type lines struct{ f *File }

func (l lines) Next(p *starlark.Value) bool {
	line := l.f.line()
	*p = l.f.content(line)
	return len(line) > 0
}
func (lines) Done() {}

type countArg struct {
	N int `arg:"size=-1: how much; -1 for all"`
}

// FileMethods is the table of what files have.
var FileMethods = value.NewMethods("file", []value.Builtin{
	method("__enter__", "The file: with calls it.", `open("a", "w").__enter__().name # "a"`,
		func(_ *starlark.Thread, f *File, _ *none) (starlark.Value, error) { return f, nil }),
	method("__exit__", "Closes the file: with calls it.", `f = open("a", "w"); f.__exit__(None, None, None); f.closed # True`,
		func(_ *starlark.Thread, f *File, _ *exitArgs) (starlark.Value, error) {
			return nil, f.close()
		}),
	method("close", "Closes the file.", `f = open("a", "w"); f.close(); f.closed # True`,
		func(_ *starlark.Thread, f *File, _ *none) (starlark.Value, error) { return nil, f.close() }),
	method("flush", "Does nothing: what is written goes to the system at once.", `print(open("a", "w").flush()) # None`,
		func(*starlark.Thread, *File, *none) (starlark.Value, error) { return nil, nil }),
	method("read", "What follows in the file, text or bytes.", `open("a", "w").write("abc"); open("a").read(2) # "ab"`,
		func(thread *starlark.Thread, f *File, a *countArg) (starlark.Value, error) {
			if err := f.fill(); err != nil {
				return nil, err
			}
			n := a.N
			if rest := f.rest(); n < 0 {
				n = len(rest)
			} else if !f.binary && !(f.latin && f.both != nil) { // characters
				n = 0
				for range a.N {
					_, size := utf8.DecodeRune(rest[n:])
					n += size
				}
			}
			return f.content(f.take(n)), nil
		}),
	method("readline", "The next line, with its end; nothing at the end of the file.", `open("a", "w").write("a\nb\n"); open("a").readline() # "a\n"`,
		func(thread *starlark.Thread, f *File, _ *none) (starlark.Value, error) {
			err := f.fill()
			if err != nil {
				return nil, err
			}
			return f.content(f.line()), nil
		}),
	method("readlines", "The lines that follow, with their ends.", `open("a", "w").write("a\nb\n"); open("a").readlines() # ["a\n", "b\n"]`,
		func(thread *starlark.Thread, f *File, _ *none) (starlark.Value, error) {
			if err := f.fill(); err != nil {
				return nil, err
			}
			var all []starlark.Value
			poll := value.PollOf(thread)
			for line := f.line(); len(line) > 0; line = f.line() {
				poll.Ask(value.PerElement + len(line))
				all = append(all, f.content(line))
			}
			return slot.NewList(all), nil
		}),
	method("seek", "Goes to a place of a file that is read, or read and written.", `open("a", "w").write("abc"); f = open("a"); f.seek(1); f.read() # "bc"`,
		func(thread *starlark.Thread, f *File, a *struct {
			At   int `arg:"offset: bytes"`
			From int `arg:"whence=0: 0 from the beginning, 1 from here, 2 from the end"`
		}) (starlark.Value, error) {
			if err := f.fill(); err != nil {
				return nil, err
			}
			at := a.At + map[int]int{1: f.at, 2: len(f.data)}[a.From]
			if a.From < 0 || a.From > 2 || at < 0 {
				return nil, failure("ValueError", "seek: got offset %d and whence %d, want a place in the file", a.At, a.From)
			}
			if f.both == nil {
				at = min(at, len(f.data))
			}
			f.at, f.ahead = at, false
			return starlark.MakeInt(f.at), nil
		}),
	method("tell", "The place in the file, in bytes.", `f = open("a", "w"); f.write("abc"); f.tell() # 3`,
		func(_ *starlark.Thread, f *File, _ *none) (starlark.Value, error) {
			return starlark.MakeInt64(int64(f.at) + f.wrote), nil
		}),
	method("truncate", "Cuts the file off where it is, or after so many bytes, and returns how many it has.",
		`f = open("a", "w+"); f.write("abc"); f.seek(1); f.truncate(); f.seek(0); f.read() # "a"`,
		func(_ *starlark.Thread, f *File, a *struct {
			Size *int `arg:"size=None: bytes; None: up to where the file is"`
		}) (starlark.Value, error) {
			n := f.at + int(f.wrote)
			if a.Size != nil {
				n = *a.Size
			}
			return starlark.MakeInt(n), f.truncate(n)
		}),
	method("write", "Writes text, or bytes, and returns how much.", `open("a", "w").write("abc") # 3`, func(_ *starlark.Thread, f *File, a *struct {
		X starlark.Value `arg:"x: text, or bytes if the mode has b"`
	}) (starlark.Value, error) {
		n, err := f.put(a.X)
		return starlark.MakeInt(n), err
	}),
	method("writelines", "Writes texts one after the other.", `open("a", "w").writelines(["a", "b"]); open("a").read() # "ab"`,
		func(thread *starlark.Thread, f *File, a *struct {
			Lines starlark.Value `arg:"lines: an iterable of texts, or of bytes"`
		}) (starlark.Value, error) {
			items, err := elements(thread, a.Lines)
			for _, v := range value.Heard(thread, items) {
				if err == nil {
					_, err = f.put(v)
				}
			}
			return nil, err
		}),
}).With(
	value.FieldOf("closed", "Whether the file was closed.", `open("a", "w").closed # False`, func(f *File) starlark.Value { return starlark.Bool(f.closed) }),
	value.FieldOf("mode", "The mode that it was opened in.", `open("a", "w").mode # "w"`, func(f *File) starlark.Value { return starlark.String(f.mode) }),
	value.FieldOf("name", "Its name.", `open("a", "w").name # "a"`, func(f *File) starlark.Value { return starlark.String(f.name) }),
)

// exitArgs are those of __exit__: the error that ends the block of with, None if there is none.
type exitArgs struct {
	Kind  starlark.Value `arg:"type=None: the error's class"`
	Error starlark.Value `arg:"value=None: the error"`
	Trace starlark.Value `arg:"traceback=None: where it was"`
}
