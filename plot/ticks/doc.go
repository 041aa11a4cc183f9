// Package ticks says where the ticks of an axis stand, and which texts they have.
//
// The rules are matplotlib's: Linear has steps of 1, 2, 2.5 and 5, as many as have room, Log the
// powers of ten and what lies between them. Labels writes numbers with as many decimals as tell
// neighbours apart, and takes what all share, a power of ten or an offset, out of them.
package ticks
