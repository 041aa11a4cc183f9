package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/arignote/arignote/profiler"
)

// Collapsed returns the writer of stacks as lines of text, outermost frame first, each with a
// number behind it, as flamegraph.pl and its like read them: of nanoseconds, or of another measure.
func Collapsed(of string) func(w io.Writer, all []*profiler.Stats) error {
	return func(w io.Writer, all []*profiler.Stats) error {
		out := bufio.NewWriter(w)
		grow(profiler.Stacks(all...), []measure{measureOf(of)}).each(nil, func(stack []*branch, own float64) {
			var names []string
			for _, b := range stack {
				names = append(names, strings.ReplaceAll(b.name, ";", ",")) // which divides frames
			}
			if n := clamp(own); n > 0 {
				fmt.Fprintf(out, "%s %d\n", strings.Join(names, ";"), n)
			}
		})
		return out.Flush()
	}
}

// A speedscope file is one profile for each measure, of the same frames.
type speedscope struct {
	Schema string `json:"$schema"`
	Shared struct {
		Frames []speedscopeFrame `json:"frames"`
	} `json:"shared"`
	Profiles []speedscopeProfile `json:"profiles"`
	Name     string              `json:"name"`
	Exporter string              `json:"exporter"`
}

type speedscopeFrame struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

type speedscopeProfile struct {
	Type    string    `json:"type"`
	Name    string    `json:"name"`
	Unit    string    `json:"unit"`
	Start   float64   `json:"startValue"`
	End     float64   `json:"endValue"`
	Samples [][]int   `json:"samples"` // stacks as numbers of frames, outermost first
	Weights []float64 `json:"weights"`
}

// Speedscope writes the stacks for www.speedscope.app, a profile for each measure.
func Speedscope(w io.Writer, all []*profiler.Stats) error {
	stacks := stacksOf(all)
	file := speedscope{Schema: "https://www.speedscope.app/file-format-schema.json", Name: printable(titleOf(all)), Exporter: "arignote", Profiles: []speedscopeProfile{}}
	file.Shared.Frames = []speedscopeFrame{}
	at := make(map[frame]int)
	for _, m := range measures(stacks) {
		p := speedscopeProfile{Type: "sampled", Name: m.name, Unit: m.unit, Samples: [][]int{}, Weights: []float64{}}
		grow(stacks, []measure{m}).each(nil, func(outer []*branch, own float64) {
			var stack []int
			for _, b := range outer {
				i, ok := at[b.frame]
				if !ok {
					i = len(file.Shared.Frames)
					at[b.frame] = i
					file.Shared.Frames = append(file.Shared.Frames, speedscopeFrame{b.name, b.file, b.line})
				}
				stack = append(stack, i)
			}
			p.Samples, p.Weights = append(p.Samples, stack), append(p.Weights, own)
			p.End += own
		})
		file.Profiles = append(file.Profiles, p)
	}
	return json.NewEncoder(w).Encode(file)
}

// each calls do with the stacks that end in b or above it.
func (b *branch) each(outer []*branch, do func(stack []*branch, own float64)) {
	if b.name != "" {
		outer = append(outer[:len(outer):len(outer)], b)
	}
	if own := b.own(0); own > 0 && len(outer) > 0 {
		do(outer, own)
	}
	for _, in := range b.branches {
		in.each(outer, do)
	}
}

// titleOf is the title of a file: that of the cell, or of the profiles.
func titleOf(all []*profiler.Stats) string {
	for _, s := range all {
		if s != nil && s.Cell != nil {
			return s.Cell.Name
		}
	}
	if len(all) == 1 {
		return all[0].Title()
	}
	return profiler.Sum(all...).Title()
}
