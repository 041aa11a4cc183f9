package slot

import (
	"errors"
	"math"

	"go.starlark.net/starlark"
)

// A Slot holds a value of the program: an int of 64 bits or a float as itself, without memory of
// its own, as a double, which is a float of another type, namely NumPy's float64; and any other
// value by reference. The zero Slot holds nothing.
//
// An int that fits 64 bits is always an unboxed one, so that two ints are equal only if both are
// unboxed or both are not.
type Slot struct {
	ref  starlark.Value // an intTag, a floatTag, a doubleTag, or the value
	bits uint64         // of the number
}

// The tags are what a slot refers to in place of a number. They are never seen outside slots.
type (
	tag       struct{}
	intTag    struct{ tag }
	floatTag  struct{ tag }
	doubleTag struct{ tag }
)

func (tag) String() string        { return "number" }
func (tag) Type() string          { return "number" }
func (tag) Freeze()               {}
func (tag) Truth() starlark.Bool  { return true }
func (tag) Hash() (uint32, error) { return 0, errors.New("unhashable: a tag") }

// Int is the slot of an int.
func Int(i int64) Slot { return Slot{intTag{}, uint64(i)} }

// Float is the slot of a float.
func Float(f float64) Slot { return Slot{floatTag{}, math.Float64bits(f)} }

// Double is the slot of a double.
func Double(f float64) Slot { return Slot{doubleTag{}, math.Float64bits(f)} }

// Bool is the slot of a bool.
func Bool(b bool) Slot { return Slot{ref: starlark.Bool(b)} }

// None is the slot of None.
var None = Slot{ref: starlark.None}

// Ref is the slot of a value that is no number of the program's. See Of for others.
func Ref(v starlark.Value) Slot { return Slot{ref: v} }

// Of is the slot of any value; of nil it is the zero Slot.
func Of(v starlark.Value) Slot {
	switch v := v.(type) {
	case starlark.Int:
		if i, ok := v.Int64(); ok {
			return Int(i)
		}
	case starlark.String, *List, starlark.Tuple, *Dict, starlark.Bool, starlark.NoneType: // which takes no search
	case starlark.Float:
		return Float(float64(v))
	case doubler:
		if f, ok := v.Double(); ok {
			return Double(f)
		}
	}
	return Slot{ref: v}
}

// A doubler is a number that may be a double.
type doubler interface{ Double() (f float64, ok bool) }

// Value is the value in a slot, nil of the zero Slot. A float gets memory of its own, and an array
// is held: see Own.
func (s Slot) Value() starlark.Value {
	switch s.ref.(type) {
	case intTag:
		return starlark.MakeInt64(int64(s.bits))
	case floatTag:
		return starlark.Float(math.Float64frombits(s.bits))
	case doubleTag:
		return Hooks.Double(math.Float64frombits(s.bits))
	}
	if o := s.Own(); o != nil {
		return o.Escape()
	}
	return s.ref
}

// IsSet reports whether there is a value in the slot.
func (s *Slot) IsSet() bool { return s.ref != nil }

// IsInt reports whether the slot holds an int of 64 bits.
func (s *Slot) IsInt() bool { _, ok := s.ref.(intTag); return ok }

// IsFloat reports whether the slot holds a float.
func (s *Slot) IsFloat() bool { _, ok := s.ref.(floatTag); return ok }

// IsDouble reports whether the slot holds a double.
func (s *Slot) IsDouble() bool { _, ok := s.ref.(doubleTag); return ok }

// Int is the int in the slot, if IsInt.
func (s *Slot) Int() int64 { return int64(s.bits) }

// Float is the float in the slot, if IsFloat or IsDouble.
func (s *Slot) Float() float64 { return math.Float64frombits(s.bits) }

// Ref is the value in the slot that is no unboxed number, else a tag: for type switches on values
// that are held by reference.
func (s *Slot) Ref() starlark.Value { return s.ref }

// SetInt stores an int. Where there was one, nothing is written that the collector has to hear of.
func (s *Slot) SetInt(i int64) {
	if _, ok := s.ref.(intTag); !ok {
		s.ref = intTag{}
	}
	s.bits = uint64(i)
}

// SetFloat stores a float.
func (s *Slot) SetFloat(f float64) {
	if _, ok := s.ref.(floatTag); !ok {
		s.ref = floatTag{}
	}
	s.bits = math.Float64bits(f)
}

// SetDouble stores a double.
func (s *Slot) SetDouble(f float64) {
	if _, ok := s.ref.(doubleTag); !ok {
		s.ref = doubleTag{}
	}
	s.bits = math.Float64bits(f)
}

// SetBool stores a bool.
func (s *Slot) SetBool(b bool) { s.ref = starlark.Bool(b) }

// SetRef stores a value that is no number of the program's.
func (s *Slot) SetRef(v starlark.Value) { s.ref = v }

// Clear makes the slot one that holds nothing.
func (s *Slot) Clear() {
	if s.ref != nil {
		s.ref = nil
	}
}
