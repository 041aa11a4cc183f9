package value

import (
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The interfaces by which operators and functions ask values that Starlark's own interfaces leave
// out. Those of instances and iterators are in instance.go and iterable.go, those of arrays in
// recyclable.go.

// A Comparer is a value whose comparisons have results that are not True or False: a
// symbol gives a symbol, an array an array. Starlark's own hook can only answer yes, no
// or an error, and is not asked at all when the operands' types differ: an array would
// differ from every number. Dicts and lists still compare their elements by Starlark's.
type Comparer interface {
	starlark.Value
	// CompareBy returns receiver op y if side is starlark.Left, else y op receiver. A nil
	// result without error leaves the comparison to the other operand, or to Starlark.
	CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error)
}

// An InPlacer is a value that x op= y changes, as it does NumPy's arrays. op is that of x op y; **
// is syntax.STARSTAR.
type InPlacer interface {
	starlark.Value
	// InPlace returns the receiver, or nil if y is nothing that it can take: then x op= y is x = x
	// op y.
	InPlace(op syntax.Token, y starlark.Value) (starlark.Value, error)
}

// A Slicer is a value that x[lo:hi:step] asks itself, with the bounds as they were
// written (None if left out). Starlark's own Sliceable gets them cut to the length of
// x, and only integers; a symbolic variable has no length.
type Slicer interface {
	starlark.Value
	SliceBy(lo, hi, step starlark.Value) (starlark.Value, error)
}

// A Numeric value takes part in the built-in functions abs, sum, min, max, pow, matmul,
// round and len: whichever argument comes first and is Numeric does the work.
type Numeric interface {
	starlark.Value
	// CallNumeric answers the call name(args, kwargs), in which the receiver is one of args.
	CallNumeric(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)
}

// An Absolute value has an absolute value of its own, without being Numeric: a time between two
// moments.
type Absolute interface {
	starlark.Value
	Abs() (starlark.Value, error)
}

// A PathLike value stands for the path of a file, as those of pathlib do.
type PathLike interface {
	starlark.Value
	FSPath() string
}

// PathOf is the path that a value is: text, or a PathLike.
func PathOf(v starlark.Value) (path string, ok bool) {
	if p, ok := v.(PathLike); ok {
		return p.FSPath(), true
	}
	return starlark.AsString(v)
}

// A Formatter is a value with a format of its own: spec is Python's, such as ".3f".
type Formatter interface {
	FormatSpec(spec string) (string, error)
}

// A Scalar is a value that may stand for one number, as an array of one element does.
type Scalar interface {
	starlark.Value
	// Scalar returns the number as a bool, int or float; nil if there is not exactly one.
	Scalar() starlark.Value
}

// A Strer is a value that str() and print() show otherwise than Repr does, as they do
// NumPy's arrays.
type Strer interface {
	starlark.Value
	Str() string
}

// A Looker is a value whose attributes may be what code of the user's computes.
type Looker interface {
	// Look returns an attribute without running such code: of a property the property itself. It
	// returns nil if only running tells.
	Look(name string) starlark.Value
}

// A Nexter is an iterator of its own: next(x) asks it. ok is false at the end.
type Nexter interface {
	starlark.Value
	NextValue() (v starlark.Value, ok bool, err error)
}

// A Stopper may say by what error next fails at its end.
type Stopper interface{ Stopped() error }

// Types is a value that stands for types, as np.float32 does, for isinstance.
type Types interface {
	starlark.Value
	TypeNames() []string // what Type returns of their values
}

// Documenter is implemented by values that have documentation of their own.
type Documenter interface {
	starlark.Value
	Doc() string
}

// A MimeBundler is a value that has more than text to show for itself: a picture, a
// table. The keys are MIME types; text/plain is added if it is not there. "metadata"
// for a type may be given under the key "metadata:" + type.
type MimeBundler interface{ MimeBundle() map[string]any }

// Bundle is what m shows by MIME type, and what front ends are told about some of the types; nil if
// they are told nothing.
func Bundle(m MimeBundler) (data, metadata map[string]any) {
	data = m.MimeBundle()
	for key, x := range data {
		if mime, isMeta := strings.CutPrefix(key, "metadata:"); isMeta {
			if metadata == nil {
				metadata = map[string]any{}
			}
			metadata[mime] = x
			delete(data, key)
		}
	}
	return data, metadata
}
