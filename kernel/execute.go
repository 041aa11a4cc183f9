package kernel

import (
	"context"
	"errors"
	"strings"
)

// executeRequest is the content of an execute_request. Absent fields mean:
// not silent, stored, no questions, stop on error.
type executeRequest struct {
	Code            *string           `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      bool              `json:"allow_stdin"`
	StopOnError     *bool             `json:"stop_on_error"`
}

// execute runs a cell. What it prints is published before the reply.
func (s *Server) execute(m *Message) (map[string]any, error) {
	var req executeRequest
	if err := m.decode(&req); err != nil {
		return nil, err
	}
	if req.Code == nil {
		return nil, &requestError{errors.New("execute_request: got no code, want a string")}
	}
	ctx, ok := s.begin(m)
	defer s.end()
	if !ok {
		return map[string]any{"status": "aborted"}, nil
	}

	code := *req.Code
	blank := strings.TrimSpace(code) == ""
	stored := !req.Silent && !blank && (req.StoreHistory == nil || *req.StoreHistory)
	count := int(s.count.Load())
	if stored {
		count = int(s.count.Add(1))
	}
	if !req.Silent {
		s.publish(m, "execute_input", map[string]any{"code": code, "execution_count": count})
	}
	out := newOutput(ctx, s, m, req.Silent, req.AllowStdin)
	defer out.end()
	var data, metadata map[string]any
	var err error
	if !blank {
		data, metadata, err = s.run(ctx, count, code, out)
	}
	data, metadata = out.clean(data, metadata)
	if err == nil && len(data) > 0 && !req.Silent {
		out.result(count, data, metadata)
	}
	if stored {
		s.history.add(count, code, data)
	}
	if err != nil {
		err = withCause(ctx, err)
		if req.StopOnError == nil || *req.StopOnError {
			s.stopOnError(ctx, m)
		}
		content := ErrorContent(err)
		out.error(content)
		return s.executeReply(content), nil
	}
	expressions := map[string]any{}
	for name, expr := range req.UserExpressions {
		expressions[name] = s.evaluate(ctx, out, expr)
	}
	content := s.executeReply(map[string]any{"status": "ok", "user_expressions": expressions})
	content["payload"] = out.payload()
	return content, nil
}

// executeReply adds what every execute_reply has.
func (s *Server) executeReply(content map[string]any) map[string]any {
	content["execution_count"] = int(s.count.Load())
	content["payload"] = []any{}
	if content["user_expressions"] == nil {
		content["user_expressions"] = map[string]any{}
	}
	return content
}

func (s *Server) run(ctx context.Context, count int, code string, out Output) (data, metadata map[string]any, err error) {
	defer s.recovered("Execute", &err)
	return s.interp.Execute(ctx, count, code, out)
}

// evaluate returns the result of one user expression, good or bad.
func (s *Server) evaluate(ctx context.Context, out *cellOutput, expr string) any {
	data, err := func() (data map[string]any, err error) {
		defer s.recovered("Evaluate", &err)
		return s.interp.Evaluate(ctx, expr)
	}()
	if err != nil {
		return ErrorContent(withCause(ctx, err))
	}
	data, metadata := out.clean(data, nil)
	return map[string]any{"status": "ok", "data": data, "metadata": metadata}
}

// withCause makes the error of an interrupted cell say so, whatever the
// interpreter made of the cancelled context.
func withCause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return interruptedError{err, cause}
	}
	return err
}

// interruptedError keeps the traceback of the error it wraps.
type interruptedError struct{ err, cause error }

func (e interruptedError) Error() string { return e.cause.Error() }
func (e interruptedError) Unwrap() error { return e.err }
func (interruptedError) Name() string    { return "KeyboardInterrupt" }

// ErrorContent is an error in the fields of the protocol: ename, evalue,
// traceback, and the status "error". The methods of the error are the
// interpreter's, and may panic like any other.
func ErrorContent(err error) (content map[string]any) {
	defer func() {
		if p := recover(); p != nil {
			content = ErrorContent(internalError{p})
		}
	}()
	name, traceback := "Error", []string(nil)
	var named interface{ Name() string }
	if errors.As(err, &named) {
		name = named.Name()
	}
	var traced interface{ Traceback() []string }
	if errors.As(err, &traced) {
		traceback = traced.Traceback()
	}
	var colored interface{ ColoredTraceback() []string }
	if errors.As(err, &colored) {
		traceback = colored.ColoredTraceback()
	}
	if len(traceback) == 0 {
		traceback = []string{name + ": " + err.Error()}
	}
	return map[string]any{"status": "error", "ename": name, "evalue": err.Error(), "traceback": traceback}
}
