package kernel

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// encoded is a text that is JSON already.
type encoded []byte

// encodeJSON encodes the content of a message into one buffer of about the
// right size. Package json would double a buffer up to the size and copy it
// at the end, which a figure of 50 MB makes felt.
func encodeJSON(v any) ([]byte, error) {
	return appendJSON(make([]byte, 0, sizeJSON(v)), v)
}

// sizeJSON estimates the length of the encoding. It counts every string and
// adds a little for escapes.
func sizeJSON(v any) int {
	const overhead = 8
	switch v := v.(type) {
	case string:
		return len(v) + len(v)/16 + overhead
	case []byte:
		return base64.StdEncoding.EncodedLen(len(v)) + overhead
	case encoded:
		return len(v)
	case map[string]any:
		n := overhead
		for k, x := range v {
			n += len(k) + overhead + sizeJSON(x)
		}
		return n
	case []any:
		n := overhead
		for _, x := range v {
			n += sizeJSON(x)
		}
		return n
	case []string:
		n := overhead
		for _, x := range v {
			n += sizeJSON(x)
		}
		return n
	}
	return 3 * overhead
}

// appendJSON encodes the types that messages are made of. Bytes become base64
// text, as the protocol wants pictures; every other type is package json's.
func appendJSON(dst []byte, v any) ([]byte, error) {
	var err error
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case encoded:
		return append(dst, v...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case string:
		return appendString(dst, v), nil
	case []byte:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, v)
		return append(dst, '"'), nil
	case []string:
		dst = append(dst, '[')
		for i, x := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, x)
		}
		return append(dst, ']'), nil
	case []any:
		dst = append(dst, '[')
		for i, x := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendJSON(dst, x); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case map[string]any:
		dst = append(dst, '{')
		for i, k := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, k), ':')
			if dst, err = appendJSON(dst, v[k]); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return append(dst, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...), nil
}

// appendString quotes a string. Bytes that are not UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0 // of what is not copied yet
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\t':
				dst = append(dst, '\\', 't')
			case '\r':
				dst = append(dst, '\\', 'r')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, s[start:i]...)
			dst = utf8.AppendRune(dst, utf8.RuneError)
			start = i + 1
		}
		i += n
	}
	return append(append(dst, s[start:]...), '"')
}
