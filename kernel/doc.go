// Package kernel is the *Jupyter* kernel: it speaks the messaging protocol and computes nothing.
//
// It is not the compute kernels (package kernels) and knows no language: cells
// go to an [Interpreter], which the program that wires the rooms supplies.
//
// The main types:
//
//	Connection    where to listen and how to sign: a connection file, checked
//	Server        five sockets, one interpreter, one process
//	Interpreter   what the server asks of a language
//	Output        what a running cell may show, print and ask
//	Message       one signed message of the protocol, version 5.5
//	listener,peer the guard between the network and the ZeroMQ package
//
// Start at server.go (Run), then dispatch.go (the table of requests), then
// execute.go. The guard is a room in the room: guard.go says why it exists.
//
// Every goroutine recovers from panics, no send error is fatal, and nothing a
// peer sends can stop the process unless it is a signed shutdown_request.
//
// The package imports nothing of ours, and is the only one that may import a
// ZeroMQ package.
package kernel
