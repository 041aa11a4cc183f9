package main

import (
	gobuild "go/build"
	"path/filepath"
	"strings"
	"testing"
)

// maxRebuilt is how many packages the tests of one may compile again.
const maxRebuilt = 7

// TestTestsRebuildLittle: a test file that is in its package makes another package of it, for which
// the go command compiles again all packages between it and what its other test files import. The
// tests of a package far below, one in it and one that runs programs in sessions, compiled half of
// the rooms again, for go vet, for go test and for the race detector: make the first one of package
// x_test, or what it tests a package of its own.
func TestTestsRebuildLittle(t *testing.T) {
	imports := packages(t)
	needs := map[[2]string]bool{} // a package, and one of ours that it needs
	var add func(room, of string)
	add = func(room, of string) {
		for _, path := range imports[of] {
			if mine, ok := ownRoom(path); ok && !needs[[2]string{room, mine}] {
				needs[[2]string{room, mine}] = true
				add(room, mine)
			}
		}
	}
	for room := range imports {
		add(room, room)
	}
	for room := range imports {
		p, err := gobuild.Default.ImportDir(filepath.Join(".", room), 0)
		if err != nil || len(p.TestGoFiles) == 0 {
			continue
		}
		var rebuilt []string
		for above := range imports {
			if !needs[[2]string{above, room}] {
				continue
			}
			for _, path := range p.XTestImports {
				if mine, ok := ownRoom(path); ok && (mine == above || needs[[2]string{mine, above}]) {
					rebuilt = append(rebuilt, above)
					break
				}
			}
		}
		if len(rebuilt) > maxRebuilt {
			t.Errorf("%v, in package %s, and tests outside of it make the go command compile %d packages again, want at most %d", p.TestGoFiles, room, len(rebuilt), maxRebuilt)
		}
	}
}

// ownRoom is the room of a package of this module.
func ownRoom(path string) (room string, ok bool) {
	room, ok = strings.CutPrefix(path, module)
	return strings.TrimPrefix(room, "/"), ok
}
