// Package roofline finds out what a machine can do at most: the roof under which a profile places
// its nodes. It knows nothing of nodes; package profiler has the model, and says what bounds one.
//
//	Machine     describes this machine with its roof, which is measured once and kept; who may not wait gets it without if it is not known
//	Wanted      measures what such a one did not get, for whoever has the time: a kernel between cells, a script that has ended
//	Prices      gives profiles what kernels were seen to take on this machine
//	Describe    describes it without
//	Calibrator  does the measuring and the keeping
//
// What is measured, of one thread and of all: multiply-adds in registers for float32 and float64,
// in the instruction set of the kernels; for each cache and the memory behind them, how fast arrays
// that fit into it are read, read and written, and copied past the caches, of which the fastest
// counts; what a node costs that does next to nothing; and what each kernel adds to a program
// (kernels.MeasureFused). That takes about one and a half seconds, in three passes over everything,
// and of each the best trial counts: a machine that does something else meanwhile is slower than it
// can be and never faster, and what disturbs one pass need not disturb all.
//
// What was measured is kept in a file in the user's cache directory, or in that of ARIGNOTE_CACHE,
// whose name depends on what the result depends on: processor, instruction set, threads. Nothing is
// kept if that is "off". While it measures, it looks at what else the processors do, whether the
// threads run, and whether the passes agree (busy.go). If not, the result carries its doubt, which
// profiles show, and serves for some minutes; then it is measured again, and the better of the
// rates count, until a measurement is in no doubt. A file that cannot be read is measured again; a
// directory that cannot be written is no error. To measure again, remove the file.
//
// Start reading at roofline.go, then measure.go. It may import profiler, kernels, kernels/native,
// kernels/parallel, runtime/memory, runtime/exec, runtime/op, runtime/graph and runtime/tensor.
package roofline
