package display

import (
	"slices"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const mimeBundleMethod = "_repr_mimebundle_"

func init() { value.RichMethod = richMethod }

// richMethod is a method by which a value in Go shows itself, under the name that classes of users
// give it: HTML("x")._repr_html_. It returns the content at the time of the look-up.
func richMethod(x starlark.Value, name string) starlark.Value {
	m, ok := x.(value.MimeBundler)
	if !ok {
		return nil
	}
	if name == mimeBundleMethod {
		return bundleMethod.Method(x)
	}
	i := slices.IndexFunc(reprs, func(r repr) bool { return r.method == name })
	if i < 0 {
		return nil
	}
	data, metadata := value.Bundle(m)
	result := fromGo(data[reprs[i].mime])
	if result == starlark.None {
		return nil
	}
	if about := metadata[reprs[i].mime]; about != nil {
		result = starlark.Tuple{result, fromGo(about)}
	}
	b := value.MethodOf(name, "What a front end gets as "+reprs[i].mime+".", "", func(*starlark.Thread, starlark.Value, *none) (starlark.Value, error) {
		return result, nil
	})
	return b.Method(x)
}

var bundleMethod = value.MethodOf(mimeBundleMethod, "What a front end gets by MIME type, and what it is told of it.", "",
	func(thread *starlark.Thread, x starlark.Value, a *struct {
		Include starlark.Value `arg:"include=None: MIME types, of which none but these are wanted"`
		Exclude starlark.Value `arg:"exclude=None: MIME types that are not wanted"`
	}) (starlark.Value, error) {
		c, err := choiceOf(thread, mimeBundleMethod, a.Include, a.Exclude)
		if err != nil {
			return nil, err
		}
		out := bundle{data: map[string]any{}, metadata: map[string]any{}}
		out.take(x.(value.MimeBundler), c)
		return starlark.Tuple{fromGo(out.data), fromGo(out.metadata)}, nil
	})
