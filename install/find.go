package install

import (
	"os"
	"path/filepath"
	"slices"
)

// A Kernelspec is a folder on Jupyter's search path that starts Arignote, or
// that has its name and starts nothing.
type Kernelspec struct {
	Name        string   `json:"name"`
	Dir         string   `json:"dir"`
	DisplayName string   `json:"display_name,omitempty"`
	Argv        []string `json:"argv,omitempty"`
	Hidden      bool     `json:"hidden,omitempty"` // by another of its name that comes first
	Broken      string   `json:"broken,omitempty"` // why it starts nothing
}

// Find lists Arignote's kernelspecs in the order in which Jupyter looks for
// them: in the data folders given, which a Jupyter says it has, or else where
// one most likely looks.
func Find(data []string) []Kernelspec { return thisMachine().find(data) }

func (m machine) find(data []string) (list []Kernelspec) {
	if len(data) == 0 {
		data = m.searchPath(location{})
	}
	var seen []string
	var folders []string
	for _, dir := range data {
		if slices.ContainsFunc(folders, func(other string) bool { return sameFolder(dir, other) }) {
			continue
		}
		folders = append(folders, dir)
		// What cannot be read, Jupyter cannot read either.
		entries, _ := os.ReadDir(filepath.Join(dir, "kernels"))
		for _, e := range entries {
			k := Kernelspec{Name: e.Name(), Dir: filepath.Join(dir, "kernels", e.Name()), Hidden: slices.Contains(seen, e.Name())}
			seen = append(seen, e.Name())
			switch found, err := inspect(k.Dir); {
			case err == nil && found.state == ours:
				k.DisplayName, k.Argv = found.spec.DisplayName, found.spec.Argv
			case e.Name() != defaultName:
				continue
			case err != nil:
				k.Broken = err.Error()
			default:
				k.Broken = found.String()
			}
			list = append(list, k)
		}
	}
	return list
}
