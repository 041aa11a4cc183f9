// Package session runs cells and files of Starlark that share globals, and tells their failures
// with the user's own lines.
//
// It knows neither magics nor symbols nor profiles: what the rooms above do for a session they do
// as Rooms, Plan and LineMagic say, and what they keep for one they keep under Session.Local.
//
//	Session    runs cells, files and expressions, one at a time
//	Output     what a front end provides
//	Cell       one cell on its way through; its Magic is what its first line says
//	Rooms      what other packages do for a session
//	Error      why a cell failed: kind, message, traceback
//	Source     the text of a cell or file, by line; Session.Origin returns the places that run
//	Named      an error that chooses the kind it is shown under; Annotated, one with notes
//
// What try, raise, class and with become when they run is in python.go; classes and exceptions are
// in package object. Start at Session.Execute in session.go; cell.go says what is checked before a
// cell runs, error.go how failures are told, load.go and imports.go what other files and modules
// are, history.go what _ and Out are. Cells share globals by vm.Globals: each program that names a
// variable has the same Var.
package session
