// Package isa is the C from which the kernels of each instruction set are made. There is nothing in
// it for Go: who imports it is compiled again when a template has changed, of which the go command
// knows only that they are part of this package.
package isa

import "embed"

// Templates are the files. No program has them in it, since none reads them.
//
//go:embed *.def *.inc *.h
var Templates embed.FS
