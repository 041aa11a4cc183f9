package kernel

import "context"

// stranger is written as in a package that does not know this one: the
// language side must be able to satisfy Interpreter with standard types only.
type stranger struct{}

func (stranger) Execute(ctx context.Context, count int, code string, out interface {
	Stream(name, text string)
	Display(data, metadata map[string]any, displayID string, update bool)
	Clear(wait bool)
	Page(data map[string]any)
	Input(prompt string, password bool) (string, error)
}) (data, metadata map[string]any, err error) {
	return nil, nil, nil
}

func (stranger) Evaluate(ctx context.Context, expr string) (map[string]any, error) { return nil, nil }

func (stranger) Complete(code string, cursor int) (start, end int, matches []struct{ Text, Type, Signature string }) {
	return 0, 0, nil
}

func (stranger) Inspect(code string, cursor, detail int) map[string]any { return nil }

func (stranger) IsComplete(code string) (status, indent string) { return "", "" }

var _ Interpreter = stranger{}
