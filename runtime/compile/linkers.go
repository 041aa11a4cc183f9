package compile

import "strings"

// A linker's name says which kernels run ("c|go", "c", "go", or "c&go", which compares both), and
// may end with what it says of intermediate results. Without an ending the function is told by
// Spec.KeepAll.
const (
	noGC = "_nogc" // each has memory of its own
	gc   = "_gc"   // those that are not needed at the same time take turns in the same memory
)

// compared is the linker that runs every operation in C and in Go and compares: Theano's
// DualLinker, "c&py".
const compared = "c&go"

// LinkerNames lists what Mode.Linker may be.
func LinkerNames() []string {
	var names []string
	for _, kernels := range []string{"c|go", "c", "go", compared} {
		names = append(names, kernels, kernels+noGC, kernels+gc)
	}
	return names
}

// WithGC returns the name of a linker with another ending: on tells which, and nil takes it away.
func WithGC(linker string, on *bool) string {
	kernels, _ := splitLinker(linker)
	switch {
	case on == nil:
		return kernels
	case *on:
		return kernels + gc
	}
	return kernels + noGC
}

func splitLinker(name string) (kernels, ending string) {
	for _, ending := range []string{noGC, gc} {
		if kernels, ok := strings.CutSuffix(name, ending); ok {
			return kernels, ending
		}
	}
	return name, ""
}

// kernels is what exec.Sets takes.
func (m Mode) kernels() string {
	kernels, _ := splitLinker(m.Linker)
	return kernels
}

// keepAll is whether intermediate results have memory of their own; asked is what is so unless the
// linker says otherwise.
func (m Mode) keepAll(asked bool) bool {
	switch _, ending := splitLinker(m.Linker); ending {
	case noGC:
		return true
	case gc:
		return false
	}
	return asked
}
