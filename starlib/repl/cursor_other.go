//go:build !unix

package repl

// tellsCursor: the console of Windows always knows.
func tellsCursor() (tells bool, typed []byte) { return true, nil }
