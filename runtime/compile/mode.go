package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/exec"
)

// Mode says how a function is compiled. It is never changed: including and excluding return copies.
type Mode struct {
	Linker    string // one of LinkerNames
	Optimizer string // one of OptimizerNames
	Include   []string
	Exclude   []string
	Require   []string
	Rules     []Registered       // of users, besides those of the session
	Debug     *debugmode.Options // the checks of DebugMode; nil in other modes
	Monitor   exec.Monitor       // what looks at every node as it runs; nil in most modes
}

// modes are the modes that have a name. "Mode" is whatever the defaults are; whoever names another
// mode gets exactly that one, as in Theano, and no flag changes it. Those without a linker, which
// differ from others in what is done around compiling, have the defaults' linker and optimizer.
var modes = map[string]Mode{
	"Mode":          {},
	"FAST_RUN":      {Linker: "c|go", Optimizer: "fast_run"},
	"FAST_RUN_NOGC": {Linker: "c|go" + noGC, Optimizer: "fast_run"},
	"FAST_COMPILE":  {Linker: "c|go", Optimizer: "fast_compile"},
	"STABILIZE":     {Linker: "c|go", Optimizer: "stabilize"},
	"SANITY_CHECK":  {Linker: "c|go", Optimizer: "fast_run", Debug: &debugmode.Options{Patience: 1, CheckC: true, CheckGo: true, CheckRewrites: true}},
	"DebugMode":     {Debug: &debugDefault},
	"DEBUG_MODE":    {Debug: &debugDefault},
	"NanGuardMode":  {},
	"PROFILE_MODE":  {},
	"ProfileMode":   {},
}

var debugDefault = debugmode.Default()

// compares are the checks of the linker "c&go" in a mode that has no others.
var compares = debugmode.Options{Patience: 1, CheckC: true, CheckGo: true}

// checks are those that the mode's functions run under, nil for none.
func (m Mode) checks() *debugmode.Options {
	if kernels, _ := splitLinker(m.Linker); m.Debug == nil && kernels == compared {
		return &compares
	}
	return m.Debug
}

// ModeNames lists the modes that have a name.
func ModeNames() []string {
	names := make([]string, 0, len(modes))
	for name := range modes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// NamedMode finds a mode; "" and "Mode" are the defaults.
func NamedMode(name string, defaults Mode) (Mode, error) {
	if name == "" || name == "Mode" {
		return defaults, nil
	}
	m, ok := modes[name]
	switch {
	case ok && m.Linker == "":
		return Mode{Linker: defaults.Linker, Optimizer: defaults.Optimizer, Debug: m.Debug}, nil
	case ok:
		return m, nil
	}
	return Mode{}, fmt.Errorf("unknown mode %q (want %s)", name, strings.Join(ModeNames(), ", "))
}

// Including is m with the rewrites of these tags.
func (m Mode) Including(tags ...string) Mode {
	m.Include = append(slices.Clone(m.Include), tags...)
	return m
}

// Excluding is m without the rewrites of these tags.
func (m Mode) Excluding(tags ...string) Mode {
	m.Exclude = append(slices.Clone(m.Exclude), tags...)
	return m
}

// Requiring is m with only those rewrites that have these tags too.
func (m Mode) Requiring(tags ...string) Mode {
	m.Require = append(slices.Clone(m.Require), tags...)
	return m
}

// Registering returns the mode with rules of users, which take the place of those of their names.
func (m Mode) Registering(rules ...Registered) Mode {
	m.Rules = With(m.Rules, rules...)
	return m
}

// query is what Optimize is asked for.
func (m Mode) query() Query {
	return Query{Optimizer: m.Optimizer, Include: m.Include, Exclude: m.Exclude, Require: m.Require}
}

// CheckTags reports the first name that is no pass, group or rule, of Arignote's own or of rules.
// kind is including, excluding or requiring.
func CheckTags(kind string, tags []string, rules ...Registered) error {
	_, err := catalogOf(rules).resolve(kind, tags, true)
	return err
}
