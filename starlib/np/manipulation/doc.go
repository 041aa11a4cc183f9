// Package manipulation is the functions and methods of np that give arrays other shapes (shape.go,
// axes.go), move their elements (arrange.go), sort and look them up (order.go), choose among them
// (choose.go), pack their bits (bits.go), and walk over them (iterate.go, nditer.go).
//
// They are rows, with their symbolic halves, which np gets of them (table.go). A method that takes
// other arguments than the function of its name is in methods.go.
package manipulation
