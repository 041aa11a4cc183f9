// Package proto reads ONNX files: protocol buffers of the messages that onnx.proto names, as
// structs. It knows the layout of the file and nothing of operators.
//
//	Read           a ModelProto
//	ReadTensor     a TensorProto by itself, as ONNX's tests have their data
//	Tensor.Dense   the elements as an array
//
// Files come from anywhere. All lengths are checked against the bytes that are there before memory
// is asked for, graphs that lie in each other are followed to a bounded depth, and what is wrong is
// an error that names the message and the field.
package proto
