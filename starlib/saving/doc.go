// Package saving is theano.save and theano.load: values of shared variables and arrays in files
// that others read too, .npz and .safetensors, and functions and graphs in files .arignote, which
// are compiled anew where they are loaded.
//
//	save.go     the formats, by suffix; files of arrays
//	program.go  files of functions and graphs: a value in which there are some, as JSON (package graphfile says what surrounds it)
//	load.go     reads all of them
//
// Saving replaces a file when all of it is written, so that one that cannot be written leaves what
// was there. Loading into shared variables looks at all of them before it sets the first. Nothing
// of a file is run.
package saving
