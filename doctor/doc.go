// Package doctor looks at the machine and at what is installed, and says what is wrong and what to
// do. It changes nothing, but that a machine whose roof is not known is measured, as profiles do.
//
//	Examine  looks at everything
//	Report   what was found, as text and as JSON
//	Finding  one thing that was looked at
//
// Start at doctor.go, which has the table of what is looked at, and the machine; frontends.go asks
// Jupyter.
package doctor
