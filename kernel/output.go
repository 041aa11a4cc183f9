package kernel

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Streams are coalesced: a cell that prints a hundred thousand lines sends a
// few dozen messages, not more than a client can digest.
const (
	streamDelay = 30 * time.Millisecond // how long text may wait for more
	streamSize  = 1 << 16               // bytes that are sent at once
	MaxOutput   = 256 << 20             // bytes of output of a cell; what is beyond is dropped
)

// cellOutput is the [Output] of one cell. It keeps the order of what it is
// given: text that waits is sent before anything else is.
type cellOutput struct {
	ctx        context.Context
	s          *Server
	parent     *Message
	silent     bool
	allowStdin bool

	mu       sync.Mutex
	name     string          // the stream that text belongs to
	text     strings.Builder // not sent yet
	timer    *time.Timer     // sends text; nil if none waits
	payloads []any           // of the reply
	spent    int             // bytes of output so far
	ended    bool
}

var _ Output = (*cellOutput)(nil)

func newOutput(ctx context.Context, s *Server, parent *Message, silent, allowStdin bool) *cellOutput {
	return &cellOutput{ctx: ctx, s: s, parent: parent, silent: silent, allowStdin: allowStdin}
}

func (o *cellOutput) Stream(name, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if text == "" || !o.spend(len(text)) {
		return
	}
	if name != "stderr" {
		name = "stdout"
	}
	if name != o.name {
		o.flush()
	}
	o.name = name
	o.text.WriteString(text)
	if o.text.Len() >= streamSize {
		o.flush()
	} else if o.timer == nil {
		o.timer = time.AfterFunc(streamDelay, func() {
			o.s.guarded("stream", func() {
				o.mu.Lock()
				defer o.mu.Unlock()
				o.flush()
			})
		})
	}
}

func (o *cellOutput) Display(data, metadata map[string]any, displayID string, update bool) {
	data, metadata = o.clean(data, metadata)
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.spend(sizeJSON(data)) {
		return
	}
	msgType, transient := "display_data", map[string]any{}
	if displayID != "" {
		transient["display_id"] = displayID
		if update {
			msgType = "update_display_data"
		}
	}
	o.flush()
	o.publish(msgType, map[string]any{"data": data, "metadata": metadata, "transient": transient})
}

func (o *cellOutput) Clear(wait bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.silent {
		return
	}
	o.flush()
	o.publish("clear_output", map[string]any{"wait": wait})
}

func (o *cellOutput) Page(data map[string]any) {
	data, _ = o.clean(data, nil)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.payloads = append(o.payloads, map[string]any{"source": "page", "data": data, "start": 0})
}

// NextInput gives the front end the text of the next cell, with the reply; with replace, another
// text for this one.
func (o *cellOutput) NextInput(text string, replace bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.payloads = append(o.payloads, map[string]any{"source": "set_next_input", "text": text, "replace": replace})
}

// result publishes the value of the cell.
func (o *cellOutput) result(count int, data, metadata map[string]any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.silent {
		return
	}
	o.flush()
	o.publish("execute_result", map[string]any{"execution_count": count, "data": data, "metadata": metadata})
}

// error publishes the error of the cell, also after the budget is spent.
func (o *cellOutput) error(content map[string]any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flush()
	if o.silent {
		return
	}
	o.publish("error", map[string]any{
		"ename": content["ename"], "evalue": content["evalue"], "traceback": content["traceback"],
	})
}

// end sends what waits and refuses questions from now on.
func (o *cellOutput) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flush()
	o.ended = true
}

func (o *cellOutput) payload() []any {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]any{}, o.payloads...)
}

// flush sends the text that waits; o.mu is held.
func (o *cellOutput) flush() {
	if o.timer != nil {
		o.timer.Stop()
		o.timer = nil
	}
	if o.text.Len() == 0 {
		return
	}
	text := o.text.String()
	o.text = strings.Builder{}
	o.publish("stream", map[string]any{"name": o.name, "text": text})
}

// publish sends, but not faster than the slowest client that still reads;
// o.mu is held.
func (o *cellOutput) publish(msgType string, content map[string]any) {
	o.s.iopub.waitForRoom(o.ctx.Done())
	o.s.publish(o.parent, msgType, content)
}

// spend accounts for output and reports whether it may be sent; o.mu is held.
// A notice takes the place of what is beyond the budget.
func (o *cellOutput) spend(bytes int) bool {
	if o.silent || o.spent > MaxOutput {
		return false
	}
	o.spent += bytes
	if o.spent <= MaxOutput {
		return true
	}
	o.flush()
	o.publish("stream", map[string]any{"name": "stderr", "text": CutNotice()})
	return false
}

// CutNotice is what a cell shows in place of its output beyond [MaxOutput].
func CutNotice() string {
	return fmt.Sprintf("\n[output cut: this cell has shown %d MB, and its further output is dropped]\n", MaxOutput>>20)
}

// clean is [Bundle], which tells the log what it drops.
func (o *cellOutput) clean(data, metadata map[string]any) (map[string]any, map[string]any) {
	return Bundle(data, metadata, func(mime string, err error) {
		o.s.rare.warn("bundle", "part of an output dropped", "mime", mime, "error", err)
	})
}
