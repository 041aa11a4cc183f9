package memory

import (
	"syscall"
	"unsafe"
)

const hasHugePages = true

const (
	hugePage      = 2 << 20
	madvHugepage  = 14
	worthHugePage = 1 << 20
)

// adviseHuge asks the kernel for huge pages, which spare a large array most of the misses in
// address translation. The range is widened to whole huge pages: what else of Go's heap lies in
// them gains too. Where there are none, small pages do.
func adviseHuge(b []byte) {
	if len(b) < worthHugePage {
		return
	}
	start := uintptr(unsafe.Pointer(&b[0]))
	first := start &^ (hugePage - 1)
	end := (start + uintptr(len(b)) + hugePage - 1) &^ (hugePage - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, first, end-first, madvHugepage)
}
