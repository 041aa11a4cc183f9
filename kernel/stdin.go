package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"
)

// stdinGrace is how long a question waits for the client's stdin channel,
// which connects beside shell and may be later.
const stdinGrace = time.Second

// inputRefused is the error of a question that no client would answer. It names its class to the
// kernel, and to an interpreter that adds where the question stands.
type inputRefused struct{ why string }

func (e inputRefused) Error() string   { return e.why }
func (inputRefused) Name() string      { return "StdinNotImplementedError" }
func (inputRefused) ErrorName() string { return "StdinNotImplementedError" }

// ErrNoInput is the error of a question from a cell whose client takes none.
var ErrNoInput error = inputRefused{"this client takes no questions from a cell"}

// Input asks the client that sent the cell, on its stdin channel.
func (o *cellOutput) Input(prompt string, password bool) (string, error) {
	o.mu.Lock()
	o.flush()
	refused := !o.allowStdin || o.ended
	o.mu.Unlock()
	if refused {
		return "", ErrNoInput
	}
	if err := o.awaitStdin(); err != nil {
		return "", err
	}
	return o.s.answers.ask(o.ctx, func() string {
		return o.s.send(o.s.stdin, o.parent.Idents, reply{
			"input_request", o.parent.header, map[string]any{"prompt": prompt, "password": password},
		})
	})
}

func (o *cellOutput) awaitStdin() error {
	if len(o.parent.Idents) == 0 {
		return inputRefused{"the request came without an identity"}
	}
	for end := time.Now().Add(stdinGrace); !o.s.stdin.connected(o.parent.Idents[0]); {
		if time.Now().After(end) {
			return inputRefused{"this client has no stdin channel"}
		}
		select {
		case <-o.ctx.Done():
			return context.Cause(o.ctx)
		case <-time.After(5 * time.Millisecond):
		}
	}
	return nil
}

// answers leads an input_reply to the question that waits for it. There is at
// most one question: a second one waits its turn.
type answers struct {
	turn sync.Mutex

	mu      sync.Mutex
	id      string      // of the question, once it is known
	waiting chan string // nil: nobody waits
}

// ask sends a question and waits for its answer, or until ctx is cancelled.
func (a *answers) ask(ctx context.Context, send func() (id string)) (string, error) {
	a.turn.Lock()
	defer a.turn.Unlock()
	waiting := make(chan string, 1)
	a.mu.Lock()
	a.waiting = waiting
	a.id = send() // an answer cannot overtake: deliver needs the lock
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		a.waiting = nil
		a.mu.Unlock()
	}()
	select {
	case value := <-waiting:
		return value, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// deliver hands over an answer. Some clients do not say which question they
// answer; one that names another question answers late, and is ignored.
func (a *answers) deliver(question, value string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.waiting == nil || question != "" && question != a.id {
		return errors.New("input_reply: got an answer to no open question")
	}
	a.waiting <- value
	a.waiting = nil
	return nil
}

// readStdin takes the answers of clients.
func (s *Server) readStdin() {
	for {
		m, ok := s.receive("stdin", s.stdin)
		if !ok {
			return
		}
		if err := s.inputReply(m); err != nil {
			s.rare.warn("stdin", "message dropped", "channel", "stdin", "error", err)
		}
	}
}

func (s *Server) inputReply(m *Message) error {
	if m.Header.Type != "input_reply" {
		return errors.New("stdin: got " + m.Header.Type + ", want input_reply")
	}
	var content struct {
		Value string `json:"value"`
	}
	if err := json.Unmarshal(m.Content, &content); err != nil {
		return typeError(err)
	}
	return s.answers.deliver(m.Parent.ID, content.Value)
}
