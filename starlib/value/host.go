package value

import (
	"context"

	"github.com/arignote/arignote/runtime/files"

	"go.starlark.net/starlark"
)

// A Host is the session that values live in: what those of them that compute need of it.
type Host interface {
	// CancelTruth makes the statement that is running fail with msg. It is for Truth methods, which
	// Starlark gives no way to fail.
	CancelTruth(msg string)
	// Fail makes the statement that is running fail with err: for methods to which Starlark gives
	// no way to return an error.
	Fail(err error)
	// Current is the thread that runs.
	Current() *starlark.Thread
	// Context is that of the running cell.
	Context() context.Context
	// Stop is raised, atomically, when the running cell is to end. Kernels poll it.
	Stop() *uint32
	// Busy reports whether other goroutines may have to wait for a processor.
	Busy() bool
	// SamplerPlace is where what runs finds who samples it.
	SamplerPlace() *SamplerPlace
	// Local returns what a package keeps for the host under a key of a type of its own; make makes
	// it at first. It may be called from several goroutines.
	Local(key any, make func() any) any
	// Path is the path of a file that a user names: relative to the session's directory.
	Path(name string) string
	// Files is the door through which the program reaches files.
	Files() *files.Door
}

const hostKey = "arignote.host"

// SetHost tells what runs on a thread which host it belongs to.
func SetHost(thread *starlark.Thread, h Host) { thread.SetLocal(hostKey, h) }

// HostOf returns the host of a thread, nil if it has none.
func HostOf(thread *starlark.Thread) Host {
	if thread == nil {
		return nil
	}
	h, _ := thread.Local(hostKey).(Host)
	return h
}
