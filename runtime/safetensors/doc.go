// Package safetensors reads and writes files of named arrays in the published format safetensors: a
// length of 8 bytes, little-endian, a header in JSON of that many bytes, and the elements of all
// arrays in C order, little-endian, without holes between them.
//
//	{"__metadata__": {"by": "me"}, "w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
//
// A file is not trusted: names that stand twice, arrays that overlap, holes, bytes behind the end
// and sizes that do not fit are errors that name the array, and nothing is allocated that the file
// does not hold. F16 and BF16, of which Arignote has no arrays, are read as float32, which has all
// of their values.
package safetensors
