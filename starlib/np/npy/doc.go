// Package npy reads and writes files of arrays in NumPy's formats.
//
// It opens no files but in Save: callers bring readers and writers. Files may come from anywhere,
// so sizes are checked before memory is allocated, and nothing is executed: object arrays (pickles)
// are refused.
//
//	Write, Read          .npy: one array (npy.go; its header is in header.go)
//	WriteZip, ReadZip    .npz: arrays by name (zip.go)
//	ReadText             text, as loadtxt and genfromtxt (text.go)
//	WriteText            text, as savetxt (savetxt.go, with the formats of format.go)
//	Save                 a file that is there as a whole or not at all
//
// Errors do not name the operation or the file; callers know both.
//
// Start at npy.go. The package may import runtime/tensor and kernels.
package npy
