package symbolic

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Query says by tags which rewrites a mode has: Theano's Query, PyTensor's RewriteDatabaseQuery.
type Query struct{ q compile.Query }

var (
	_ value.Tabled        = Query{}
	_ starlark.Comparable = Query{}
)

func (q Query) String() string {
	parts := []string{"include=" + tagList(q.q.Include).String()}
	for _, list := range []struct {
		name string
		tags []string
	}{{"require", q.q.Require}, {"exclude", q.q.Exclude}} {
		if len(list.tags) > 0 {
			parts = append(parts, list.name+"="+tagList(list.tags).String())
		}
	}
	return "Query(" + strings.Join(parts, ", ") + ")"
}

func (q Query) Type() string          { return "Query" }
func (q Query) Freeze()               {}
func (q Query) Truth() starlark.Bool  { return true }
func (q Query) Hash() (uint32, error) { return starlark.String(q.String()).Hash() }

func (q Query) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return equality(op, q.String() == y.(Query).String(), "queries")
}

func (q Query) Table() *value.Methods                    { return QueryMethods }
func (q Query) AttrNames() []string                      { return QueryMethods.Names() }
func (q Query) Attr(name string) (starlark.Value, error) { return QueryMethods.Attr(q, name) }

func tagList(tags []string) *slot.List {
	list := make([]starlark.Value, len(tags))
	for i, t := range tags {
		list[i] = starlark.String(t)
	}
	return slot.NewList(list)
}

// QueryMethods are the methods and fields of queries.
var QueryMethods = value.NewMethods("Query", []value.Builtin{
	queryMethod("including", "A query with more rewrites.", func(q *compile.Query) *[]string { return &q.Include }),
	queryMethod("excluding", "A query without some rewrites.", func(q *compile.Query) *[]string { return &q.Exclude }),
	queryMethod("requiring", "A query for only the rewrites that have all of these tags.", func(q *compile.Query) *[]string { return &q.Require }),
}).With(
	value.FieldOf("include", "The tags of what it asks for.", `theano.gof.Query(include=["fast_run"]).include # ["fast_run"]`,
		func(q Query) starlark.Value { return tagList(q.q.Include) }),
	value.FieldOf("exclude", "The tags of what it leaves out.", `theano.gof.Query(include=["fast_run"]).exclude # []`,
		func(q Query) starlark.Value { return tagList(q.q.Exclude) }),
	value.FieldOf("require", "The tags that each rewrite must have.", `theano.gof.Query(include=["fast_run"]).require # []`,
		func(q Query) starlark.Value { return tagList(q.q.Require) }),
)

func queryMethod(name, doc string, of func(*compile.Query) *[]string) value.Builtin {
	return value.Builtin{Name: name, Doc: doc, Params: tagParams, Example: `theano.gof.Query(["fast_run"]).` + name + `("fusion").include[0] # "fast_run"`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			tags, err := SessionOf(thread).readTags(b, args, kwargs)
			if err != nil {
				return nil, err
			}
			q := b.Receiver().(Query)
			list := of(&q.q)
			*list = append((*list)[:len(*list):len(*list)], tags...)
			return q, nil
		}}
}

type queryArgs struct {
	Include starlark.Value `arg:"include: tags of the rewrites that it asks for: names of rules, of passes, or of groups such as fast_run"`
	Require starlark.Value `arg:"require=None: tags that each of them must have"`
	Exclude starlark.Value `arg:"exclude=None: tags of those to leave out"`
}

// QueryBuiltin is theano.gof.Query().
var QueryBuiltin = queryBuiltin("Query", "theano.gof.Query")

// RewriteDatabaseQueryBuiltin is the same under PyTensor's name.
var RewriteDatabaseQueryBuiltin = queryBuiltin("RewriteDatabaseQuery", "pytensor.graph.RewriteDatabaseQuery")

func queryBuiltin(name, path string) value.Builtin {
	return value.Function(name, "Rewrites by their tags: what Mode(optimizer=...) and optdb.query take. A tag that no rewrite has is an error.",
		path+`(include=["fast_run"], exclude=["inplace"]) # Query(include=["fast_run"], exclude=["inplace"])`,
		func(thread *starlark.Thread, a *queryArgs) (starlark.Value, error) {
			var q Query
			for _, arg := range []struct {
				name, kind string
				v          starlark.Value
				to         *[]string
			}{{"include", "including", a.Include, &q.q.Include}, {"require", "requiring", a.Require, &q.q.Require}, {"exclude", "excluding", a.Exclude, &q.q.Exclude}} {
				if arg.v == nil || arg.v == starlark.None {
					continue
				}
				list, ok := arg.v.(starlark.Iterable)
				if !ok {
					return nil, fmt.Errorf("%s: %s: got %s, want a list of strings", name, arg.name, arg.v.Type())
				}
				var err error
				if *arg.to, err = texts(list); err != nil {
					return nil, fmt.Errorf("%s: %s: %w", name, arg.name, err)
				}
				if err := SessionOf(thread).checkTags(arg.kind, *arg.to); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
			}
			return q, nil
		})
}

// texts reads strings.
func texts(list starlark.Iterable) (names []string, err error) {
	for v := range starlark.Elements(list) {
		text, ok := starlark.AsString(v)
		if !ok {
			return nil, fmt.Errorf("got %s, want string", v.Type())
		}
		names = append(names, text)
	}
	return names, nil
}

// OptdbModule is theano.compile.optdb.
var OptdbModule = value.NewModule("theano.compile.optdb", "The rewrites, by their tags.", value.Builtins([]value.Builtin{
	{Name: "query", Params: []value.Param{{Name: "*tags", Doc: `a Query, or tags with "+" (including), "-" (excluding) or "&" (requiring) in front`}},
		Doc: "What Mode(optimizer=...) takes: the query, whose tags are checked.", Example: `theano.compile.optdb.query("+fast_run", "-inplace") # Query(include=["fast_run"], exclude=["inplace"])`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var tags starlark.Tuple
			if err := b.Unpack(args, kwargs, &tags); err != nil {
				return nil, err
			}
			if len(tags) == 1 {
				if q, ok := tags[0].(Query); ok {
					return q, nil
				}
			}
			return SessionOf(thread).queryOf(tags)
		}},
	{Name: "print_summary", Doc: "Prints the passes in their order, with their tags, and the number of rules of each.", Example: `type(theano.compile.optdb.print_summary) # <class 'builtin_function_or_method'>`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			var text strings.Builder
			for i, p := range compile.Passes() {
				fmt.Fprintf(&text, "%2d  %-18s %s", i, p.Name, p.Doc)
				if p.Rules > 0 {
					text.WriteString(": " + units.Plural(int64(p.Rules), "rule"))
				}
				fmt.Fprintf(&text, "\n    tags: %s\n", strings.Join(p.Tags, " "))
			}
			SessionOf(thread).Output().Stream("stdout", text.String())
			return starlark.None, nil
		}},
})...)

var OptdbMember = value.Member{Name: "optdb", Value: OptdbModule, Doc: OptdbModule.Doc()}

// queryOf reads tags with a sign in front.
func (s *Session) queryOf(tags starlark.Tuple) (starlark.Value, error) {
	var q Query
	lists := map[string]struct {
		kind string
		to   *[]string
	}{"+": {"including", &q.q.Include}, "&": {"requiring", &q.q.Require}, "-": {"excluding", &q.q.Exclude}}
	for _, v := range tags {
		text, ok := starlark.AsString(v)
		if !ok {
			return nil, fmt.Errorf("query: got %s, want string, or one Query", v.Type())
		}
		list, ok := lists[text[:min(1, len(text))]]
		if !ok {
			return nil, fmt.Errorf(`query: got the tag %q, want "+", "-" or "&" in front of it`, text)
		}
		if err := s.checkTags(list.kind, []string{text[1:]}); err != nil {
			return nil, fmt.Errorf("query: %w", err)
		}
		*list.to = append(*list.to, text[1:])
	}
	return q, nil
}

// optimizerQueries are Theano's OPT_ constants: the name of an optimizer with that of its constant.
var optimizerQueries = []struct{ constant, optimizer string }{
	{"OPT_NONE", "None"}, {"OPT_MERGE", "merge"}, {"OPT_FAST_COMPILE", "fast_compile"}, {"OPT_O2", "o2"}, {"OPT_O3", "o3"}, {"OPT_FAST_RUN", "fast_run"},
	{"OPT_FAST_RUN_STABLE", "fast_run_stable"}, {"OPT_STABILIZE", "stabilize"}, {"OPT_UNSAFE", "unsafe"},
}

// predefinedOptimizers are the queries of all optimizers, by name.
var predefinedOptimizers = func() *slot.Dict {
	d := slot.NewDict(16)
	d.SetKey(starlark.None, Query{})
	for _, name := range compile.OptimizerNames() {
		d.SetKey(starlark.String(name), Query{compile.OptimizerQuery(name)})
	}
	d.Freeze()
	return d
}()
