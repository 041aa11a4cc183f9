package export

import (
	"path/filepath"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/files"
)

// folder is where the texts of cells lie for the pprof profile at path: a cell is in no file, and
// its text would be one among the user's.
func folder(path string) string {
	base := filepath.Base(path)
	return base[:len(base)-len(".pb.gz")] + ".cells"
}

// fileName is the name by which pprof finds the text of a file or cell from the profile's folder
// on: "train.cells/In[7].star".
func fileName(folder, origin string) string {
	if isCell(origin) {
		return filepath.Join(folder, origin+".star")
	}
	return origin
}

// isCell reports whether an origin's file is a cell of a notebook, which is in no file.
func isCell(origin string) bool {
	return strings.HasPrefix(origin, "In[") && strings.HasSuffix(origin, "]")
}

// writeSources writes the texts of cells beside the profile at path.
func writeSources(door *files.Door, path string, all []*profiler.Stats) error {
	for _, s := range all {
		if s == nil {
			continue
		}
		for name, text := range s.Clone().Sources {
			if !isCell(name) || strings.ContainsAny(name, `/\`) {
				continue
			}
			file := filepath.Join(filepath.Dir(path), fileName(folder(path), name))
			if err := door.MakeAll(filepath.Dir(file)); err != nil {
				return err
			}
			if err := door.Write(file, []byte(text)); err != nil {
				return err
			}
		}
	}
	return nil
}
