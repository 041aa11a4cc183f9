package kernel

import "context"

// Output is what a running cell shows. It is an alias of an unnamed type, as
// is [Match], so that a session satisfies [Interpreter] without importing this
// package. Its methods may be called from any goroutine, also after the cell
// has ended: what they publish keeps the cell as its parent.
type Output = interface {
	// Stream prints; name is "stdout" or "stderr".
	Stream(name, text string)

	// Display shows a MIME bundle, or with update replaces the one that was
	// shown under displayID.
	Display(data, metadata map[string]any, displayID string, update bool)

	// Clear empties the cell's output; with wait, when the next output comes.
	Clear(wait bool)

	// Page puts a MIME bundle in the frontend's pager, with the reply.
	Page(data map[string]any)

	// Input asks the user for a line. It fails if the client takes no
	// questions, and when the cell is interrupted.
	Input(prompt string, password bool) (string, error)
}

// Match is one completion: its text, its kind ("function", "module", ...) and
// its signature, if it has one.
type Match = struct{ Text, Type, Signature string }

// Interpreter is what the server asks of a language. The server calls one
// method at a time, but Complete, Inspect and IsComplete also, from one other
// goroutine, while Execute or Evaluate runs: they answer at once. A panic in a
// method becomes the error of its request.
//
// An error may implement Name() string, the ename of the protocol, and
// Traceback() []string; ColoredTraceback() []string, the same with the codes of
// colours, is preferred.
type Interpreter interface {
	// Execute runs a cell; count is its number, n of In[n]. The returned data
	// is the MIME bundle of the last expression's value, nil if it has none.
	// An interrupt cancels ctx.
	Execute(ctx context.Context, count int, code string, out Output) (data, metadata map[string]any, err error)

	// Evaluate returns the MIME bundle of one expression (user_expressions).
	Evaluate(ctx context.Context, expr string) (data map[string]any, err error)

	// Complete lists what may replace code[start:end] when the cursor is at
	// cursor. All three count code points.
	Complete(code string, cursor int) (start, end int, matches []Match)

	// Inspect documents what is at the cursor: a MIME bundle, nil if there is
	// nothing to say. The detail is 0, or 1 for more.
	Inspect(code string, cursor, detail int) (data map[string]any)

	// IsComplete tells whether code may run as it stands: status is
	// "complete", "incomplete" (then indent is the next line's prompt),
	// "invalid" or "unknown".
	IsComplete(code string) (status, indent string)
}

// An Interrupter is an Interpreter whose programs may catch an interrupt and go on: it is told of
// every interrupt, after ctx has ended.
type Interrupter interface{ Interrupt() }
