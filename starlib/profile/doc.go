// Package profile is the profiles that cells ask for: %%profile, profile(), ProfileStats and
// ProfileMode, and what is printed at exit.
//
// It measures nothing and lays out nothing, which package profiler and those below it do. It
// watches the functions of package symbolic.
//
//	ProfileStats  a profile of functions
//	ProfileMode   a mode that has one for each of its functions
//	Session       what a session knows of profiles: flags, the running cell's, those that are kept
//
// Cells without %%profile are glanced at: see glanced.go, and always.go for the ranks of
// a session. Start at runProfiled in cell.go. The flags of %%profile are a table in flags.go, the
// columns of p.ops() and its like one in rows.go.
package profile
