package starlib_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib"
	"golang.org/x/sys/unix"
)

// readers read what a %s names.
var readers = []string{
	"open('%s').read()", "open('%s').readline()", "[x for x in open('%s')]", "next(open('%s'))", "import json; json.load(open('%s'))",
	"import pickle; pickle.load(open('%s', 'rb'))", "import csv; list(csv.reader(open('%s')))", "np.loadtxt('%s')", "np.genfromtxt('%s')",
}

// TestEndlessDevices: what has no end takes no more memory than there is, in an error that a
// program can catch.
func TestEndlessDevices(t *testing.T) {
	memory.SetLimit(300e6)
	defer memory.SetLimit(0)
	for i, code := range readers {
		if !long.Turn(i, 1) {
			continue
		}
		s := starlib.NewSession(starlib.Options{})
		_, _, err := s.Execute(context.Background(), 1, "import numpy as np", nil)
		if err == nil {
			_, _, err = s.Execute(context.Background(), 2, strings.ReplaceAll(code, "%s", "/dev/zero"), nil)
		}
		if e, ok := err.(*starlib.Error); !ok || e.Name() != "MemoryError" {
			t.Errorf("%s: got %v, want a MemoryError", code, err)
		}
	}
}

// TestEndlessPipes: what has no end, and does not come at once, is left where the cell is
// interrupted.
func TestEndlessPipes(t *testing.T) {
	for _, code := range readers {
		s := starlib.NewSession(starlib.Options{Dir: t.TempDir()})
		if _, _, err := s.Execute(context.Background(), 1, "import numpy as np", nil); err != nil {
			t.Fatal(err)
		}
		path := t.TempDir() + "/pipe"
		if err := unix.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		pipe, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				if _, err := pipe.Write([]byte("1 2 3\n")); err != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		_, _, err = s.Execute(ctx, 2, strings.ReplaceAll(code, "%s", path), nil)
		cancel()
		pipe.Close()
		if e, ok := err.(*starlib.Error); !ok || e.Name() != "TimeoutError" {
			t.Errorf("%s: got %v, want an interrupt", code, err)
		}
	}
}
