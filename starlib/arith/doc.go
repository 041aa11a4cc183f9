// Package arith computes x op y of ints, floats, bools, texts and short lists, tuples, dicts and
// sets, where the result is known without a call. The machine (package vm) tries it where its loop
// has no case, before it asks the values. Of other operands the functions report false, and have
// changed nothing.
//
//	Numbers  ints and floats                            (numbers.go)
//	Doubles  of which one is a float64 of NumPy's
//	Sum      ints, the sum of which may not fit
//	Plain    texts, bools, containers                   (plain.go)
//	Has      whether a dict or set has a key
//	Texts    texts that grow, and that are ASCII         (text.go)
//
// Operators that change x say so in flags, as instructions do (code.Changes).
package arith
