package value

import "slices"

// Starlark's own types have fewer methods than Python's. The tables methods_*.go document all
// methods of both; those that Starlark has not, or has without what cells need, have an
// implementation here. Attributes by their names are looked up by Attr (attr.go).

func init() {
	for typ, table := range map[string][]Builtin{
		"string": stringTable, "bytes": bytesTable, "list": listTable, "tuple": tupleTable, "dict": dictTable, "set": setTable, "frozenset": frozenSetTable(),
		"int": intTable, "bool": slices.Clone(intTable), "float": floatTable, "complex": complexTable,
	} {
		for i := range table {
			b := &table[i]
			if b.Fn != nil || b.Asks != nil {
				ownMethods[b.Name] = true
			}
			if b.Fn == nil {
				b.Fn = callOwner
			}
		}
		methodTables[typ] = NewMethods(typ, table)
	}
	for typ, fields := range map[string][]Field{"int": intFields, "bool": intFields, "float": floatFields, "complex": complexFields} {
		methodTables[typ].With(fields...)
		for _, f := range fields {
			ownMethods[f.Name] = true
		}
	}
}
