package slot

import "go.starlark.net/starlark"

// A KeyFault is the error of a key that a dict or set has not: a program that catches it gets the
// key, who sees it the text. One without any key says why as Python does.
type KeyFault struct {
	Key  starlark.Value
	Text string
}

func (f KeyFault) Error() string                 { return f.Text }
func (f KeyFault) FaultClass() string            { return "KeyError" }
func (f KeyFault) ExceptionArgs() starlark.Tuple { return starlark.Tuple{f.Key} }
