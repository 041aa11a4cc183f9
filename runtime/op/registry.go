package op

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"

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

// structural lists the other operations by the name without parameters. The fields of the struct are the parameters; those
// that the name implies are set.
var structural = map[string]graph.Op{
	"composite":     Composite{},
	"dimshuffle":    DimShuffle{},
	"reshape":       Reshape{},
	"shape_i":       ShapeI{},
	"make_vector":   MakeVector{},
	"alloc":         Alloc{},
	"deep_copy":     DeepCopy{},
	"specify_shape": SpecifyShape{},
	"sum":           Reduce{Kind: Sum},
	"prod":          Reduce{Kind: Prod},
	"max":           Reduce{Kind: Max},
	"min":           Reduce{Kind: Min},
	"argmax":        Argmax{},
	"argmin":        Argmax{Min: true},
	"dot":           Dot{},
	"gemm":          Gemm{},
	"gemv":          Gemm{Vector: true},
	"softmax":       Softmax{},
	"logsoftmax":    Softmax{Log: true},
	"subtensor":     Subtensor{},
	"inc_subtensor": IncSubtensor{},
}

// Names lists the operations without parameters.
func Names() []string {
	var names []string
	for e := range Rows {
		names = append(names, e.Name())
	}
	for name := range structural {
		names = append(names, name)
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
	if base == "inplace" {
		return lookupInplace(params)
	}
	template, ok := structural[base]
	if !ok {
		return nil, fmt.Errorf("unknown op %q", base)
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

// cutParam takes the first parameter; an op with one parameter may have commas in it.
func cutParam(params string, op reflect.Value) (first, rest string) {
	if op.NumField() == 1 {
		return params, ""
	}
	first, rest, _ = strings.Cut(params, ",")
	return first, rest
}

// lookupInplace reads "in=0,op=add".
func lookupInplace(params string) (graph.Op, error) {
	in, name, ok := strings.Cut(strings.TrimPrefix(params, "in="), ",op=")
	if _, err := Pattern(in).Axes(); !ok || err != nil {
		return nil, fmt.Errorf("op inplace: got parameters %q, want in=0,op=name", params)
	}
	op, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	p, ok := op.(Pointwise)
	if _, twice := op.(Inplace); !ok || twice {
		return nil, fmt.Errorf("op inplace: %s is not elementwise", name)
	}
	return Inplace{Op: p, In: Pattern(in)}, nil
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
	case reflect.String:
		field.SetString(text)
	default:
		panic("BUG: parameter of kind " + field.Kind().String())
	}
	return nil
}
