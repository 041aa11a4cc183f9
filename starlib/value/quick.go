package value

import (
	"strings"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// QuickKinds are the types of values that have quick methods.
const (
	ofList = iota
	ofDict
	ofText
	ofSet
	QuickKinds
)

// QuickKind is that of a value, -1 of others.
func QuickKind(x starlark.Value) int {
	switch x := x.(type) {
	case *slot.List:
		return ofList
	case *slot.Dict:
		return ofDict
	case starlark.String:
		return ofText
	case *slot.Set:
		if !x.IsConstant() {
			return ofSet
		}
	}
	return -1
}

// QuickMethods are methods by name, and by the type of the value.
var QuickMethods = map[string]*[QuickKinds]Quick{
	"append":  {ofList: quickAppend},
	"extend":  {ofList: quickExtend},
	"insert":  {ofList: quickInsert},
	"pop":     {ofList: quickPop, ofDict: quickPopKey},
	"index":   {ofList: quickPlace(listPlace), ofText: ofPlace(strings.Index, true)},
	"count":   {ofList: quickPlace(listCount), ofText: ofPlace(strings.Count, false)},
	"remove":  {ofList: quickPlace(listRemove), ofSet: quickDiscard(true)},
	"reverse": {ofList: quickReverse},
	"sort":    {ofList: quickSort},
	"copy":    {ofList: quickCopyList},
	"clear":   {ofList: quickClear, ofDict: quickClear, ofSet: quickClear},

	"get":        {ofDict: quickGet},
	"setdefault": {ofDict: quickSetDefault},
	"items":      {ofDict: quickItems},
	"keys":       {ofDict: quickEntries((*slot.Dict).AppendKeys)},
	"values":     {ofDict: quickEntries((*slot.Dict).AppendValues)},
	"update":     {ofDict: quickUpdate},
	"popitem":    {ofDict: quickPopItem},

	"add":     {ofSet: quickAdd},
	"discard": {ofSet: quickDiscard(false)},

	"join":       {ofText: quickJoin},
	"split":      {ofText: quickSplit},
	"splitlines": {ofText: quickLines},
	"startswith": {ofText: ofTexts(strings.HasPrefix)},
	"endswith":   {ofText: ofTexts(strings.HasSuffix)},
	"lower":      {ofText: ofASCII(strings.ToLower)},
	"upper":      {ofText: ofASCII(strings.ToUpper)},
	"strip":      {ofText: quickStrip(stripBoth, strings.Trim)},
	"lstrip":     {ofText: quickStrip(stripLeft, strings.TrimLeft)},
	"rstrip":     {ofText: quickStrip(stripRight, strings.TrimRight)},
	"partition":  {ofText: quickPartition(false)},
	"rpartition": {ofText: quickPartition(true)},
	"ljust":      {ofText: quickJustify(noneBefore)},
	"rjust":      {ofText: quickJustify(allBefore)},
	"center":     {ofText: quickJustify(inMiddle)},
	"zfill":      {ofText: quickZeros},
	"title":      {ofText: ofASCII(titledASCII)},
	"capitalize": {ofText: ofASCII(capitalize)},
	"isupper":    {ofText: ofCase('a', 'z')},
	"islower":    {ofText: ofCase('A', 'Z')},
	"find":       {ofText: ofPlace(strings.Index, false)},
	"rfind":      {ofText: ofPlace(strings.LastIndex, false)},
	"replace":    {ofText: quickReplace},
	"isdigit":    {ofText: ofAll(isDigit)},
	"isalpha":    {ofText: ofAll(isLetter)},
	"isalnum":    {ofText: ofAll(isAlnum)},
	"isspace":    {ofText: ofAll(isSpace)},
}

// quickFunctions are functions by name.
var quickFunctions = map[string]Quick{
	"len": quickLen, "abs": quickAbs, "min": quickExtreme(-1), "max": quickExtreme(1), "sum": quickSum,
	"any": quickTruth(true), "all": quickTruth(false), "divmod": quickDivmod, "round": quickRound,
	"str": quickStr, "repr": quickRepr, "int": quickInt, "float": quickFloat, "bool": quickBool, "ord": quickOrd, "chr": quickChr,
	"list": quickList, "tuple": quickTuple, "dict": quickDict, "set": quickSet,
	"isinstance": quickIsInstance, "type": quickType,
	"map": quickMap, "sorted": quickSorted, "reversed": quickReversed, "enumerate": quickEnumerate, "zip": quickZip,
}

// QuickFunction is the Quick of a function of Starlark's own, nil of most.
func QuickFunction(name string) Quick { return quickFunctions[name] }

// SpreadsQuickly reports whether Spread leaves x as it is without a question.
func SpreadsQuickly(x *slot.Slot) bool {
	switch v := x.Ref().(type) {
	case *slot.List:
		return v.Len() <= smallGrowth/slotBytes
	case starlark.Tuple:
		return len(v) <= smallGrowth/elementBytes
	}
	return false
}

// A Grid is an array of numbers with one or two axes: x[i] or x[i, j]. Where ok is false, Get and
// SetKey do it, or say what is wrong.
type Grid interface {
	starlark.Value
	QuickLen() (n slot.Slot, ok bool) // of the first axis, if there is one
	ElementAt(axes int, i, j int64) (x slot.Slot, ok bool)
	SetElementAt(axes int, i, j int64, x slot.Slot) (ok bool)
}

func quickAppend(args []slot.Slot) (slot.Slot, bool) {
	if len(args) != 2 {
		return slot.Slot{}, false
	}
	list := args[0].Ref().(*slot.List)
	return slot.None, list.Fits(&args[1]) || !Crowded(list) && list.Push(args[1]) == nil
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
		return slot.Int(int64(countChars(string(x)))), true
	case *slot.List:
		return slot.Int(int64(x.Len())), true
	case *slot.Dict:
		return slot.Int(int64(x.Len())), true
	case *slot.Set:
		return slot.Int(int64(x.Len())), true
	case starlark.Tuple:
		return slot.Int(int64(len(x))), true
	}
	if x, ok := args[0].Borrowed().(Grid); ok {
		return x.QuickLen()
	}
	return slot.Slot{}, false
}
