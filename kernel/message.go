package kernel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// protocolVersion is the version of the messaging protocol we speak.
const protocolVersion = "5.5"

// delimiter ends the routing prefix of a message.
var delimiter = []byte("<IDS|MSG>")

// Message is one message from a client, verified and checked: the four parts
// are JSON objects and the header has an id and a type.
type Message struct {
	Idents [][]byte // the route back to the client
	Header struct {
		ID       string `json:"msg_id"`
		Type     string `json:"msg_type"`
		Session  string `json:"session"`
		Username string `json:"username"`

		Date json.RawMessage `json:"date"` // a text, but none is refused for it
	}
	Parent struct {
		ID string `json:"msg_id"`
	}
	Metadata json.RawMessage
	Content  json.RawMessage
	Buffers  [][]byte

	header json.RawMessage // as received: the parent header of what answers it
	seq    uint64          // its place in the shell queue
	made   time.Time       // by our clock, not earlier than it was; zero if unknown
}

// parseMessage reads the frames of one message. It must be safe for any frames.
func parseMessage(frames [][]byte, s *signer) (*Message, error) {
	at := -1
	for i, f := range frames {
		if bytes.Equal(f, delimiter) {
			at = i
			break
		}
	}
	if at < 0 {
		return nil, fmt.Errorf("message: got %d frames without %s", len(frames), delimiter)
	}
	idents, rest := frames[:at], frames[at+1:]
	if len(rest) < 5 {
		return nil, fmt.Errorf("message: got %d frames after %s, want at least 5", len(rest), delimiter)
	}
	parts := rest[1:5]
	if err := s.verify(rest[0], parts); err != nil {
		return nil, err
	}
	for i, name := range []string{"header", "parent_header", "metadata", "content"} {
		if !isObject(parts[i]) {
			return nil, fmt.Errorf("message: %s: got %s, want a JSON object", name, excerpt(parts[i]))
		}
	}
	m := &Message{Idents: idents, Metadata: parts[2], Content: parts[3], Buffers: rest[5:], header: parts[0]}
	if err := json.Unmarshal(parts[0], &m.Header); err != nil {
		return nil, fmt.Errorf("message: header: %w", typeError(err))
	}
	if m.Header.ID == "" || m.Header.Type == "" {
		return nil, errors.New("message: header: got no msg_id or no msg_type, want both")
	}
	if err := json.Unmarshal(parts[1], &m.Parent); err != nil {
		return nil, fmt.Errorf("message: parent_header: %w", typeError(err))
	}
	return m, nil
}

// isObject reports whether text is a JSON object in valid UTF-8. The header is
// echoed as it came; what we could not decode would then crash the client.
func isObject(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && utf8.Valid(text) && json.Valid(text)
}

// decode reads the content of a request.
func (m *Message) decode(to any) error {
	if err := json.Unmarshal(m.Content, to); err != nil {
		return &requestError{fmt.Errorf("%s: %w", m.Header.Type, typeError(err))}
	}
	return nil
}

// requestError is the error of a request that makes no sense.
type requestError struct{ error }

func (*requestError) Name() string { return "RequestError" }

// typeError says in our words that a field has the wrong type.
func typeError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	return fmt.Errorf("%s: got %s, want %s", wrong.Field, wrong.Value, wrong.Type)
}

// reply is a message of ours before it is signed.
type reply struct {
	msgType string
	parent  json.RawMessage // nil: none
	content map[string]any
}

// frames encodes and signs a message. The content is encoded once, and its
// bytes are not copied again on the way to the network.
func (s *Server) frames(route [][]byte, r reply) (id string, frames [][]byte, err error) {
	content, err := encodeJSON(r.content)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", r.msgType, err)
	}
	parent := []byte(r.parent)
	if parent == nil {
		parent = []byte("{}")
	}
	id = fmt.Sprintf("%s_%d", s.session, s.messages.Add(1))
	header, err := encodeJSON(map[string]any{
		"msg_id":   id,
		"msg_type": r.msgType,
		"session":  s.session,
		"username": "kernel",
		"date":     s.opts.Now().UTC().Format("2006-01-02T15:04:05.000000Z"),
		"version":  protocolVersion,
	})
	if err != nil {
		return "", nil, err
	}
	parts := [][]byte{header, parent, []byte("{}"), content}
	frames = make([][]byte, 0, len(route)+6)
	frames = append(frames, route...)
	frames = append(frames, delimiter, s.signer.sign(parts))
	return id, append(frames, parts...), nil
}
