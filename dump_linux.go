package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"syscall"

	"github.com/arignote/arignote/runtime/memory"
)

// Where the system refuses memory, Go ends the program and prints the stacks of all its goroutines,
// and nothing in the program can prevent it. So where a limit makes that likely (ulimit -v, ulimit
// -d), what Go prints goes to a second process, the watcher, which says in a line what it means. It
// is not the parent of the program: signals, the terminal and the exit status are as they are
// without it.

// watchCommand makes this program the watcher.
const watchCommand = "watch-dump"

// maxDump is how much of a dump the watcher keeps.
const maxDump = 1 << 20

// minSpace is the address space in bytes that the program needs to start: what Go reserves, and
// the stacks of some threads. Where there are kernels in C, kernels/c/start.c has said so before Go
// could die of it.
const minSpace = 1_800_000_000

// limitMemory does what a limit of memory asks for before the program starts. It reports whether
// that is all, and the exit status.
func limitMemory() (done bool, status int) {
	if len(os.Args) == 4 && os.Args[1] == watchCommand {
		watch(os.Args[2], os.Args[3], os.Stdin, os.Stderr)
		return true, 0
	}
	limit, ok := memory.Limit()
	if !ok {
		return false, 0
	}
	if err := spaceToStart(limit); err != nil {
		complain(os.Stderr, err)
		return true, 1
	}
	watchDumps(limit)
	return false, 0
}

// spaceToStart says why the program should not start.
func spaceToStart(limit memory.Bound) error {
	if limit.By != memory.AddressSpace || limit.Bytes >= minSpace {
		return nil
	}
	return fmt.Errorf("%s allows the process %d bytes of address space, too little to start: want at least %d (ulimit -v %d)",
		limit.By, limit.Bytes, minSpace, minSpace/1024+1)
}

// watchDumps starts the watcher, and points what Go and C print to it. os.Stderr stays what it was.
func watchDumps(limit memory.Bound) {
	program, err := os.Executable()
	if err != nil {
		return
	}
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	defer r.Close()
	defer w.Close()
	stderr, err := syscall.Dup(2)
	if err != nil {
		return
	}
	syscall.CloseOnExec(stderr)
	watcher := exec.Command(program, watchCommand, limit.By, fmt.Sprint(limit.Bytes))
	watcher.Stdin, watcher.Stderr = r, os.Stderr
	if watcher.Start() != nil || syscall.Dup3(int(w.Fd()), 2, 0) != nil {
		syscall.Close(stderr)
		return
	}
	os.Stderr = os.NewFile(uintptr(stderr), os.Stderr.Name())
	log.SetOutput(os.Stderr)
}

// watch is the watcher: it ends when the program does.
func watch(by, bytes string, stdin io.Reader, stderr io.Writer) {
	signal.Ignore(os.Interrupt, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGQUIT) // they are the program's
	dump, _ := io.ReadAll(io.LimitReader(stdin, maxDump))
	io.Copy(io.Discard, stdin)
	if outOfMemory.Match(dump) {
		fmt.Fprintf(stderr, "arignote: out of memory: %s allows the process %s bytes: raise it, or let the program keep less (config.memory_limit bounds what it may)\n", by, bytes)
		return
	}
	stderr.Write(dump) // of a mistake of ours, which the dump helps to find
}

// outOfMemory is what Go, its threads and C say where the system refuses memory.
var outOfMemory = regexp.MustCompile(`(?m)^(fatal error|runtime|runtime/cgo|runtime: [a-z ]+): .*(out of memory|cannot (re)?(allocate|map|reserve) (memory|pages)|failed to (create new OS thread|reserve|allocate)|` +
	`pthread_create failed|Cannot allocate memory)|^runtime: (out of memory|cannot allocate|failed to create new OS thread)`)
