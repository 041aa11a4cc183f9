package format_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/format"
)

var folder = flag.String("folder", "", "the folder whose files TestFolder lays out (the library of Python's that is here)")

// TestFolder: the files of a folder keep their trees and comments, by our parser and by CPython's.
// By itself it takes some of Python's library; -folder names projects, all of whose files it takes.
func TestFolder(t *testing.T) {
	dir, every := *folder, 1
	if dir == "" {
		dirs, _ := filepath.Glob("/usr/lib/python3.*")
		if len(dirs) == 0 {
			t.Skip("no library of Python's: install Debian's python3")
		}
		dir, every = dirs[0], 20
	}
	refusals := map[string]int{}
	var before, after []string
	seen, refused := 0, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".py" {
			return err
		}
		if seen++; seen%every != 0 {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(data)
		no, what := wrong(text)
		if what != "" {
			t.Errorf("%s: %s", path, what[:min(len(what), 500)])
			return nil
		}
		out, err := format.Source(path, text)
		if no {
			refused++
			var e *format.Error
			if !errors.As(err, &e) || strings.Contains(err.Error(), "report it") {
				t.Errorf("%s: %v", path, err)
			}
			refusals[e.Cause.Msg]++
			return nil
		}
		before, after = append(before, text), append(after, out)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, of which %d are refused", seen/every, refused)
	for what, n := range refusals {
		t.Logf("%5d  %s", n, what)
	}
	for i := 0; i < len(before); i += 1000 {
		end := min(i+1000, len(before))
		sameByPython(t, before[i:end], after[i:end])
	}
}
