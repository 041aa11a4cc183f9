// Package assist tells users what there is and what they may have meant: completion, inspection,
// help() and hints.
//
// It executes nothing: it looks at the values and the tables of a session. What other rooms have
// that is to be documented, package starlib gives it as Contents.
//
//	Session    Complete, Inspect and IsComplete for front ends; Explain, the hints for errors
//	Section    the documentation of a module, a type or what else belongs together, made of Entries
//	Contents   the magics, functions and types of the other rooms
//
// Session.Documentation, in documentation.go, goes through all tables: help(), inspection, the
// tests of the documentation and docs/reference come from it. A new module or type of np is found
// by itself if it is in np.Types or a module; attributes that are no methods are rows of
// value.Methods.With.
package assist
