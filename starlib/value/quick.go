package value

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// A Quick is what a function or method makes of positional arguments in slots, of a method after
// the value that it is one of. ok is false, and nothing has happened, where the function has to be
// called: for arguments of other types, where something takes long, and for all errors.
type Quick func(args []slot.Slot) (result slot.Slot, ok bool)

// QuickKinds are the types of values that have quick methods.
const (
	quickList = iota
	quickDict
	quickText
	QuickKinds
)

// QuickKind is that of a value, -1 of others.
func QuickKind(x starlark.Value) int {
	switch x.(type) {
	case *slot.List:
		return quickList
	case *slot.Dict:
		return quickDict
	case starlark.String:
		return quickText
	}
	return -1
}

// QuickMethods are methods by name, and by the type of the value.
var QuickMethods = map[string]*[QuickKinds]Quick{
	"append":     {quickList: quickAppend},
	"get":        {quickDict: quickGet},
	"setdefault": {quickDict: quickSetDefault},
	"pop":        {quickList: quickPop},
	"join":       {quickText: quickJoin},
	"startswith": {quickText: ofTexts(strings.HasPrefix)},
	"endswith":   {quickText: ofTexts(strings.HasSuffix)},
	"lower":      {quickText: ofASCII(strings.ToLower)},
	"upper":      {quickText: ofASCII(strings.ToUpper)},
	"split":      {quickText: quickSplit},
}

// quickFunctions are functions by name.
var quickFunctions = map[string]Quick{
	"len": quickLen, "abs": quickAbs, "min": quickExtreme(-1), "max": quickExtreme(1),
	"str": quickStr, "int": quickInt, "float": quickFloat, "bool": quickBool,
	"round": quickRound, "divmod": quickDivmod,
}

// Leaves reports whether x is what the mapping makes of it.
func (a Asker) Leaves(x *slot.Slot) bool {
	switch v := x.Ref().(type) {
	case starlark.String:
		return a == Extend && len(v) <= smallGrowth
	case *slot.List:
		return v.Len() <= smallGrowth/slotBytes
	case starlark.Tuple:
		return len(v) <= smallGrowth/elementBytes
	}
	return x.IsInt() || x.IsFloat()
}

// A Grid is an array of numbers with one or two axes: x[i] or x[i, j]. Where ok is false, Get and
// SetKey do it, or say what is wrong.
type Grid interface {
	starlark.Value
	ElementAt(axes int, i, j int64) (x slot.Slot, ok bool)
	SetElementAt(axes int, i, j int64, x slot.Slot) (ok bool)
}

// shortText is up to how many bytes text is looked through at once, without a look at whether the
// program is to end.
const shortText = 4096

func quickAppend(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 {
		return slot.Slot{}, false
	}
	return slot.None, args[0].Ref().(*slot.List).Push(args[1]) == nil
}

func quickPop(args []slot.Slot) (slot.Slot, bool) {
	list := args[0].Ref().(*slot.List)
	if len(args) != 1 || list.Len() == 0 {
		return slot.Slot{}, false
	}
	v, err := list.Delete(list.Len() - 1)
	return v, err == nil
}

// isPlainKey reports whether a key asks nobody for its hash or what it equals.
func isPlainKey(key *slot.Slot) bool {
	_, isText := key.Ref().(starlark.String)
	return isText || key.IsInt()
}

func quickGet(args []slot.Slot) (slot.Slot, bool) {
	if len(args) < 2 || len(args) > 3 || !isPlainKey(&args[1]) {
		return slot.Slot{}, false
	}
	v, found, err := args[0].Ref().(*slot.Dict).Lookup(args[1])
	switch {
	case found || err != nil:
		return v, err == nil
	case len(args) == 3:
		return args[2], true
	}
	return slot.None, true
}

func quickSetDefault(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 3 || !isPlainKey(&args[1]) {
		return slot.Slot{}, false
	}
	v, err := args[0].Ref().(*slot.Dict).PutDefault(args[1], args[2])
	return v, err == nil
}

// longestJoin is how many bytes are joined without a look at whether the program is to end.
const longestJoin = 1 << 20

func quickJoin(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 {
		return slot.Slot{}, false
	}
	list, ok := args[1].Ref().(*slot.List)
	if !ok || list.Len() >= heardFrom {
		return slot.Slot{}, false
	}
	sep := string(args[0].Ref().(starlark.String))
	n := list.Len() * len(sep)
	for i := range list.Slots() {
		part, ok := list.At(i).Ref().(starlark.String)
		if n += len(part); !ok || n > longestJoin {
			return slot.Slot{}, false
		}
	}
	if n > smallGrowth && Ask("join", "a string", int64(n)) != nil {
		return slot.Slot{}, false
	}
	var b strings.Builder
	b.Grow(n)
	for i := range list.Slots() {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(string(list.At(i).Ref().(starlark.String)))
	}
	return slot.Ref(starlark.String(b.String())), true
}

// ofTexts is a method of a short text and another one.
func ofTexts(holds func(text, other string) bool) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) != 2 {
			return slot.Slot{}, false
		}
		other, ok := args[1].Ref().(starlark.String)
		return slot.Bool(ok && holds(string(args[0].Ref().(starlark.String)), string(other))), ok
	}
}

// ofASCII is a method of a short text of ASCII characters.
func ofASCII(of func(string) string) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		text := string(args[0].Ref().(starlark.String))
		if len(args) != 1 || len(text) > shortText || !isASCII(text) {
			return slot.Slot{}, false
		}
		return slot.Ref(starlark.String(of(text))), true
	}
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func quickSplit(args []slot.Slot) (slot.Slot, bool) {
	text := string(args[0].Ref().(starlark.String))
	if len(args) != 2 || len(text) > smallGrowth/partBytes {
		return slot.Slot{}, false
	}
	sep, ok := args[1].Ref().(starlark.String)
	if !ok || sep == "" {
		return slot.Slot{}, false
	}
	parts := make([]slot.Slot, 0, strings.Count(text, string(sep))+1)
	for part := range strings.SplitSeq(text, string(sep)) {
		parts = append(parts, slot.Ref(starlark.String(part)))
	}
	return slot.Ref(slot.Make(parts)), true
}

func quickLen(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	switch x := args[0].Ref().(type) {
	case starlark.String:
		if len(x) > shortText {
			return slot.Slot{}, false
		}
		return slot.Int(int64(utf8.RuneCountInString(string(x)))), true
	case *slot.List:
		return slot.Int(int64(x.Len())), true
	case *slot.Dict:
		return slot.Int(int64(x.Len())), true
	case *slot.Set:
		return slot.Int(int64(x.Len())), true
	case starlark.Tuple:
		return slot.Int(int64(len(x))), true
	}
	return slot.Slot{}, false
}

func quickAbs(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	x := &args[0]
	if x.IsFloat() {
		return slot.Float(math.Abs(x.Float())), true
	}
	return slot.Int(max(x.Int(), -x.Int())), x.IsInt() && x.Int() != math.MinInt64
}

// quickExtreme is max or min of ints, or of floats that are none of them nan.
func quickExtreme(sign int) Quick {
	return func(args []slot.Slot) (slot.Slot, bool) {
		if len(args) < 2 {
			return slot.Slot{}, false
		}
		best := args[0]
		for i := range args {
			x := &args[i]
			var isBetter bool
			switch {
			case x.IsInt() && best.IsInt():
				isBetter = x.Int() < best.Int() == (sign < 0) && x.Int() != best.Int()
			case x.IsFloat() && best.IsFloat() && x.Float() == x.Float():
				isBetter = x.Float() < best.Float() == (sign < 0) && x.Float() != best.Float()
			default:
				return slot.Slot{}, false
			}
			if isBetter {
				best = *x
			}
		}
		return best, true
	}
}

func quickStr(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	x := &args[0]
	switch {
	case x.IsInt():
		return slot.Ref(starlark.String(strconv.FormatInt(x.Int(), 10))), true
	case x.IsFloat():
		return slot.Ref(starlark.String(FormatFloat(x.Float()))), true
	}
	_, isText := x.Ref().(starlark.String)
	return *x, isText
}

func quickInt(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	x := &args[0]
	if (x.IsFloat() || x.IsDouble()) && math.Abs(x.Float()) < 1<<62 {
		return slot.Int(int64(x.Float())), true
	}
	return *x, x.IsInt()
}

func quickFloat(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	x := &args[0]
	if x.IsInt() {
		return slot.Float(float64(x.Int())), true
	}
	if x.IsDouble() {
		return slot.Float(x.Float()), true
	}
	return *x, x.IsFloat()
}

func quickBool(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	x := &args[0]
	if x.IsInt() {
		return slot.Bool(x.Int() != 0), true
	}
	if x.IsFloat() || x.IsDouble() {
		return slot.Bool(x.Float() != 0), true
	}
	switch v := x.Ref().(type) {
	case starlark.NoneType, starlark.Bool, starlark.String, starlark.Tuple, *slot.List, *slot.Dict, *slot.Set:
		return slot.Bool(bool(v.Truth())), true
	}
	return slot.Slot{}, false
}

// quickRound is round(x) of a float that fits an int.
func quickRound(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 1 {
		return slot.Slot{}, false
	}
	x := &args[0]
	if x.IsInt() {
		return *x, true
	}
	if !(x.IsFloat() || x.IsDouble()) || !(math.Abs(x.Float()) < 1<<62) {
		return slot.Slot{}, false
	}
	return slot.Int(int64(math.RoundToEven(x.Float()))), true
}

// quickDivmod is divmod of ints, by one above 0.
func quickDivmod(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 || !args[0].IsInt() || !args[1].IsInt() || args[1].Int() <= 0 {
		return slot.Slot{}, false
	}
	x, y := args[0].Int(), args[1].Int()
	quo, rem := x/y, x%y
	if rem < 0 {
		quo, rem = quo-1, rem+y
	}
	return slot.Ref(starlark.Tuple{starlark.MakeInt64(quo), starlark.MakeInt64(rem)}), true
}
