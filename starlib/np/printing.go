package np

import (
	"sync/atomic"

	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// PrintOptions are NumPy's options of printing. A session's are replaced, not changed.
type PrintOptions struct {
	array.Printer
	Given starlark.Value // the threshold, as it was given
}

var standardPrinting = &PrintOptions{*array.Standard(), starlark.MakeInt(1000)}

// printingKey is the key of a session's options: an atomic.Pointer[printOptions].
type printingKey struct{}

// PrintingOf returns where a session has its options. Arrays of no session have the standard ones.
func PrintingOf(s value.Host) *atomic.Pointer[PrintOptions] {
	fresh := func() any {
		p := new(atomic.Pointer[PrintOptions])
		p.Store(standardPrinting)
		return p
	}
	if s == nil {
		return fresh().(*atomic.Pointer[PrintOptions])
	}
	return s.Local(printingKey{}, fresh).(*atomic.Pointer[PrintOptions])
}

// printing returns the options that a is printed with.
func (a *Array) printing() *PrintOptions {
	o := *PrintingOf(a.session).Load()
	o.Stop = StopOf(a.session)
	return &o
}
