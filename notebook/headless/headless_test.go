package headless_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/kernel"
	"github.com/arignote/arignote/notebook"
	"github.com/arignote/arignote/notebook/headless"
)

// programs are what the cells of a notebook do, by their code.
type programs map[string]func(ctx context.Context, out kernel.Output) (map[string]any, error)

func (p programs) Execute(ctx context.Context, _ int, code string, out kernel.Output) (data, metadata map[string]any, err error) {
	data, err = p[code](ctx, out)
	return data, nil, err
}

// run runs cells and returns their outputs, a line each.
func run(t *testing.T, p programs, o headless.Options, codes ...string) (shown string, err error) {
	t.Helper()
	nb := notebook.New()
	for _, code := range codes {
		nb.Cells = append(nb.Cells, &notebook.Cell{Kind: notebook.Code, Source: code, Metadata: notebook.Object{}})
	}
	err = headless.Run(t.Context(), nb, p, o)
	var b strings.Builder
	for _, c := range nb.Cells {
		fmt.Fprintf(&b, "[%s]", c.Count)
		for _, o := range c.Outputs {
			text, _ := o.Data.Text("text/plain")
			fmt.Fprintf(&b, " %s:%s%s%s", o.Type, o.Text, text, o.Class)
		}
	}
	return b.String(), err
}

// TestOutputs: what cells do to what was shown before.
func TestOutputs(t *testing.T) {
	plain := func(text string) map[string]any { return map[string]any{"text/plain": text} }
	var first kernel.Output
	p := programs{
		"late": func(_ context.Context, out kernel.Output) (map[string]any, error) {
			first = out
			out.Stream("stdout", "a")
			out.Display(plain("d"), nil, "id", false)
			out.Clear(true)
			return nil, nil
		},
		"after": func(_ context.Context, out kernel.Output) (map[string]any, error) {
			first.Stream("stdout", "b") // clears, as it was told
			first.Stream("other", "c")
			out.Display(plain("new"), nil, "id", true)
			return map[string]any{"text/html": "<b>"}, nil
		},
		"large": func(_ context.Context, out kernel.Output) (map[string]any, error) {
			out.Stream("stdout", "x")
			out.Stream("stdout", strings.Repeat("y", kernel.MaxOutput))
			out.Stream("stdout", "z")
			return nil, errors.New("e")
		},
		"ok": func(_ context.Context, out kernel.Output) (map[string]any, error) {
			_, err := out.Input("?", false)
			return nil, err
		},
		"forever": func(ctx context.Context, _ kernel.Output) (map[string]any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		"bad bundle": func(_ context.Context, out kernel.Output) (map[string]any, error) {
			out.Display(map[string]any{"no type": "x", "text/plain": make(chan int), "image/png": []byte("AB")}, map[string]any{"x": func() {}}, "", false)
			return nil, nil
		},
	}
	for _, tt := range []struct {
		codes   []string
		o       headless.Options
		want, e string
	}{
		{[]string{"late", "after"}, headless.Options{}, "[1] stream:bc[2] execute_result:<text/html>", ""},
		{[]string{"large", "late"}, headless.Options{}, "[1] stream:x stream:" + kernel.CutNotice() + " error:Error[]", "In[1]: e"},
		{[]string{"large", " ", "late"}, headless.Options{AllowErrors: true}, "[1] stream:x stream:" + kernel.CutNotice() + " error:Error[][2] stream:a display_data:d", ""},
		{[]string{"ok"}, headless.Options{}, "[1] error:StdinNotImplementedError", "In[1]: this client takes no questions from a cell"},
		{[]string{"forever"}, headless.Options{Timeout: time.Millisecond}, "[1] error:Error", "In[1]: context deadline exceeded"},
		{[]string{"bad bundle"}, headless.Options{}, "[1] display_data:<image/png>", ""},
	} {
		got, err := run(t, p, tt.o, tt.codes...)
		if e := fmt.Sprint(err); got != tt.want || err != nil && e != tt.e || err == nil && tt.e != "" {
			t.Errorf("%v: got %s, %v, want %s, %s", tt.codes, got, err, tt.want, tt.e)
		}
		if first != nil {
			first.Stream("stdout", "when the run is over")
			first.Display(plain("x"), nil, "id", true)
			first.Clear(false)
		}
	}
}

// TestInterrupt: a run that is interrupted ends, whatever is allowed.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	nb := notebook.New()
	for range 2 {
		nb.Cells = append(nb.Cells, &notebook.Cell{Kind: notebook.Code, Source: "x", Metadata: notebook.Object{}})
	}
	ran := 0
	err := headless.Run(ctx, nb, programs{"x": func(ctx context.Context, _ kernel.Output) (map[string]any, error) {
		ran++
		cancel()
		return nil, ctx.Err()
	}}, headless.Options{AllowErrors: true})
	var failure *headless.Failure
	if !errors.As(err, &failure) || failure.Count != 1 || ran != 1 {
		t.Errorf("got %v after %d cells, want a failure of the first", err, ran)
	}
}
