package binary

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var base64Module = lazyModule("base64", "Bytes as text of few characters.", base64Table, nil)

type encodeArg struct {
	S starlark.Value `arg:"s: bytes"`
}

type decodeArg struct {
	S starlark.Value `arg:"s: bytes, or text in ASCII"`
}

type altArgs struct {
	S   starlark.Value `arg:"s: bytes, to decode text too"`
	Alt starlark.Value `arg:"altchars=None: two bytes instead of + and /"`
}

type checkArgs struct {
	altArgs
	Validate bool `arg:"validate=False: other characters are an error; else they are left out"`
}

func badEncoding(format string, args ...any) error {
	return value.Failure("binascii.Error", format, args...)
}

// encoded is what text or bytes were encoded as.
func encoded(v starlark.Value) (string, error) {
	if s, ok := v.(starlark.String); ok {
		for _, c := range []byte(s) {
			if c >= 128 {
				return "", value.Failure("ValueError", "string argument should contain only ASCII characters")
			}
		}
		return string(s), nil
	}
	return readBytes(v)
}

// swapped is a text with two characters for two others.
func swapped(s string, alt starlark.Value, decode bool) (string, error) {
	if alt == nil {
		return s, nil
	}
	a, err := encoded(alt)
	if err != nil || len(a) != 2 {
		return "", value.Failure("ValueError", "for parameter altchars: got %s, want two bytes", value.Repr(alt))
	}
	pairs := []string{"+", a[:1], "/", a[1:]}
	if decode {
		pairs = []string{a[:1], "+", a[1:], "/"}
	}
	return strings.NewReplacer(pairs...).Replace(s), nil
}

func encode64(a *altArgs) (starlark.Value, error) {
	b, err := readBytes(a.S)
	if err != nil {
		return nil, err
	}
	text, err := swapped(base64.StdEncoding.EncodeToString([]byte(b)), a.Alt, false)
	return starlark.Bytes(text), err
}

// decode64 reads base 64, as binascii does: what comes after the padding does not count.
func decode64(a *checkArgs) (starlark.Value, error) {
	s, err := encoded(a.S)
	if err == nil {
		s, err = swapped(s, a.Alt, true)
	}
	if err != nil {
		return nil, err
	}
	var clean []byte
	padding := 0
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '=':
			if padding++; len(clean)%4 >= 2 && len(clean)%4+padding >= 4 {
				if a.Validate && i+1 < len(s) {
					return nil, badEncoding("Excess data after padding")
				}
				return unpadded(clean)
			}
			if a.Validate && len(clean) == 0 {
				return nil, badEncoding("Leading padding not allowed")
			}
		case c == '+' || c == '/' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z':
			clean, padding = append(clean, c), 0
		case a.Validate:
			return nil, badEncoding("Only base64 data is allowed")
		}
	}
	switch {
	case len(clean)%4 == 1:
		return nil, badEncoding("Invalid base64-encoded string: number of data characters (%d) cannot be 1 more than a multiple of 4", len(clean))
	case len(clean)%4 != 0:
		return nil, badEncoding("Incorrect padding")
	}
	return unpadded(clean)
}

func unpadded(s []byte) (starlark.Value, error) {
	out, err := base64.RawStdEncoding.DecodeString(string(s))
	if err != nil {
		return nil, badEncoding("Incorrect padding")
	}
	return starlark.Bytes(out), nil
}

// urlChars are the characters that stand in addresses instead of + and /.
var urlChars = starlark.Bytes("-_")

func base64Table() []value.Builtin {
	encoder := func(name, doc, example string, fn func(b []byte) string) value.Builtin {
		return value.Function(name, doc, example, func(_ *starlark.Thread, a *encodeArg) (starlark.Value, error) {
			b, err := readBytes(a.S)
			return starlark.Bytes(fn([]byte(b))), err
		})
	}
	decoder := func(name, doc, example string, fn func(s string) ([]byte, error), multiple int, odd, wrong string) value.Builtin {
		return value.Function(name, doc, example, func(_ *starlark.Thread, a *struct {
			S    starlark.Value `arg:"s: bytes, or text in ASCII"`
			Fold bool           `arg:"casefold=False: small letters count as capitals"`
		}) (starlark.Value, error) {
			s, err := encoded(a.S)
			if err != nil {
				return nil, err
			}
			if len(s)%multiple != 0 {
				return nil, badEncoding("%s", odd)
			}
			if a.Fold {
				s = strings.ToUpper(s)
			} else if s != strings.ToUpper(s) {
				return nil, badEncoding("%s", wrong)
			}
			b, err := fn(s)
			if err != nil {
				return nil, badEncoding("%s", wrong)
			}
			return starlark.Bytes(b), nil
		})
	}
	return []value.Builtin{
		value.Function("b64encode", "Bytes in base 64.", `base64.b64encode(b"ab?>") # b"YWI/Pg=="`, func(_ *starlark.Thread, a *altArgs) (starlark.Value, error) { return encode64(a) }),
		value.Function("b64decode", "The bytes of text in base 64.", `base64.b64decode("YWI=") # b"ab"`, func(_ *starlark.Thread, a *checkArgs) (starlark.Value, error) { return decode64(a) }),
		value.Function("standard_b64encode", "Bytes in base 64.", `base64.standard_b64encode(b"ab") # b"YWI="`, func(_ *starlark.Thread, a *encodeArg) (starlark.Value, error) {
			return encode64(&altArgs{S: a.S})
		}),
		value.Function("standard_b64decode", "The bytes of text in base 64.", `base64.standard_b64decode("YWI=") # b"ab"`, func(_ *starlark.Thread, a *decodeArg) (starlark.Value, error) {
			return decode64(&checkArgs{altArgs: altArgs{S: a.S}})
		}),
		value.Function("urlsafe_b64encode", "Bytes in base 64, with - and _.", `base64.urlsafe_b64encode(b"ab?>") # b"YWI_Pg=="`, func(_ *starlark.Thread, a *encodeArg) (starlark.Value, error) {
			return encode64(&altArgs{a.S, urlChars})
		}),
		value.Function("urlsafe_b64decode", "The bytes of text in base 64, with - and _.", `base64.urlsafe_b64decode("YWI_Pg==") # b"ab?>"`, func(_ *starlark.Thread, a *decodeArg) (starlark.Value, error) {
			return decode64(&checkArgs{altArgs: altArgs{a.S, urlChars}})
		}),
		encoder("encodebytes", "Bytes in base 64, in lines of 76 characters.", `base64.encodebytes(b"ab") # b"YWI=\n"`, func(b []byte) string {
			var out strings.Builder
			for ; len(b) > 0; b = b[min(57, len(b)):] {
				out.WriteString(base64.StdEncoding.EncodeToString(b[:min(57, len(b))]) + "\n")
			}
			return out.String()
		}),
		value.Function("decodebytes", "The bytes of lines in base 64.", `base64.decodebytes(b"YWI=\n") # b"ab"`, func(_ *starlark.Thread, a *encodeArg) (starlark.Value, error) {
			if _, err := readBytes(a.S); err != nil {
				return nil, err
			}
			return decode64(&checkArgs{altArgs: altArgs{S: a.S}})
		}),
		encoder("b32encode", "Bytes in base 32.", `base64.b32encode(b"ab") # b"MFRA===="`, func(b []byte) string { return base32.StdEncoding.EncodeToString(b) }),
		decoder("b32decode", "The bytes of text in base 32.", `base64.b32decode("MFRA====") # b"ab"`, func(s string) ([]byte, error) { return base32.StdEncoding.DecodeString(s) }, 8, "Incorrect padding", "Non-base32 digit found"),
		encoder("b16encode", "Bytes in base 16.", `base64.b16encode(b"ab") # b"6162"`, func(b []byte) string { return strings.ToUpper(hex.EncodeToString(b)) }),
		decoder("b16decode", "The bytes of text in base 16.", `base64.b16decode("6162") # b"ab"`, hex.DecodeString, 2, "Odd-length string", "Non-base16 digit found"),
	}
}
