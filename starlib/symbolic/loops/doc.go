// Package loops reads loops and branches as their users write them: theano.scan, map, reduce,
// foldl, foldr, scan_checkpoints and ifelse.
//
// A scanBinding reads a loop and makes one node of it, which runtime/op computes and
// runtime/rewrite makes quicker.
package loops
