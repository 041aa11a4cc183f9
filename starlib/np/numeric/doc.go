// Package numeric is functions of np that are formulas: calculus, statistics and quantiles, sets,
// windows, polynomials, products, joining, splitting and padding, and what is done with functions
// of the user's; and comparisons of whole arrays.
//
// They are rows, with their symbolic halves, which np gets of them (table.go); they compute by
// np.Eval and package runtime/array.
package numeric
