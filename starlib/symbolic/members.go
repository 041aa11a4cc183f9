package symbolic

import (
	"strings"

	"github.com/arignote/arignote/starlib/value"
)

// Pick takes rows from a table by name.
func Pick(table []value.Builtin, names ...string) []value.Builtin {
	var rows []value.Builtin
	for _, name := range names {
		for _, b := range table {
			if b.Name == name {
				rows = append(rows, b)
			}
		}
	}
	return rows
}

// MemberOf is a module as a member of the one that its name says.
func MemberOf(m *value.Module) value.Member {
	name := m.Name()
	return value.Member{Name: name[strings.LastIndexByte(name, '.')+1:], Value: m, Doc: m.Doc()}
}
