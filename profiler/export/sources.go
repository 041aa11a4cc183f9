package export

import (
	"path/filepath"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/files"
)

// fileName is the name by which pprof finds the text of a file or cell: a cell is a file beside the profile, "In[7].star".
func fileName(origin string) string {
	if isCell(origin) {
		return origin + ".star"
	}
	return origin
}

// isCell reports whether an origin's file is a cell of a notebook, which is in no file.
func isCell(origin string) bool {
	return strings.HasPrefix(origin, "In[") && strings.HasSuffix(origin, "]")
}

// writeSources writes the texts of cells into dir.
func writeSources(door *files.Door, dir string, all []*profiler.Stats) error {
	for _, s := range all {
		if s == nil {
			continue
		}
		for name, text := range s.Clone().Sources {
			if !isCell(name) || strings.ContainsAny(name, `/\`) {
				continue
			}
			if err := door.Write(filepath.Join(dir, fileName(name)), []byte(text)); err != nil {
				return err
			}
		}
	}
	return nil
}
