package pyplot

import (
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// named is the argument after whose key the legend calls what is drawn, if data= is given and
// label= is not, as in matplotlib.
var named = map[string]int{"plot": 1, "loglog": 1, "semilogx": 1, "semilogy": 1, "step": 1, "scatter": 1, "errorbar": 1, "hist": 0}

// dataNames are parameters whose texts are never keys of data.
var dataNames = map[string]bool{"data": true, "label": true, "fmt": true}

// fromData replaces arguments that are keys of the argument data by its values: plot('t', 'loss',
// data=d) draws d['t'] and d['loss'].
func fromData(function string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Tuple, []starlark.Tuple, error) {
	var data starlark.Mapping
	labelled := false
	for _, kv := range kwargs {
		switch kv[0].(starlark.String) {
		case "data":
			if kv[1] == starlark.None {
				continue
			}
			m, ok := kv[1].(starlark.Mapping)
			if !ok {
				return nil, nil, typeError("%s: data: got %s, want a dict", function, value.TypeName(kv[1]))
			}
			data = m
		case "label":
			labelled = true
		}
	}
	if data == nil {
		return args, kwargs, nil
	}
	of := func(v starlark.Value) starlark.Value {
		if _, isText := v.(starlark.String); isText {
			if found, ok, err := data.Get(v); ok && err == nil {
				return found
			}
		}
		return v
	}
	given := make(starlark.Tuple, len(args))
	for i, v := range args {
		given[i] = of(v)
	}
	var byName []starlark.Tuple
	for _, kv := range kwargs {
		if !dataNames[string(kv[0].(starlark.String))] {
			kv = starlark.Tuple{kv[0], of(kv[1])}
		}
		byName = append(byName, kv)
	}
	if at, ok := named[function]; ok && !labelled && len(args) > 0 {
		at = min(at, len(args)-1)
		if given[at] != args[at] {
			byName = append(byName, starlark.Tuple{starlark.String("label"), args[at]})
		} else if at > 0 && given[0] != args[0] { // plot('loss', 'r--')
			byName = append(byName, starlark.Tuple{starlark.String("label"), args[0]})
		}
	}
	return given, byName, nil
}
