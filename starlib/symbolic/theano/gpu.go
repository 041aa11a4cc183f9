package theano

import (
	"github.com/arignote/arignote/starlib/symbolic/operations"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// GPUModule is theano.gpuarray, by which programs find out whether a GPU is used.
var GPUModule = value.NewModule("theano.gpuarray", "Whether a GPU is used: there is none here.",
	value.Member{Name: "pygpu_activated", Value: starlark.False, Doc: "Whether a GPU is used: False.", Example: "theano.gpuarray.pygpu_activated # False"},
	operations.MemberOf(value.NewModule("theano.gpuarray.dnn", "Whether cuDNN is used.", value.Builtins([]value.Builtin{noDNN("dnn_available"), noDNN("dnn_present")})...)))

// noDNN is the row of a function that says that cuDNN is not used.
func noDNN(name string) value.Builtin {
	return value.Function(name, "Whether cuDNN is used: False.", "theano.gpuarray.dnn."+name+"() # False", func(*starlark.Thread, *struct {
		Context starlark.Value `arg:"context_name=None: without effect"`
	}) (starlark.Value, error) {
		return starlark.False, nil
	})
}
