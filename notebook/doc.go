// Package notebook is the model of a notebook: its cells and outputs, as Jupyter's files (.ipynb)
// and scripts with cells (.star) keep them. It runs nothing, knows no language and draws nothing:
// package headless runs notebooks, and package page makes web pages of them.
//
//	Notebook, Cell, Output   the model, which keeps what it does not know
//	Read, Notebook.Encode    nbformat 4, and 3 when it is read
//	Split                    the cells of a script, as they run
//	FromScript, ToScript     a notebook as a script and back, without loss
//	Parameters, Inject       papermill's cell of parameters
//	Strip, Compare           without outputs; what differs
//
// Start at notebook.go, then read.go. script.go says how a script holds what it has no syntax for.
//
// The package imports the standard library only, and a list of differences.
package notebook
