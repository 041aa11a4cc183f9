// Package magic reads the lines %name and %%name of cells, which are not Starlark, and has those
// that are about names, files, flags and time.
//
// It does not show documentation nor profiles: the packages assist and profile have rows of their
// own, and package starlib makes one Table of all.
//
//	Row    one magic: parsing, %lsmagic, help, completion and inspection come from it
//	Flag   a flag that %%name takes besides those of the config
//	Table  all rows; Table.Read takes the magics off a cell
//	Line   a line %name that was read, Call one that is running
//
// look.go has the commands of %debug and breakpoint(), step.go the stepping, lines.go %lprun.
//
// Start at Table.Read in magic.go; line.go says what stands in the place of a line %name.
package magic
