package theano

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/symbolic/graphs"
	"github.com/arignote/arignote/starlib/symbolic/loops"
	"github.com/arignote/arignote/starlib/symbolic/userops"
	"github.com/arignote/arignote/starlib/value"
)

// Modules are these modules by name.
var Modules = func() map[string]*value.Module {
	all := slices.Concat(symbolic.RewriterTable, symbolic.RegisterTable, symbolic.AssertTable, []value.Builtin{symbolic.RewriteDatabaseQueryBuiltin, symbolic.RewriteGraph}, graphs.GraphTable, symbolic.InOutTable, symbolic.SymbolicInOut, loops.ScanTable, loops.IfElseTable, userops.FromGraphTable, userops.OpTable)
	modules := make(map[string]*value.Module)
	for _, m := range symbolic.ModuleNames {
		members := append(value.Builtins(symbolic.Pick(all, strings.Fields(m.Names)...)), symbolic.ClassMembers(m.Module)...)
		for name, inner := range modules {
			parent, own, _ := symbolic.CutLast(name)
			if parent != m.Module {
				continue
			}
			if i := slices.IndexFunc(members, func(f value.Member) bool { return f.Name == own }); i >= 0 {
				members[i].Behind = inner
			} else {
				members = append(members, value.Member{Name: own, Value: inner, Doc: inner.Doc()})
			}
		}
		modules[m.Module] = value.NewModule(m.Module, m.Doc, members...)
	}
	return modules
}()
