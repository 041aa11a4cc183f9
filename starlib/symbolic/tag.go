package symbolic

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Tag is x.tag: what is noted at a variable, in which Theano keeps test values and users what
// they like. It lives as long as its variable, and is the same wherever that is met.
type Tag struct {
	x     Symbol
	Test  *tensor.Dense             // the test value that was assigned or computed; nil if there is none
	notes map[string]starlark.Value // the user's
	own   ownAttrs                  // what the user assigned to attributes of the variable itself
}

var (
	_ value.Tabled         = (*Tag)(nil)
	_ starlark.HasSetField = (*Tag)(nil)
)

// TagOf is the tag of x.
func TagOf(x Symbol) *Tag {
	t, ok := x.V.Tag().(*Tag)
	if !ok {
		t = &Tag{x: x}
		x.V.SetTag(t)
	}
	return t
}

func (t *Tag) Type() string          { return "scratchpad" }
func (t *Tag) Freeze()               {}
func (t *Tag) Truth() starlark.Bool  { return true }
func (t *Tag) Hash() (uint32, error) { return hashOf(t.x.V), nil }
func (t *Tag) Table() *value.Methods { return TagFields }

// String writes what is there beside the trace.
func (t *Tag) String() string {
	var parts []string
	for _, name := range t.AttrNames() {
		if v, err := t.Attr(name); err == nil && name != traceField {
			parts = append(parts, name+"="+value.Repr(v))
		}
	}
	return "scratchpad(" + strings.Join(parts, ", ") + ")"
}

const (
	testField  = "test_value"
	traceField = "trace"
	guardField = "nan_guard_mode_check"
)

// TagFields are the attributes of tags that mean something to Arignote.
var TagFields = value.NewMethods("scratchpad", nil).With(
	value.Field{Name: testField, Doc: "What the variable is while the graph is built with config.compute_test_value: an array, or a number. It is assigned to what " +
		"a function will be given, and computed for what is made of it; shared variables and constants have their values. None takes it away.",
		Example: `shared(1.5).tag.test_value # 1.5`, Get: func(recv starlark.Value) (starlark.Value, error) {
			t := recv.(*Tag)
			if v := TestValue(t.x.V); v != nil {
				if v != t.Test { // it is not the user's to change
					v = v.Copy()
				}
				return t.x.S.fromRun(t.x.V.Type, v), nil
			}
			return nil, fmt.Errorf("%s has no test value; assign one: x.tag.test_value = v", t.x)
		}},
	value.FieldOf(traceField, "Where the variable was made: a list of one list with a tuple for each level of calls, the innermost last, of file, line, function and text.",
		`T.vector("x").tag.trace[0][0][1] # 1`, func(t *Tag) starlark.Value { return t.trace() }),
	value.FieldOf(guardField, "Whether NanGuardMode looks at the variable. It can be set to False.",
		`T.vector("x").tag.nan_guard_mode_check # True`, func(t *Tag) starlark.Value {
			return starlark.Bool(guarded(t.x.V))
		}),
)

// AttrNames are those that there are: a test value may not be.
func (t *Tag) AttrNames() []string {
	names := slices.AppendSeq([]string{traceField}, maps.Keys(t.notes))
	if TestValue(t.x.V) != nil {
		names = append(names, testField)
	}
	slices.Sort(names)
	return names
}

func (t *Tag) Attr(name string) (starlark.Value, error) {
	if TagFields.Field(name) != nil {
		return TagFields.Attr(t, name)
	}
	if v, ok := t.notes[name]; ok {
		return v, nil
	}
	return nil, value.NoAttr("the tag of "+t.x.String(), name, t.AttrNames())
}

func (t *Tag) SetField(name string, v starlark.Value) error {
	switch name {
	case testField:
		return t.setTest(v)
	case traceField:
		return fmt.Errorf("scratchpad: cannot assign to .trace: it is where %s was made", t.x)
	case guardField:
		if _, ok := v.(starlark.Bool); !ok {
			return fmt.Errorf("scratchpad.%s: got %s, want True or False", name, v.Type())
		}
	}
	if t.notes == nil {
		t.notes = make(map[string]starlark.Value)
	}
	t.notes[name] = v
	return nil
}

// setTest converts a test value as an argument of a call is converted.
func (t *Tag) setTest(v starlark.Value) error {
	x := t.x.V
	switch {
	case x.Shared != nil:
		return fmt.Errorf("scratchpad: the test value of a shared variable is its value; use %s.set_value", t.x)
	case x.IsConstant():
		return fmt.Errorf("scratchpad: the test value of a constant is its value")
	case v == starlark.None:
		t.Test = nil
		return nil
	}
	a, err := sharedValue(t.x.S, x, v, true)
	if err != nil {
		return fmt.Errorf("test value of %s: %w", graph.Mention(x), err)
	}
	t.Test = a
	return nil
}

// trace is x.origin as Theano's tag has it.
func (t *Tag) trace() starlark.Value {
	var frames []starlark.Value
	if o := t.x.V.Origin; o != nil {
		for _, f := range o.Frames {
			line, _ := t.x.S.Source(f.File).Get(f.Line)
			frames = append(frames, starlark.Tuple{starlark.String(f.File), starlark.MakeInt(f.Line), starlark.String(f.Func),
				starlark.String(strings.TrimSpace(line))})
		}
	}
	return slot.NewList([]starlark.Value{slot.NewList(frames)})
}

// guarded reports whether NanGuardMode looks at v.
func guarded(v *graph.Variable) bool {
	t, ok := v.Tag().(*Tag)
	return !ok || t.notes[guardField] != starlark.Value(starlark.False)
}
