// Package evaluate runs text as code: eval, exec and compile.
//
// A program of text is compiled once and kept, as the same text is often evaluated again. Which
// variables it finds is said at each call: those of a dict, or those where the call stands, which
// package scope adds to it. A dict gets what the text assigns, also if it ends with an error.
package evaluate
