// Package fleet is Cluster() of the language: compiled functions, and files with parameters, that
// run on workers which package cluster connects.
//
//	cluster  a connection, and the child processes of one that has no address (cluster.go)
//	results  what cluster.map returns: results in order, as they come (map.go)
//	Runner   what a worker makes of functions (program.go)
//	seeds    random numbers of an item, by the function and the item's number (seeds.go)
//	sweep    runs of a file as a list of dicts (sweep.go)
//
// A function travels as package saving writes it: what it was compiled of, the values of shared
// variables and constants, the mode, and the lines that made it, but no source. It is compiled once
// by each worker. It may change no shared variable but the states of random numbers: a task leaves
// nothing behind, and its result is the same whichever worker runs it, whenever and how often.
package fleet
