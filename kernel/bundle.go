package kernel

import (
	"fmt"
	"regexp"
)

// mimeType is what clients accept as the key of a bundle.
var mimeType = regexp.MustCompile(`^[\w\-+.]+/[\w\-+.]+$`)

// Bundle drops from a bundle and its metadata what clients would choke on, and
// adds the text that every bundle has; dropped is told what goes and why, by
// its MIME type, or "metadata". The maps of the caller are not changed. Values
// are text, bytes, or what [EncodeJSON] takes.
func Bundle(data, metadata map[string]any, dropped func(what string, err error)) (_, _ map[string]any) {
	good := make(map[string]any, len(data)+1)
	first := ""
	for mime, v := range data {
		err := error(nil)
		if !mimeType.MatchString(mime) {
			err = fmt.Errorf("got %q, want a MIME type without parameters", mime)
		} else if v, err = plainValue(v); err == nil {
			good[mime] = v
			if first == "" || mime < first {
				first = mime
			}
		}
		if err != nil {
			dropped(mime, err)
		}
	}
	if len(data) > 0 && good["text/plain"] == nil {
		good["text/plain"] = "<" + first + ">"
	}
	if len(metadata) > 0 {
		if _, err := encodeJSON(metadata); err != nil {
			dropped("metadata", err)
			metadata = nil
		}
	}
	if metadata == nil {
		metadata = map[string]any{}
	}
	return good, metadata
}

// plainValue returns v if it is text or bytes, and its JSON text if it is
// anything else that has one.
func plainValue(v any) (any, error) {
	switch v.(type) {
	case string, []byte:
		return v, nil
	}
	text, err := encodeJSON(v)
	return encoded(text), err
}

// EncodeJSON is the text of a part of a message. Bytes are base64, as the
// protocol wants pictures.
func EncodeJSON(v any) ([]byte, error) { return encodeJSON(v) }
