// Package compile turns inputs and outputs into a Function that can be called: it builds the graph,
// has it rewritten as a Mode says, and links it. It rewrites nothing itself (runtime/rewrite) and
// runs nothing itself (runtime/exec).
//
//	Mode      a linker and the rewrites, by name or one by one
//	Spec      what to compile
//	Function  what comes out; Call runs it
//	Register  gives a rule of a user's its place among the passes and rules
//
// A Function has its history: the passes, and where the time of compiling went.
//
// The table of passes is in passes.go. Start reading at function.go. It may import
// runtime/debugmode, runtime/exec, runtime/grad, runtime/rewrite, runtime/op, runtime/graph,
// runtime/history, runtime/tensor and kernels.
package compile
