// Package texts is the modules of Python that read and write text: re, string and fnmatch. It
// matches nothing itself: package sre does.
package texts

import "github.com/arignote/arignote/starlib/value"

// Modules are the modules by name.
var Modules = []*value.Module{reModule, stringModule, fnmatchModule}

// Types are the tables of the values that the modules make.
func Types() []*value.Methods {
	return []*value.Methods{patternMethods(), matchMethods(), templateMethods()}
}
