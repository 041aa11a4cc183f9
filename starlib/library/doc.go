// Package library is the modules math, json and time: Python's under Python's names, for Starlark's
// numbers and values.
package library
