// Package sweep runs a script or a notebook for many values of its parameters, on the workers of a
// cluster, and keeps what each run found. How a file runs it does not know: see the program's
// openFile.
//
//	Axis     a parameter with the values that it is to have (axis.go)
//	Grid     all combinations; Random draws some (axis.go)
//	Task     what travels to a worker, and Output what comes back (task.go)
//	Sweep    the runs of one file (sweep.go)
//	Table    runs as text, CSV and JSON (table.go)
//
// A run is known by its content: file, parameters and version. One that is in the folder of the
// sweep, and has not failed, need not run again.
package sweep
