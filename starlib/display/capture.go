package display

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"

	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A captured keeps what is shown while it is the output. What it is not to keep goes where it would
// have gone.
type captured struct {
	value.Identity
	outer session.Output
	keep  keeps

	mu      sync.Mutex // a profile may be shown from another goroutine
	out     strings.Builder
	err     strings.Builder
	outputs []starlark.Value
}

// keeps tells the streams and displays that are captured.
type keeps struct{ stdout, stderr, displays bool }

var _ session.Output = (*captured)(nil)

func newCaptured(outer session.Output, keep keeps) *captured {
	return &captured{Identity: "CapturedIO", outer: outer, keep: keep}
}

func (c *captured) Stream(name, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch isErr := name == "stderr"; {
	case isErr && c.keep.stderr:
		c.err.WriteString(text)
	case !isErr && c.keep.stdout:
		c.out.WriteString(text)
	default:
		c.outer.Stream(name, text)
	}
}

func (c *captured) Display(data, metadata map[string]any, displayID string, update bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.keep.displays {
		c.outer.Display(data, metadata, displayID, update)
		return
	}
	c.outputs = append(c.outputs, &output{"RichOutput", data, metadata, displayID, update})
}

// Clear forgets what was displayed.
func (c *captured) Clear(wait bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.keep.displays {
		c.outer.Clear(wait)
	}
	c.outputs = nil
}

func (c *captured) Page(data map[string]any) { c.outer.Page(data) }
func (c *captured) Input(prompt string, password bool) (string, error) {
	return c.outer.Input(prompt, password)
}

// Screen is a page if the output around is one.
func (c *captured) Screen() session.Screen {
	if s, ok := c.outer.(interface{ Screen() session.Screen }); ok && s.Screen() != session.ScreenPage {
		return session.ScreenFile
	}
	return session.ScreenPage
}

func (c *captured) NextInput(text string, replace bool) {
	if o, ok := c.outer.(interface{ NextInput(string, bool) }); ok {
		o.NextInput(text, replace)
	}
}

func (c *captured) Table() *value.Methods                    { return CapturedMethods }
func (c *captured) AttrNames() []string                      { return CapturedMethods.Names() }
func (c *captured) Attr(name string) (starlark.Value, error) { return CapturedMethods.Attr(c, name) }
func (c *captured) Name() string                             { return c.Type() }

// Str is what was printed.
func (c *captured) Str() string { return c.text(&c.out) }

func (c *captured) text(b *strings.Builder) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return b.String()
}

// CallInternal is show: out() shows what was kept.
func (c *captured) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args)+len(kwargs) > 0 {
		return nil, value.Failure("TypeError", "CapturedIO: got %d arguments, want none", len(args)+len(kwargs))
	}
	return starlark.None, c.show(session.Of(thread).Output())
}

var _ starlark.Callable = (*captured)(nil)

// show shows what was kept.
func (c *captured) show(to session.Output) error {
	c.mu.Lock()
	out, err, outputs := c.out.String(), c.err.String(), c.outputs
	c.mu.Unlock()
	if to == session.Output(c) {
		return errors.New("show: the output is still captured: show it in another cell")
	}
	to.Stream("stdout", out)
	to.Stream("stderr", err)
	for _, o := range outputs {
		o.(*output).show(to)
	}
	return nil
}

const captureExample = "from IPython.utils.capture import capture_output\nwith capture_output() as c:\n    print(1)\n"

// CapturedMethods are the attributes of what %%capture keeps.
var CapturedMethods = value.NewMethods("CapturedIO", []value.Builtin{
	value.MethodOf("show", "Shows all that was kept.", captureExample+"c.show() # 1", func(thread *starlark.Thread, c *captured, _ *none) (starlark.Value, error) {
		return nil, c.show(session.Of(thread).Output())
	}),
}).With(
	value.FieldOf("stdout", "What was printed.", captureExample+`c.stdout # "1\n"`, func(c *captured) starlark.Value { return starlark.String(c.text(&c.out)) }),
	value.FieldOf("stderr", "What was printed as an error.", captureExample+`c.stderr # ""`, func(c *captured) starlark.Value { return starlark.String(c.text(&c.err)) }),
	value.FieldOf("outputs", "What was displayed, each with data, metadata and display().", captureExample+"c.outputs # []", func(c *captured) starlark.Value {
		c.mu.Lock()
		defer c.mu.Unlock()
		return slot.NewList(append([]starlark.Value(nil), c.outputs...))
	}))

// An output is one that was displayed and is kept.
type output struct {
	value.Identity
	data, metadata map[string]any
	id             string
	update         bool
}

func (o *output) show(to session.Output)                   { to.Display(o.data, o.metadata, o.id, o.update) }
func (o *output) Table() *value.Methods                    { return OutputMethods }
func (o *output) AttrNames() []string                      { return OutputMethods.Names() }
func (o *output) Attr(name string) (starlark.Value, error) { return OutputMethods.Attr(o, name) }

// MimeBundle is that of what was displayed.
func (o *output) MimeBundle() map[string]any {
	b := map[string]any{}
	for mime, x := range o.data {
		b[mime] = x
	}
	for mime, x := range o.metadata {
		b["metadata:"+mime] = x
	}
	return b
}

func (o *output) String() string {
	text, _ := o.data[plainText].(string)
	return text
}

const outputExample = "from IPython.utils.capture import capture_output\nwith capture_output() as c:\n    display(1)\n"

// OutputMethods are the attributes of an output that %%capture keeps.
var OutputMethods = value.NewMethods("RichOutput", []value.Builtin{
	value.MethodOf("display", "Shows it.", outputExample+"c.outputs[0].display()", func(thread *starlark.Thread, o *output, _ *none) (starlark.Value, error) {
		o.show(session.Of(thread).Output())
		return nil, nil
	}),
}).With(
	value.FieldOf("data", "What it shows, by MIME type.", outputExample+`c.outputs[0].data # {"text/plain": "1"}`, func(o *output) starlark.Value { return fromGo(o.data) }),
	value.FieldOf("metadata", "What the front end is told of it.", outputExample+`c.outputs[0].metadata # {}`, func(o *output) starlark.Value {
		if o.metadata == nil {
			return new(slot.Dict)
		}
		return fromGo(o.metadata)
	}))

// captureArgs are the name and the options of %%capture, which may stand behind the name too.
func captureArgs(m magic.Line) (name string, keep keeps, err error) {
	keep = keeps{!m.Given("--no-stdout"), !m.Given("--no-stderr"), !m.Given("--no-display")}
	options := map[string]*bool{"--no-stdout": &keep.stdout, "--no-stderr": &keep.stderr, "--no-display": &keep.displays}
	for _, word := range strings.Fields(m.Rest) {
		option := options[word]
		switch {
		case option != nil:
			*option = false
		case name != "" || !identifier.MatchString(word):
			return "", keep, value.Failure("ValueError", "%%%%capture: got %s, want one name and the options --no-stdout, --no-stderr, --no-display", m.Rest)
		default:
			name = word
		}
	}
	return name, keep, nil
}

var identifier = regexp.MustCompile(`^[\pL_][\pL\d_]*$`)

// captureCell is %%capture.
func captureCell(m magic.Line) session.CellFunc {
	return func(s *session.Session, ctx context.Context, cell *session.Cell, text string) (data, metadata map[string]any, err error) {
		name, keep, err := captureArgs(m)
		if err != nil {
			return nil, nil, s.NewError(ctx, err)
		}
		c := newCaptured(s.Output(), keep)
		func() {
			defer s.Redirect(c)()
			data, metadata, err = s.RunCode(ctx, cell, text)
		}()
		if data != nil && c.keep.displays {
			c.Display(data, metadata, "", false)
			data, metadata = nil, nil
		}
		if name != "" {
			s.Assign(name, c)
		}
		return data, metadata, err
	}
}

var captureTable = []value.Builtin{
	value.Function("capture_output", "Keeps what the block of a with shows.", captureExample+`c.stdout # "1\n"`, func(thread *starlark.Thread, a *struct {
		Stdout  bool `arg:"stdout=True: what is printed"`
		Stderr  bool `arg:"stderr=True: what is printed as an error"`
		Display bool `arg:"display=True: what is displayed"`
	}) (starlark.Value, error) {
		s := session.Of(thread)
		var backs []func()
		return &within{Identity: isWithin, enter: func() starlark.Value {
			c := newCaptured(s.Output(), keeps{a.Stdout, a.Stderr, a.Display})
			backs = append(backs, s.Redirect(c))
			return c
		}, exit: func() {
			if last := len(backs) - 1; last >= 0 {
				backs[last]()
				backs = backs[:last]
			}
		}}, nil
	}),
}
