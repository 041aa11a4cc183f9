package value

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// stringTable is the methods of str. Positions count characters: see text.go.
var stringTable = []Builtin{
	inCase("capitalize", "The text with its first letter in upper case, the others in lower.", `"aB".capitalize() # "Ab"`, capitalized, nil),
	inCase("casefold", "The text in lower case, for comparisons that ignore case.", `"aB".casefold() # "ab"`, folded, strings.ToLower),
	ours("center", "The text in the middle of width characters.", `"ab".center(6, "*") # "**ab**"`, justify('^'), widthParams...),
	theirs("codepoint_ords", "The code points, as ints.", `list("ab".codepoint_ords()) # [97, 98]`),
	theirs("codepoints", "The characters, each a string.", `list("ab".codepoints()) # ["a", "b"]`),
	counted("count", "How often sub occurs, without overlaps.", `"banana".count("an") # 2`, false,
		"sub: text to look for"),
	theirs("elem_ords", "The bytes, as ints.", `list("ab".elem_ords()) # [97, 98]`),
	theirs("elems", "The bytes, each a string.", `list("ab".elems()) # ["a", "b"]`),
	ours("encode", "The text as bytes.", `"ab".encode() # b"ab"`, encode, `encoding="utf-8": utf-8, ascii or latin-1`,
		`errors="strict": or ignore, replace, backslashreplace or xmlcharrefreplace: what of characters that the encoding does not have`).asking(asksForReceiver(1)),
	counted("endswith", "True if the text ends with suffix.", `"ab".endswith("b") # True`, false,
		"suffix: a string, or a tuple of them"),
	ours("expandtabs", "The text with tabs replaced by spaces.", `"a\tb".expandtabs(4) # "a   b"`, expandTabs,
		"tabsize=8: distance of the tab stops"),
	counted("find", "The index of the first sub, or -1.", `"banana".find("an") # 1`, true,
		"sub: text to look for"),
	row("format", "The text with {} fields replaced by arguments: {}, {0}, {name}, {0.attr}, {0[1]}, {!r}, {:spec}.",
		`"{:.2f} {n:>4}".format(1, n="a") # "1.00    a"`,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			s, err := FormatBraces(thread, string(b.recv.(starlark.String)), args, kwargs)
			return starlark.String(s), err
		}, "*args: values of {} and {0}", "**kwargs: values of {name}"),
	counted("index", "The index of the first sub; an error if there is none.", `"banana".index("an") # 1`, true,
		"sub: text to look for"),
	test("isalnum", "True if all characters are letters or digits, and there is one.", `"a1".isalnum() # True`, isAlnumRune, false),
	test("isalpha", "True if all characters are letters, and there is one.", `"a1".isalpha() # False`, unicode.IsLetter, false),
	test("isascii", "True if all characters are ASCII.", `"é".isascii() # False`, func(r rune) bool { return r < utf8.RuneSelf },
		true),
	test("isdecimal", "True if all characters are decimal digits, and there is one.", `"12".isdecimal() # True`,
		unicode.IsDigit, false),
	test("isdigit", "True if all characters are digits, also raised ones, and there is one.", `"1²".isdigit() # True`, isDigitRune, false),
	ours("isidentifier", "True if the text may be a name.", `"a1".isidentifier() # True`,
		func(b *Builtin, v []starlark.Value) (starlark.Value, error) {
			s := string(b.recv.(starlark.String))
			ok := s != ""
			for i, r := range s {
				ok = ok && continuesName(r) && (i > 0 || beginsName(r))
			}
			return starlark.Bool(ok), nil
		}),
	inOneCase("islower", "True if all letters are in lower case, and there is one.", `"ab".islower() # True`, isLower),
	test("isnumeric", "True if all characters are numeric, such as digits and fractions, and there is one.", `"½".isnumeric() # True`,
		isNumeric, false),
	test("isprintable", "True if no character is a control character or a space other than \" \".", `"a\n".isprintable() # False`,
		unicode.IsPrint, true),
	test("isspace", "True if all characters are white space, and there is one.", `" \t".isspace() # True`, IsSpace, false),
	ours("istitle", "True if every word begins with an upper case letter and goes on in lower.", `"Ab Cd".istitle() # True`,
		func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			return starlark.Bool(isTitle(string(b.recv.(starlark.String)))), nil
		}),
	inOneCase("isupper", "True if all letters are in upper case, and there is one.", `"AB".isupper() # True`, isUpper),
	row("join", "The strings of an iterable, of text its characters, with the text between them.", `", ".join(["a", "b"]) # "a, b"`,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if len(args) == 1 && args[0].Type() == "string" {
				xs, err := Iterable(args[0])
				if err != nil {
					return nil, err
				}
				args = starlark.Tuple{xs}
			}
			return callThrough(thread, b, args, kwargs)
		}, "iterable: of strings").asking(asksForJoin),
	ours("ljust", "The text at the left of width characters.", `"ab".ljust(4) + "|" # "ab  |"`, justify('<'), widthParams...),
	inCase("lower", "The text in lower case.", `"AB".lower() # "ab"`, lowered, strings.ToLower),
	stripping("lstrip", "The text without leading characters.", `"  ab".lstrip() # "ab"`, stripLeft),
	theirs("partition", "What is before the first sep, sep, and what is after it.", `"a=b=c".partition("=") # ("a", "=", "b=c")`,
		"sep: text to look for"),
	theirs("removeprefix", "The text without prefix, if it begins with it.", `"ab".removeprefix("a") # "b"`, "prefix: a string"),
	theirs("removesuffix", "The text without suffix, if it ends with it.", `"ab".removesuffix("b") # "a"`, "suffix: a string"),
	theirs("replace", "The text with new in place of old.", `"banana".replace("a", "o", 2) # "bonona"`, "old: text to look for",
		"new: what takes its place", "count=-1: how often at most; -1 is always").asking(asksForReplace),
	counted("rfind", "The index of the last sub, or -1.", `"banana".rfind("an") # 3`, true,
		"sub: text to look for"),
	counted("rindex", "The index of the last sub; an error if there is none.", `"banana".rindex("an") # 3`, true,
		"sub: text to look for"),
	ours("rjust", "The text at the right of width characters.", `"ab".rjust(4) # "  ab"`, justify('>'), widthParams...),
	theirs("rpartition", "What is before the last sep, sep, and what is after it.", `"a=b=c".rpartition("=") # ("a=b", "=", "c")`,
		"sep: text to look for"),
	splitting("rsplit", "The parts between separators, split from the right.", `"a,b,c".rsplit(",", 1) # ["a,b", "c"]`, lastFields),
	stripping("rstrip", "The text without trailing characters.", `"ab  ".rstrip() # "ab"`, stripRight),
	splitting("split", "The parts between separators.", `"a b  c".split() # ["a", "b", "c"]`, firstFields),
	ours("splitlines", "The lines. They end at \\n, \\r, \\r\\n, and at what else Unicode ends lines by.", `"a\nb\r\nc".splitlines() # ["a", "b", "c"]`, splitLines,
		"keepends=False: with their line ends").asking(asksForParts),
	counted("startswith", "True if the text begins with prefix.", `"ab".startswith("a") # True`, false,
		"prefix: a string, or a tuple of them"),
	stripping("strip", "The text without leading and trailing characters.", `" ab ".strip() # "ab"`, stripBoth),
	inCase("swapcase", "The text with upper case for lower and the other way round.", `"aB".swapcase() # "Ab"`, swapped, nil),
	inCase("title", "The text with every word in title case.", `"ab cd".title() # "Ab Cd"`, titled, nil),
	asking("translate", "The text with other characters: those that a dict of code points, as str.maketrans makes it, has for them.",
		`"abc".translate({97: "x", 98: None}) # "xc"`,
		func(thread *starlark.Thread, b *Builtin, v []starlark.Value) (starlark.Value, error) {
			table, ok := v[0].(starlark.Mapping)
			if !ok {
				return nil, Failure("TypeError", "translate: for parameter table: got %s, want a dict of code points", TypeName(v[0]))
			}
			var out strings.Builder
			poll := PollOf(thread)
			for _, r := range string(b.recv.(starlark.String)) {
				poll.Ask(PerElement)
				to, found, err := table.Get(starlark.MakeInt(int(r)))
				if err != nil {
					return nil, err
				}
				if !found {
					out.WriteRune(r)
					continue
				}
				switch to := Plain(to).(type) {
				case starlark.NoneType:
				case starlark.String:
					out.WriteString(string(to))
				case starlark.Int:
					code, err := starlark.AsInt32(to)
					if err != nil || code < 0 || code > utf8.MaxRune {
						return nil, Failure("ValueError", "translate: got the code point %s, want 0 to %d", to, utf8.MaxRune)
					}
					out.WriteRune(rune(code))
				default:
					return nil, Failure("TypeError", "translate: got %s for %q, want text, a code point or None", TypeName(to), r)
				}
			}
			return starlark.String(out.String()), nil
		}, "table: a dict of code points"),
	inCase("upper", "The text in upper case.", `"ab".upper() # "AB"`, uppered, strings.ToUpper),
	ours("zfill", "The text filled with zeros to width characters, after its sign.", `"-42".zfill(5) # "-0042"`,
		func(b *Builtin, v []starlark.Value) (starlark.Value, error) {
			s := string(b.recv.(starlark.String))
			width, err := widthOf(b, v[0])
			if err != nil {
				return nil, err
			}
			sign := ""
			if s != "" && (s[0] == '-' || s[0] == '+') {
				sign, s = s[:1], s[1:]
			}
			return starlark.String(spec{fill: '0', width: width}.pad(sign, s, '=')), nil
		}, "width: characters"),
}

var widthParams = []string{"width: characters", `fillchar=" ": what to fill with`}

// splitLines is splitlines.
func splitLines(b *Builtin, args []starlark.Value) (starlark.Value, error) {
	keep := args[0] != nil && bool(args[0].Truth())
	var lines []starlark.Value
	for rest := string(b.recv.(starlark.String)); rest != ""; {
		at, end := lineEnd(rest)
		line := rest[:at]
		if keep {
			line = rest[:end]
		}
		lines = append(lines, starlark.String(line))
		rest = rest[end:]
	}
	return slot.NewList(lines), nil
}

// widthOf reads a width, of which there is a limit: see maxWidth.
func widthOf(b *Builtin, v starlark.Value) (int, error) {
	n, err := starlark.AsInt32(Plain(v))
	if err != nil {
		return 0, fmt.Errorf("%s: for parameter %s: %w", b.Name, b.Params[0].Name, err)
	}
	if n > 1<<20 {
		return 0, fmt.Errorf("%s: got %d, want at most %d", b.Name, n, 1<<20)
	}
	return n, nil
}

func justify(align byte) func(*Builtin, []starlark.Value) (starlark.Value, error) {
	return func(b *Builtin, v []starlark.Value) (starlark.Value, error) {
		width, err := widthOf(b, v[0])
		if err != nil {
			return nil, err
		}
		s := spec{fill: ' ', width: width}
		if v[1] != nil {
			fill, ok := starlark.AsString(v[1])
			if !ok || utf8.RuneCountInString(fill) != 1 {
				return nil, fmt.Errorf("%s: for parameter fillchar: got %s, want a string of one character", b.Name, Repr(v[1]))
			}
			s.fill, _ = utf8.DecodeRuneInString(fill)
		}
		body := string(b.recv.(starlark.String))
		if missing := width - utf8.RuneCountInString(body); align == '^' && missing > 0 && missing&width&1 == 1 {
			// Python's center gives the odd one to the left if the width is odd.
			s.width--
			return starlark.String(string(s.fill) + s.pad("", body, '^')), nil
		}
		return starlark.String(s.pad("", body, align)), nil
	}
}

func expandTabs(b *Builtin, v []starlark.Value) (starlark.Value, error) {
	size := 8
	if v[0] != nil {
		var err error
		if size, err = widthOf(b, v[0]); err != nil {
			return nil, err
		}
	}
	s := string(b.recv.(starlark.String))
	if n := strings.Count(s, "\t"); n > 0 && size > 1<<24/n {
		return nil, fmt.Errorf("expandtabs: got %d tabs of %d, want at most %d characters", n, size, 1<<24)
	}
	var out strings.Builder
	col := 0
	for _, r := range s {
		switch {
		case r == '\t':
			if size > 0 {
				n := size - col%size
				out.WriteString(strings.Repeat(" ", n))
				col += n
			}
			continue
		case r == '\n' || r == '\r':
			col = -1
		}
		out.WriteRune(r)
		col++
	}
	return starlark.String(out.String()), nil
}

// encoding returns the last code point of an encoding.
func encoding(b *Builtin, v starlark.Value) (rune, error) {
	if v == nil {
		return unicode.MaxRune, nil
	}
	name, _ := starlark.AsString(v)
	switch strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name)) {
	case "utf8":
		return unicode.MaxRune, nil
	case "ascii":
		return unicode.MaxASCII, nil
	case "latin1", "iso88591":
		return unicode.MaxLatin1, nil
	}
	return 0, fmt.Errorf("%s: got encoding %s, want utf-8, ascii or latin-1", b.Name, Repr(v))
}

func nameOf(last rune) string {
	switch last {
	case unicode.MaxASCII:
		return "ascii"
	case unicode.MaxLatin1:
		return "latin-1"
	}
	return "utf-8"
}

func encode(b *Builtin, v []starlark.Value) (starlark.Value, error) {
	last, err := encoding(b, v[0])
	if err != nil {
		return nil, err
	}
	amend, err := amending(b, v[1], unencoded)
	if err != nil {
		return nil, err
	}
	s := string(b.recv.(starlark.String))
	if amend != nil {
		var fit strings.Builder
		for _, r := range s {
			if r > last {
				fit.WriteString(amend(r, ""))
			} else {
				fit.WriteRune(r)
			}
		}
		s = fit.String()
	}
	for i, r := range s {
		if r > last {
			return nil, fmt.Errorf("encode: got %q at index %d, which %s does not have", r, countChars(s[:i]), nameOf(last))
		}
	}
	if last != unicode.MaxLatin1 {
		return starlark.Bytes(s), nil
	}
	var out []byte
	for _, r := range s {
		out = append(out, byte(r))
	}
	return starlark.Bytes(out), nil
}
