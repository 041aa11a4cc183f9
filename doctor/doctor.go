package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/roofline"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/visible"
)

// A State is how a finding is.
type State string

const (
	OK    State = "ok"
	Note  State = "note" // worth knowing, and nothing fails
	Wrong State = "wrong"
)

// A Finding is one thing that was looked at.
type Finding struct {
	What  string `json:"what"`
	State State  `json:"state"`
	Says  string `json:"says"`
	Do    string `json:"do,omitempty"`   // what helps
	Data  any    `json:"data,omitempty"` // the same, for programs
}

// A Report is what was found.
type Report struct {
	Version  string    `json:"version"`
	Program  string    `json:"program"`
	Broken   bool      `json:"broken"`
	Findings []Finding `json:"findings"`
}

// An examination is what the checks have in common.
type examination struct {
	version, program string
	jupyter          *jupyter // nil: there is none
}

// checks are what is looked at, in the order of the report.
var checks = []func(context.Context, *examination) []Finding{
	kernelspecs, frontEnds, instructions, threads, roof, cache, flags,
}

// patience is how long others may take to answer.
const patience = 10 * time.Second

// Examine looks at everything; the program is of the version given.
func Examine(ctx context.Context, version string) *Report {
	ctx, cancel := context.WithTimeout(ctx, 3*patience)
	defer cancel()
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	e := &examination{version: version, program: program, jupyter: askJupyter(ctx)}
	r := &Report{Version: version, Program: program}
	for _, look := range checks {
		r.Findings = append(r.Findings, look(ctx, e)...)
	}
	r.Broken = slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.State == Wrong })
	return r
}

// Text writes the report in lines, with what to do below what is wrong.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "arignote %s, %s\n", r.Version, visible.Text(r.Program))
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%-5s  %-12s  %s\n", f.State, f.What, visible.Text(f.Says))
		if f.Do != "" {
			fmt.Fprintf(&b, "%21sdo: %s\n", "", visible.Text(f.Do))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// JSON writes the report for programs.
func (r *Report) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

func one(f Finding) []Finding { return []Finding{f} }

// instructions is which kernels compute.
func instructions(context.Context, *examination) []Finding {
	const what = "instructions"
	has := []string{"go"}
	for _, s := range native.Sets() {
		has = append(has, s.ISA())
	}
	best, err := native.Best()
	if err != nil {
		return one(Finding{What: what, State: Wrong, Says: err.Error(), Do: "unset " + native.Variable})
	}
	used := "go"
	if best != nil {
		used = best.ISA()
	}
	f := Finding{What: what, State: OK, Says: fmt.Sprintf("%s in use; this machine has %s", used, strings.Join(has, ", ")),
		Data: map[string]any{"used": used, "available": has}}
	switch {
	case len(has) == 1:
		f.State, f.Do = Note, "build with cgo and a C compiler, for kernels that are some times as fast"
	case used != has[len(has)-1]:
		f.State, f.Do = Note, fmt.Sprintf("unset %s, which asks for it", native.Variable)
	}
	return one(f)
}

func threads(context.Context, *examination) []Finding {
	const what = "threads"
	n, err := parallel.Default()
	if err != nil {
		return one(Finding{What: what, State: Wrong, Says: err.Error(), Do: "unset " + parallel.Variable})
	}
	return one(Finding{What: what, State: OK, Says: fmt.Sprintf("%d, of %d cores", n, parallel.Cores()),
		Data: map[string]int{"threads": n, "cores": parallel.Cores()}})
}

// roof is what the machine can do at most: measured before, or now.
func roof(ctx context.Context, _ *examination) []Finding {
	const what = "roof"
	n, err := parallel.Default()
	if err != nil {
		n = parallel.Cores()
	}
	m, err := roofline.Machine(ctx, n, true)
	if err != nil {
		return one(Finding{What: what, State: Note, Says: "not measured: " + err.Error(), Do: "try again when the machine is quiet"})
	}
	f := Finding{What: what, State: OK, Says: roofText(m), Data: m}
	if m.Doubt != "" {
		f.State, f.Do = Note, "try again when the machine is quiet: "+m.Doubt
	}
	return one(f)
}

func roofText(m *profiler.Machine) string {
	text := fmt.Sprintf("%.0f GFLOP/s in float64, %.0f in float32", m.Roof.Flops64/1e9, m.Roof.Flops32/1e9)
	for _, l := range m.Roof.Levels {
		text += fmt.Sprintf(", %s %.0f GB/s", l.Name, l.Bandwidth/1e9)
	}
	return text + "; " + m.CPU
}

// cache is where measurements are kept.
func cache(context.Context, *examination) []Finding {
	const what = "cache"
	dir := roofline.Cache()
	if dir == "" {
		return one(Finding{What: what, State: Note, Says: "off: the machine is measured by each program that asks for its roof",
			Do: fmt.Sprintf("unset %s, or name a folder by it", roofline.Variable)})
	}
	size, files := int64(0), 0
	err := os.MkdirAll(dir, 0o777) // as a measurement does
	if err != nil {
		return one(notKept(dir, err))
	}
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size, files = size+info.Size(), files+1
		}
		return nil // a file that is gone is no matter
	})
	if err == nil {
		err = writable(dir)
	}
	if err != nil {
		return one(notKept(dir, err))
	}
	return one(Finding{What: what, State: OK, Says: fmt.Sprintf("%s, %d files, %d kB", dir, files, (size+1023)>>10),
		Data: map[string]any{"dir": dir, "files": files, "bytes": size}})
}

// notKept says that a folder cannot be the cache.
func notKept(dir string, err error) Finding {
	return Finding{What: "cache", State: Wrong, Says: fmt.Sprintf("%s: %v", dir, err),
		Do: fmt.Sprintf("make it a folder that you may write to, or name another one by %s", roofline.Variable)}
}

// writable tries to write into a folder.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// flags is where flags of the compiler come from, and whether they can be read.
func flags(context.Context, *examination) []Finding {
	const what = "flags"
	files := config.Files(config.Options{})
	cfg, err := config.Load(config.Options{})
	if err != nil {
		return one(Finding{What: what, State: Wrong, Says: err.Error(), Do: "mend it: no cell runs before"})
	}
	f := Finding{What: what, State: OK, Says: "no " + config.ProjectFile + " here or above, and no file of yours"}
	if len(files) > 0 {
		f.Data, f.Says = files, strings.Join(files, ", ")
	}
	list := one(f)
	for _, note := range cfg.Notes() {
		list = append(list, Finding{What: what, State: Note, Says: note})
	}
	return list
}
