// Package install writes the Jupyter kernelspec: the folder by which Jupyter
// finds Arignote and knows how to start it. It is not the kernel: it opens no
// socket and runs no code (that is package kernel), and it reads no command
// line (that is main.go).
//
//	Options   where to, under which name, and how; the zero value is `arignote install`
//	Result    what was done, for printing or as JSON
//	Install   write or replace a kernelspec
//	Remove    delete a kernelspec that Install wrote
//
// A kernelspec is one folder, <data>/kernels/<name>, holding kernel.json and
// three logos; when the program would not outlive the command that installs it
// (go run, --copy), a copy of the program lies in the same folder, so that one
// rename installs all of it and one rename removes all of it.
//
// Start at install.go, which is the order of events. location.go decides where,
// searchpath.go whether Jupyter will look there, program.go what is started,
// spec.go what is written, stage.go how it appears in one step, and failure.go
// how an error names the way out.
//
// The package imports the standard library only, and nothing of Arignote.
package install
