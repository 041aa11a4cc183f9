// Package config holds Arignote's flags: their names, their values, and where each value came from.
//
// It is not a general settings library and knows nothing of Starlark: it is one table of
// flags and the places a flag may be set.
//
//	Flag     one row of the table: name, kind, default, documentation
//	Config   the values in force, with the source of each
//	Options  where Load looks for values
//	Row      a flag together with its value and source, for listings
//
// Sources, low to high: built in; the files of Theano and its like that THEANORC, AESARARC and
// PYTENSORRC name; the user's file; the nearest arignote.toml at or above the working directory;
// THEANO_FLAGS, AESARA_FLAGS and PYTENSOR_FLAGS; ARIGNOTE_FLAGS; the command line; an assignment
// config.x = v; the flags of a cell, which are pushed before the cell and popped after it.
//
// Start at Table in flags.go. The package imports no other package of the project.
package config
