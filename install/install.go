package install

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Options says what to install, and where. The zero value installs the running
// program as "arignote" for the current user.
type Options struct {
	// At most one of these five names the place; none means User.
	User           bool   // --user: the user's Jupyter data folder
	System         bool   // --system: for all users of the machine
	SysPrefix      bool   // --sys-prefix: the Python environment that is active
	Prefix         string // --prefix: DIR/share/jupyter
	JupyterDataDir string // --jupyter-data-dir: DIR itself

	Name        string            // the kernel's name, and the folder's; "" is "arignote"
	DisplayName string            // shown in launchers; "" is "Starlark (Arignote)"
	Language    string            // "starlark" (also "") or "python", for frontends that know no Starlark
	Env         map[string]string // environment of the kernel; Jupyter expands ${NAME} in a value
	Args        []string          // further arguments of the kernel, after the connection file
	Executable  string            // the program to start; "" is the running one
	Copy        bool              // --copy: start a copy kept in the kernelspec's folder
	DryRun      bool              // check everything but Verify, and write nothing

	// Stdout receives the report; nil is silence (the Result says it all).
	Stdout io.Writer

	// Verify, if set, starts argv and asks it whether it is a kernel. It runs
	// before anything becomes visible, so a failure leaves the old kernelspec
	// in place. The placeholder {connection_file} is still in argv, and for a
	// copy argv[0] is the copy in its temporary place.
	Verify func(argv []string) error
}

// Result says what Install or Remove did, or with DryRun would have done.
type Result struct {
	Name        string   `json:"name"`
	DisplayName string   `json:"display_name"`
	Dir         string   `json:"dir"` // the kernelspec's folder
	Argv        []string `json:"argv"`
	Copied      bool     `json:"copied"`   // the program was copied into Dir
	Replaced    bool     `json:"replaced"` // an older kernelspec was there
	Removed     bool     `json:"removed"`
	DryRun      bool     `json:"dry_run"`
	Warnings    []string `json:"warnings"`
}

// Install writes the kernelspec o describes, replacing an older one of
// Arignote's. On error the older one is as it was.
func Install(o Options) (Result, error) { return thisMachine().install(o) }

// Remove deletes the kernelspec that Install with the same place and name
// wrote, with the copied program if there is one. It refuses to delete a
// folder that is not a kernelspec of Arignote's.
func Remove(o Options) (Result, error) { return thisMachine().remove(o) }

func (m machine) install(o Options) (Result, error) {
	if err := o.complete(); err != nil {
		return Result{}, err
	}
	at, err := m.locate(o)
	if err != nil {
		return Result{}, err
	}
	dir := filepath.Join(at.kernels(), o.Name)
	found, err := inspect(dir)
	if err != nil {
		return Result{}, at.failure("read", dir, err)
	}
	if !found.replaceable() {
		return Result{}, fmt.Errorf("install: %s %s; choose another --name, or move that folder away", dir, found)
	}
	prog, err := m.program(o, dir)
	if err != nil {
		return Result{}, err
	}

	r := Result{Name: o.Name, DisplayName: o.DisplayName, Dir: dir, DryRun: o.DryRun,
		Copied: prog.copyBecause != "", Replaced: found.state != absent}
	r.Warnings = append(m.placeWarnings(at, o.Name), prog.warnings...)
	argv0 := prog.path
	if r.Copied {
		argv0 = filepath.Join(dir, m.copyName())
	}
	s := newSpec(argv0, o)
	r.Argv = s.Argv
	if o.DryRun {
		o.report(r, prog)
		return r, nil
	}

	st, err := m.newStage(at.kernels())
	if err != nil {
		return Result{}, at.failure("write", at.kernels(), err)
	}
	defer st.discard()
	if err := st.fill(s, prog, m.copyName()); err != nil {
		return Result{}, at.failure("write", at.kernels(), err)
	}
	if o.Verify != nil {
		argv := append([]string(nil), s.Argv...)
		if r.Copied {
			argv[0] = filepath.Join(st.spec, m.copyName())
		}
		if err := o.Verify(argv); err != nil {
			return Result{}, fmt.Errorf("install: %s does not answer as a kernel: %w; %s was left as it was", argv[0], err, dir)
		}
	}
	if err := st.swap(dir); err != nil {
		return Result{}, at.failure("write", dir, err)
	}
	o.report(r, prog)
	return r, nil
}

func (m machine) remove(o Options) (Result, error) {
	if err := o.complete(); err != nil {
		return Result{}, err
	}
	at, err := m.locate(o)
	if err != nil {
		return Result{}, err
	}
	dir := filepath.Join(at.kernels(), o.Name)
	found, err := inspect(dir)
	switch {
	case err != nil:
		return Result{}, at.failure("read", dir, err)
	case found.state == absent:
		return Result{}, fmt.Errorf("install: no kernel %q in %s; %s", o.Name, at.kernels(), m.elsewhere(o.Name))
	case found.state != ours:
		return Result{}, fmt.Errorf("install: %s %s; it was not removed: use `jupyter kernelspec remove %s`, or delete the folder by hand", dir, found, o.Name)
	}

	r := Result{Name: o.Name, DisplayName: found.spec.DisplayName, Dir: dir, Argv: found.spec.Argv,
		Removed: !o.DryRun, DryRun: o.DryRun, Warnings: []string{}}
	r.Copied = len(r.Argv) > 0 && filepath.Dir(r.Argv[0]) == dir
	if !o.DryRun {
		st, err := m.newStage(at.kernels())
		if err != nil {
			return Result{}, at.failure("remove", dir, err)
		}
		defer st.discard()
		// Renamed first, so that Jupyter never sees half of it.
		if err := m.rename(dir, st.old); err != nil {
			return Result{}, at.failure("remove", dir, err)
		}
	}
	fmt.Fprintf(o.Stdout, "%s kernelspec %s: %s\n  %s    %s\n", would(o.DryRun, "removed", "remove"), r.Name, r.DisplayName, r.Name, dir)
	return r, nil
}

// kernelName is Jupyter's rule (jupyter_client compares lower-cased names with
// ^[a-z0-9._\-]+$), less a leading dot: ".." would be the data folder itself,
// and hidden names are those of our own staging folders.
var kernelName = regexp.MustCompile(`^[a-z0-9_\-][a-z0-9._\-]*$`)

// complete fills in the defaults and refuses what cannot be written.
// defaultName is the kernel's, unless the user chooses another.
const defaultName = "arignote"

func (o *Options) complete() error {
	if o.Name == "" {
		o.Name = defaultName
	}
	if o.DisplayName == "" {
		o.DisplayName = "Starlark (Arignote)"
	}
	if o.Language == "" {
		o.Language = "starlark"
	}
	if o.Stdout == nil {
		o.Stdout = io.Discard
	}
	name := strings.ToLower(o.Name)
	if !kernelName.MatchString(name) {
		return fmt.Errorf(`install: --name: got %q, want letters a-z, digits, "_", "-" and (not first) "."`, o.Name)
	}
	o.Name = name
	if o.Language != "starlark" && o.Language != "python" {
		return fmt.Errorf(`install: --language: got %q, want "starlark" or "python"`, o.Language)
	}
	for k := range o.Env {
		if k == "" || strings.ContainsAny(k, "=\x00") {
			return fmt.Errorf("install: --env: got the name %q, want NAME=VALUE", k)
		}
	}
	return nil
}

// report prints what happened; the second line is what `jupyter kernelspec
// list` shows. Failing to print is not failing to install, so it is ignored.
func (o Options) report(r Result, p program) {
	var b strings.Builder
	verb := would(r.DryRun, "installed", "install")
	if r.Replaced {
		verb = would(r.DryRun, "replaced", "replace")
	}
	fmt.Fprintf(&b, "%s kernelspec %s: %s\n", verb, r.Name, r.DisplayName)
	fmt.Fprintf(&b, "  %s    %s\n", r.Name, r.Dir)
	fmt.Fprintf(&b, "  starts: %s\n", strings.Join(r.Argv, " "))
	if r.Copied {
		fmt.Fprintf(&b, "  copied from %s: %s\n", p.path, p.copyBecause)
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	io.WriteString(o.Stdout, b.String())
}

func would(dryRun bool, done, do string) string {
	if dryRun {
		return "would " + do
	}
	return done
}

// machine is what the package asks of the world around it; tests state their
// own.
type machine struct {
	goos    string
	getenv  func(name string) string
	home    func() (string, error)
	python  func() (prefix string, err error) // sys.prefix of the Python that PATH finds
	tempDir string
	rename  func(from, to string) error
}

func thisMachine() machine {
	return machine{
		goos:    goos,
		getenv:  os.Getenv,
		home:    os.UserHomeDir,
		python:  askPython,
		tempDir: os.TempDir(),
		rename:  os.Rename,
	}
}
