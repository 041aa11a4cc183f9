// Package printing is the functions of np that write arrays and numbers as text, and set the
// options of a session for it (printoptions.go). How an array is written by these options is
// np.Array's String, and package runtime/array's Printer.
package printing
