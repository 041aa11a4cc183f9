package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/files"
)

// MIME is the type under which notebooks keep the data of a profile.
const MIME = "application/vnd.arignote.profile+json"

// maxRead is how large a file of profiles, or a notebook, may be.
const maxRead = 1 << 30

// Read returns the profiles of a file that Write wrote as .anprof or .json, or those that the
// outputs of a notebook show, in its order; what a notebook shows again is once.
func Read(door *files.Door, path string) ([]*profiler.Stats, error) {
	data, err := door.Read(path, maxRead)
	if err != nil {
		return nil, err
	}
	parse := Parse
	if strings.EqualFold(filepath.Ext(path), ".ipynb") {
		parse = ParseNotebook
	}
	all, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return profiler.Once(all...), nil
}

// Parse reads one profile or a list of profiles.
func Parse(data []byte) ([]*profiler.Stats, error) {
	data = bytes.TrimSpace(data)
	if len(data) > 0 && data[0] == '[' {
		var all []*profiler.Stats
		if err := json.Unmarshal(data, &all); err != nil {
			return nil, notProfile(err)
		}
		for i, s := range all {
			if s == nil {
				return nil, fmt.Errorf("profile %d is null", i)
			}
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("the list of profiles is empty")
		}
		return all, nil
	}
	s := new(profiler.Stats)
	if err := json.Unmarshal(data, s); err != nil {
		return nil, notProfile(err)
	}
	return []*profiler.Stats{s}, nil
}

// notProfile says what was expected if the file is not JSON at all.
func notProfile(err error) error {
	if _, ok := err.(*json.SyntaxError); ok {
		return fmt.Errorf("got no profile, want what p.save(\"file.anprof\") writes, or a notebook: %w", err)
	}
	return err
}

// contents are all that a profile says, but for the time at which it was shown.
func contents(s *profiler.Stats) string {
	c := s.Clone()
	c.Globals = nil
	data, err := json.Marshal(c)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return string(data)
}

// ParseNotebook reads the profiles that the outputs of a notebook show.
func ParseNotebook(data []byte) ([]*profiler.Stats, error) {
	var nb struct {
		Cells []struct {
			Outputs []struct {
				Data map[string]json.RawMessage `json:"data"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(data, &nb); err != nil {
		return nil, fmt.Errorf("got no notebook: %w", err)
	}
	var all []*profiler.Stats
	shown := make(map[string]bool) // what was written before functions had identities
	for i, cell := range nb.Cells {
		for _, out := range cell.Outputs {
			raw, ok := out.Data[MIME]
			if !ok {
				continue
			}
			list, err := Parse(raw)
			if err != nil {
				return nil, fmt.Errorf("cell %d: %w", i+1, err)
			}
			for _, s := range list {
				if text := contents(s); !shown[text] {
					shown[text] = true
					all = append(all, s)
				}
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the notebook shows no profiles: run it with %%%%profile on the first line of a cell")
	}
	return all, nil
}
