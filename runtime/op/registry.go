package op

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/arignote/arignote/runtime/graph"
)

// byName finds the elementwise operations.
var byName = func() map[string]Elemwise {
	m := make(map[string]Elemwise)
	for e := range Rows {
		m[e.Name()] = e
	}
	return m
}()

// index finds structural operations by the name without parameters.
type index struct {
	list   []Structural
	byName map[string]Structural
}

// byBase is made when it is first asked for: by then all files have registered their operations.
var byBase = sync.OnceValue(func() index {
	x := index{list: slices.Clone(registered), byName: make(map[string]Structural)}
	slices.SortFunc(x.list, func(a, b Structural) int { return strings.Compare(graph.BaseName(a), graph.BaseName(b)) })
	for _, o := range x.list {
		name := graph.BaseName(o)
		if x.byName[name] != nil {
			panic("BUG: two operations are called " + name)
		}
		x.byName[name] = o
	}
	return x
})

// Names lists the operations without parameters.
func Names() []string {
	var names []string
	for e := range Rows {
		names = append(names, e.Name())
	}
	for _, o := range byBase().list {
		names = append(names, graph.BaseName(o))
	}
	return names
}

// Lookup finds an op by its Name, parameters included: "add", "sum{axes=0 1}".
func Lookup(name string) (graph.Op, error) {
	if e, ok := byName[name]; ok {
		return e, nil
	}
	base, params, _ := strings.Cut(name, "{")
	params = strings.TrimSuffix(params, "}")
	template, ok := byBase().byName[base]
	if !ok {
		return nil, fmt.Errorf("unknown op %q", base)
	}
	if p, ok := template.(parser); ok {
		return p.parse(params)
	}
	op := reflect.New(reflect.TypeOf(template)).Elem()
	op.Set(reflect.ValueOf(template))
	for params != "" {
		var param string
		param, params = cutParam(params, op)
		key, text, ok := strings.Cut(param, "=")
		if !ok {
			return nil, fmt.Errorf("op %s: got parameter %q, want name=value", base, param)
		}
		field := op.FieldByNameFunc(func(f string) bool { return strings.EqualFold(f, key) })
		if !field.IsValid() {
			return nil, fmt.Errorf("op %s: no parameter %q", base, key)
		}
		if err := setParam(field, text); err != nil {
			return nil, fmt.Errorf("op %s: parameter %s: %w", base, key, err)
		}
	}
	return op.Interface().(graph.Op), nil
}

// A parser is an operation whose parameters are not just its fields.
type parser interface {
	parse(params string) (graph.Op, error)
}

// cutParam takes the first parameter; an op with one parameter may have commas in it.
func cutParam(params string, op reflect.Value) (first, rest string) {
	if op.NumField() == 1 {
		return params, ""
	}
	first, rest, _ = strings.Cut(params, ",")
	return first, rest
}

// nameOf writes base{field=value,...} from the exported fields of op that are not zero.
func nameOf(base string, op any) string {
	v := reflect.ValueOf(op)
	var params []string
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			continue
		}
		var text string
		if m, ok := v.Field(i).Interface().(encoding.TextMarshaler); ok {
			t, err := m.MarshalText()
			if err != nil {
				panic("BUG: " + err.Error())
			}
			text = string(t)
		} else {
			text = fmt.Sprint(v.Field(i).Interface())
		}
		params = append(params, strings.ToLower(v.Type().Field(i).Name)+"="+text)
	}
	if len(params) == 0 {
		return base
	}
	return base + "{" + strings.Join(params, ",") + "}"
}

// setParam is the inverse of what nameOf does to a field.
func setParam(field reflect.Value, text string) error {
	if u, ok := field.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch field.Kind() {
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("got %q, want an integer", text)
		}
		field.SetInt(int64(n))
	case reflect.Bool:
		v, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("got %q, want true or false", text)
		}
		field.SetBool(v)
	case reflect.Float64:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("got %q, want a number", text)
		}
		field.SetFloat(v)
	case reflect.String:
		field.SetString(text)
	default:
		panic("BUG: parameter of kind " + field.Kind().String())
	}
	return nil
}
