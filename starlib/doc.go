// Package starlib puts together what runs Starlark for users: cells and files that share globals,
// with everything a front end wants to show about them.
//
// It has no program of its own: NewSession gives a session the names, magics and documentation of
// the rooms below, which import one another in this order only.
//
//	session   cells, globals, errors, files, history, operators, output
//	magic     lines %name and %%name, and those about names, files, flags and time
//	symbolic  T, function(), shared variables, theano.Module, modes, gradients, graphs
//	profile   %%profile, profile(), ProfileStats, ProfileMode, what is printed at exit
//	assist    completion, inspection, help(), hints: it reads the tables of the others
//
// Beside them, np has the arrays, library the modules math, json and time, value what values are
// made of, slot how programs hold them and the containers, parse, lower, compile and code how text
// becomes programs, vm what runs these, habits what to write instead of what is not so here,
// upstream which messages of go.starlark.net decide something, format the layout of files, config
// the flags, repl the terminal.
//
// A room that keeps something for a session has a type Session of its own, which embeds that of the
// room below: In finds it. The session calls the rooms above by session.Rooms, session.Plan and
// session.LineMagic, symbols those who watch them by symbolic.Watcher.
//
// Start at NewSession in starlib.go; predeclared.go says what is predeclared and what is
// documented.
package starlib
