// Package lock writes down what a program computes, so that a later version of it can be held
// against that: how many nodes and fusions its functions have, and the operations, bytes and memory
// of their calls, by function and line. There are no times in it but those of a section of their
// own, and nothing that depends on the machine.
//
//	Of       the lock of a program's profiles
//	Lock     functions and their lines; WriteTo writes the file, Parse reads it
//	Compare  the differences of two
//	Times    how long the program ran, on which machine
//
// Numbers are those of all calls. A node counts for the line that made it, one that does the work
// of several for the line of the last of them: how such a node's time is divided among lines
// depends on the instruction set. The peak is that of the values, as the shapes of the last call
// have it, without kernels' own memory, which depends on the threads.
//
// It imports profiler, profiler/units and runtime/graph. Start at lock.go.
package lock
