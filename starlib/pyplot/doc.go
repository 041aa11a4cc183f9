// Package pyplot binds package plot to the names of matplotlib.pyplot: import matplotlib.pyplot as
// plt.
//
// What draws on axes is one row, which is both a function of plt, on the current axes, and a method
// of Axes (rows.go); the rows are in the files of what they draw. A figure that a cell of a
// notebook leaves open is shown below the cell and closed (show.go). Names that are missing are
// refused by name, with what to use instead: rows of package names that begin with plt, Figure and
// Axes.
//
// The values (values.go) and how arguments are read (rows.go, arguments.go, numbers.go) lie below;
// the tables of Figure, Axes and Artist have rows of all files above, and are registered
// (tables.go). Every text is a textValue (labels.go): a title as a number at a tick.
//
// What pyplot does is compared with matplotlib by testdata/oracle.py: cases.txt and same.txt.
//
// The tables are made when the module is first asked for a name: programs that draw nothing do not
// pay for them.
//
//	state    the open figures of a session
//	figure, axes, artist   the values that programs hold
//	call     a call of a row: the axes to draw on, and how arguments are read
package pyplot
