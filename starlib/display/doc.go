// Package display is how values show themselves to front ends, and IPython.display: the values
// that are made to be shown, and the functions that show.
//
//	Bundle     what a front end gets of a value, by MIME type: of values in Go by MimeBundle, of
//	           instances of users' classes by _repr_html_ and its like (bundle.go)
//	richMethod _repr_html_ and its like of values in Go (rich.go)
//	printer    the p of _repr_pretty_(self, p, cycle), and the texts of lists with such values
//	           (pretty.go, layout.go)
//	thing      HTML, Markdown, Image, Audio and the others (thing.go, media.go)
//	Functions  display, update_display, clear_output (functions.go)
//	captured   what %%capture and capture_output keep (capture.go)
//	Modules    IPython, with display and get_ipython (ipython.go, shell.go)
//
// There is one way from a value to a front end: the session calls Bundle for the value of a cell,
// display calls it for its arguments.
package display
