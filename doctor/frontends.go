package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/arignote/arignote/install"
)

// A jupyter is the Jupyter that the PATH finds.
type jupyter struct {
	program  string
	versions map[string]string // of its parts that are installed
	data     []string          // folders in which it looks for kernels
}

// askJupyter asks the programs of Jupyter at the same time, for each starts a Python.
func askJupyter(ctx context.Context) *jupyter {
	program, err := exec.LookPath("jupyter")
	if err != nil {
		return nil
	}
	j := &jupyter{program: program, versions: map[string]string{}}
	var wait sync.WaitGroup
	var versions, console string
	wait.Go(func() { versions = answer(ctx, program, "--version") })
	wait.Go(func() {
		var paths struct {
			Data []string `json:"data"`
		}
		// One that is too old to answer looks in the usual places.
		_ = json.Unmarshal([]byte(answer(ctx, program, "--paths", "--json")), &paths)
		j.data = paths.Data
	})
	wait.Go(func() {
		if program, err := exec.LookPath("jupyter-console"); err == nil {
			console = answer(ctx, program, "--version")
		}
	})
	wait.Wait()
	for line := range strings.Lines(versions) {
		if name, version, ok := strings.Cut(line, ":"); ok {
			j.note(strings.TrimSpace(name), strings.TrimSpace(version))
		}
	}
	if fields := strings.Fields(console); len(fields) > 0 {
		j.note("jupyter_console", fields[len(fields)-1])
	}
	return j
}

func (j *jupyter) note(name, version string) {
	if version != "" && version != "not installed" {
		j.versions[name] = version
	}
}

// answer is what a program prints, "" if it fails or takes too long.
func answer(ctx context.Context, program string, args ...string) string {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = patience / 10
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return string(out)
}

// known are the front ends, by the names of their packages.
var known = []struct{ pkg, name string }{
	{"jupyterlab", "lab"}, {"notebook", "notebook"}, {"jupyter_console", "console"}, {"qtconsole", "qtconsole"},
	{"nbclient", "nbclient"}, {"nbconvert", "nbconvert"},
}

// frontEnds lists what can show notebooks.
func frontEnds(_ context.Context, e *examination) []Finding {
	const what = "front ends"
	versions := map[string]string{}
	var list []string
	add := func(name, version string) {
		versions[name] = version
		list = append(list, name+" "+version)
	}
	if e.jupyter != nil {
		for _, k := range known {
			if version := e.jupyter.versions[k.pkg]; version != "" {
				add(k.name, version)
			}
		}
	}
	if version := vsCode(); version != "" {
		add("VS Code's Jupyter", version)
	}
	switch {
	case len(list) > 0:
		return one(Finding{What: what, State: OK, Says: strings.Join(list, ", "), Data: versions})
	case e.jupyter != nil:
		return one(Finding{What: what, State: Wrong, Says: e.jupyter.program + " has no front end, or does not answer",
			Do: "see what \"jupyter --version\" says; pip install jupyterlab, or apt-get install jupyter-notebook"})
	}
	return one(Finding{What: what, State: Note, Says: "none found: arignote repl, run and nb need none",
		Do: "for notebooks: pip install jupyterlab, or apt-get install jupyter-notebook, or VS Code with its extension Jupyter"})
}

var extension = regexp.MustCompile(`^ms-toolsai\.jupyter-(\d[\d.]*)`)

// vsCode is the version of VS Code's extension for notebooks, "" if it is not there.
func vsCode() (version string) {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	for _, dir := range []string{".vscode", ".vscode-server", ".vscode-oss"} {
		entries, _ := os.ReadDir(filepath.Join(home, dir, "extensions")) // most have none
		for _, entry := range entries {
			if m := extension.FindStringSubmatch(entry.Name()); m != nil {
				version = m[1]
			}
		}
	}
	return version
}

// kernelspecs looks at what Jupyter starts.
func kernelspecs(ctx context.Context, e *examination) (list []Finding) {
	const what = "kernelspec"
	var data []string
	if e.jupyter != nil {
		data = e.jupyter.data
	}
	for _, k := range install.Find(data) {
		f := Finding{What: what, State: OK, Data: k, Says: fmt.Sprintf("%s (%s), starts %s", k.DisplayName, k.Dir, strings.Join(k.Argv[:min(1, len(k.Argv))], ""))}
		switch wrong := e.starts(ctx, k); {
		case k.Hidden:
			f.State, f.Says = Note, fmt.Sprintf("%s: another of its name comes first", k.Dir)
		case wrong != "":
			f.State, f.Says, f.Do = Wrong, fmt.Sprintf("%s: %s", k.Dir, wrong), again(k)
		}
		list = append(list, f)
	}
	if len(list) > 0 {
		return list
	}
	f := Finding{What: what, State: Note, Says: "none: Jupyter does not know Arignote", Do: "arignote install"}
	if e.jupyter != nil || vsCode() != "" {
		f.State = Wrong
	}
	return one(f)
}

// again is the command that writes a kernelspec anew.
func again(k install.Kernelspec) string {
	return fmt.Sprintf("arignote install --jupyter-data-dir %s --name %s", filepath.Dir(filepath.Dir(k.Dir)), k.Name)
}

// starts says what is wrong with the program of a kernelspec, "" if nothing is.
func (e *examination) starts(ctx context.Context, k install.Kernelspec) string {
	if k.Broken != "" {
		return k.Broken
	}
	program, err := exec.LookPath(k.Argv[0])
	if err != nil {
		return fmt.Sprintf("starts %s, which cannot be run: %v", k.Argv[0], reason(err))
	}
	if same(program, e.program) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "version").Output()
	got := string(bytes.TrimSpace(out))
	switch {
	case err != nil:
		return fmt.Sprintf("starts %s, which fails: %v", program, err)
	case got != "arignote "+e.version:
		return fmt.Sprintf("starts %s, which is %q; this is arignote %s", program, got, e.version)
	}
	return ""
}

// reason is an error without the name of the file.
func reason(err error) error {
	if failed := (*exec.Error)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

func same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
