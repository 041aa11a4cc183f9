package install

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// logos are the three files a Jupyter launcher looks for. The two PNGs are
// logo-svg.svg drawn at their sizes; its bars lie on even coordinates so that
// they are sharp at 32 pixels too.
//
//go:embed logo/logo-32x32.png logo/logo-64x64.png logo/logo-svg.svg
var logos embed.FS

// spec is kernel.json. Every field states what the kernel does: a frontend
// that is promised a debugger or encryption uses it, and then cannot talk to a
// kernel without.
type spec struct {
	Argv            []string          `json:"argv"`
	DisplayName     string            `json:"display_name"`
	Language        string            `json:"language"`
	InterruptMode   string            `json:"interrupt_mode"`
	Env             map[string]string `json:"env"`
	ProtocolVersion string            `json:"kernel_protocol_version"`
	Metadata        metadata          `json:"metadata"`
}

type metadata struct {
	Debugger bool `json:"debugger"`
}

func newSpec(argv0 string, o Options) spec {
	env := o.Env
	if env == nil {
		env = map[string]string{} // written as {}, not null, which Jupyter refuses
	}
	return spec{
		Argv:        append([]string{argv0, "kernel", "-f", "{connection_file}"}, o.Args...),
		DisplayName: o.DisplayName,
		Language:    o.Language,
		// A message, not a signal: Windows has no SIGINT to send, and a remote
		// frontend no process to send it to.
		InterruptMode:   "message",
		Env:             env,
		ProtocolVersion: "5.5",
	}
}

func (s spec) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // people read the file, and a name may hold an &
	e.SetIndent("", " ")
	err := e.Encode(s)
	return b.Bytes(), err
}

// ours says whether s is of Arignote's making: its argv starts our subcommand,
// and either the language or the program's name is ours too. A user may have
// chosen the kernel's name and the display name, and renamed the program.
func (s spec) ours() bool {
	if len(s.Argv) < 4 || s.Argv[1] != "kernel" || s.Argv[2] != "-f" || s.Argv[3] != "{connection_file}" {
		return false
	}
	base := s.Argv[0][strings.LastIndexAny(s.Argv[0], `/\`)+1:]
	return s.Language == "starlark" || strings.HasPrefix(strings.ToLower(base), "arignote")
}

type state int

const (
	absent   state = iota // nothing there
	empty                 // an empty folder
	ours                  // a kernelspec of Arignote's
	foreign               // another program's kernelspec
	notASpec              // anything else: a file, a folder of other things, a broken kernel.json
)

// finding is what lies where a kernelspec goes.
type finding struct {
	state state
	spec  spec   // for ours and foreign
	why   string // for notASpec
}

func (f finding) replaceable() bool {
	return f.state == absent || f.state == empty || f.state == ours
}

// String continues a sentence that begins with the folder's path.
func (f finding) String() string {
	switch f.state {
	case absent:
		return "does not exist"
	case empty:
		return "is an empty folder, not a kernel"
	case notASpec:
		return f.why
	case ours:
		return fmt.Sprintf("is Arignote's kernel %q", f.spec.DisplayName)
	}
	return fmt.Sprintf("is another program's kernel, %q, which starts %q", f.spec.DisplayName, strings.Join(f.spec.Argv, " "))
}

// inspect looks at dir. The error is one of access: what cannot be read must
// neither be replaced nor removed.
func inspect(dir string) (finding, error) {
	st, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(dir); err == nil {
			return finding{state: notASpec, why: "is a link to nowhere"}, nil
		}
		return finding{state: absent}, nil
	}
	if err != nil {
		return finding{}, err
	}
	if !st.IsDir() {
		return finding{state: notASpec, why: "is a file, not the folder of a kernel"}, nil
	}
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return finding{}, err
		}
		if len(entries) == 0 {
			return finding{state: empty}, nil
		}
		return finding{state: notASpec, why: fmt.Sprintf("has no kernel.json (but %s)", entries[0].Name())}, nil
	}
	if err != nil {
		return finding{}, err
	}
	f := finding{state: foreign}
	if err := json.Unmarshal(text, &f.spec); err != nil {
		return finding{state: notASpec, why: fmt.Sprintf("has a kernel.json that cannot be read: %v", err)}, nil
	}
	if f.spec.ours() {
		f.state = ours
	}
	return f, nil
}
