// Package graphfile reads and writes files of graphs: variables with all that is known of them, the
// values of shared variables and constants, the text of the user's lines that made them, and what
// the caller wants to say of them. What a function is it does not know; see package symbolic.
//
// Such a file is one of the format safetensors, so that other programs can read its arrays. What is
// no array is in its metadata, as text:
//
//	arignote.format    the version of what follows: "1". A file of a later one is refused
//	arignote.graph     the variables, in the exact text form of package graph
//	arignote.tables    JSON: the frames, stacks, origins and calls of grad() that the text refers to by number, and the shared variables
//	arignote.lines     JSON: of each file of the user's, the lines that frames name, by number
//	arignote.values    JSON: what the caller says, with variables and arrays by their names
//	arignote.checksum  CRC-32C of all other metadata and of all arrays, in hexadecimal digits
//
// The same variables give the same bytes, whoever writes them and whenever. A file is not trusted:
// nothing that is read from it panics, or is run.
//
//	Writer  collects variables and arrays, and writes them
//	File    a file that was read
package graphfile
