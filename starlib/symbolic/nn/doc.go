// Package nn is the functions of T that networks are made of: activations, losses, normalization,
// convolutions and pooling; and special functions beside them.
//
// It gives them to package symbolic (functions.go), which makes T and the methods of variables of
// all tables.
package nn
