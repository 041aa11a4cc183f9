package value

import "strings"

// A named error is that of a function. An operation often has the name of the function that it is
// for: then its error says it already.
type named struct {
	msg string
	err error
}

// Named is err with "name: " in front, which it has once: prefix is what users write before the
// name, "np." or nothing.
func Named(prefix, name string, err error) error {
	return &named{prefix + name + ": " + strings.TrimPrefix(err.Error(), name+": "), err}
}

func (e *named) Error() string { return e.msg }
func (e *named) Unwrap() error { return e.err }
