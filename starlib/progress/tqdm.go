package progress

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// args are what tqdm takes besides the loop.
type args struct {
	Desc      *string        `arg:"desc=None: text before the bar"`
	Total     *float64       `arg:"total=None: how many steps there are; without it, the length of the iterable"`
	Leave     starlark.Value `arg:"leave=True: the bar stays when the loop is over"`
	File      starlark.Value `arg:"file=None: without effect: a bar is shown in the notebook, or on the terminal's stderr"`
	Columns   starlark.Value `arg:"ncols=None: without effect"`
	Interval  float64        `arg:"mininterval=0.1: seconds from one line to the next; in notebooks at least 0.1"`
	Longest   starlark.Value `arg:"maxinterval=10.0: without effect"`
	Least     starlark.Value `arg:"miniters=None: without effect"`
	ASCII     starlark.Value `arg:"ascii=None: True for digits and # instead of blocks"`
	Disable   starlark.Value `arg:"disable=False: True shows nothing; None nothing where there is no terminal, which is always so"`
	Unit      string         `arg:"unit=\"it\": what a step is"`
	UnitScale starlark.Value `arg:"unit_scale=False: counts are written in three digits, with k, M and G; a number multiplies them"`
	Dynamic   starlark.Value `arg:"dynamic_ncols=False: without effect"`
	Smoothing float64        `arg:"smoothing=0.3: of the rate: 0 for the mean of all, 1 for that of the last"`
	BarFormat starlark.Value `arg:"bar_format=None: without effect"`
	Initial   float64        `arg:"initial=0: steps that were done before"`
	Position  starlark.Value `arg:"position=None: without effect: bars stand in the order in which they began"`
	Postfix   starlark.Value `arg:"postfix=None: a dict of what stands behind the rate, or text"`
	Divisor   int            `arg:"unit_divisor=1000: of k, M and G"`
	Bytes     starlark.Value `arg:"write_bytes=False: without effect"`
	Lock      starlark.Value `arg:"lock_args=None: without effect"`
	Rows      starlark.Value `arg:"nrows=None: without effect"`
	Colour    starlark.Value `arg:"colour=None: without effect"`
	Delay     float64        `arg:"delay=0: seconds before the bar is shown"`
}

func isTrue(v starlark.Value) bool { return v != nil && bool(v.Truth()) }

func (a *args) plain() bool { return a.ASCII == starlark.True }

// newBar makes the bar of a loop; over may be nil.
func newBar(thread *starlark.Thread, fn string, over starlark.Value, a *args) (*bar, error) {
	s := session.Of(thread)
	b := &bar{screen: screenOf(s), args: a, n: a.Initial, total: math.NaN(), leave: a.Leave == nil || bool(a.Leave.Truth()), off: isTrue(a.Disable)}
	if over != nil {
		x, err := value.Iterable(over)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fn, err)
		}
		b.over = x
		if n := starlark.Len(over); n >= 0 {
			b.total = float64(n)
		}
	}
	if a.Total != nil {
		b.total = *a.Total
	}
	if a.Desc != nil {
		b.desc = *a.Desc
	}
	switch p := a.Postfix.(type) {
	case nil:
	case *slot.Dict:
		b.postfix = postfixOf(p, nil)
	default:
		b.postfix = value.Str(p)
	}
	b.interval = max(least, time.Duration(min(max(a.Interval, 0), 3600)*float64(time.Second)))
	if a.Divisor <= 1 {
		return nil, session.Failure("ValueError", fmt.Sprintf("%s: for parameter unit_divisor: got %d, want more than 1", fn, a.Divisor))
	}
	if over == nil { // update counts, from now on
		b.begin()
	}
	return b, nil
}

// postfixOf writes what stands behind the rate: those of a dict in its order, then others by name.
func postfixOf(d, more *slot.Dict) string {
	var parts []string
	add := func(kv starlark.Tuple) {
		text := value.Str(kv[1])
		if x, ok := starlark.AsFloat(value.NumberOf(kv[1])); ok {
			text = shortNumber(x, text)
		}
		parts = append(parts, value.Str(kv[0])+"="+strings.TrimSpace(text))
	}
	if d != nil {
		for _, kv := range d.Items() {
			add(kv)
		}
	}
	if more != nil {
		items := more.Items()
		slices.SortFunc(items, func(x, y starlark.Tuple) int { return strings.Compare(value.Str(x[0]), value.Str(y[0])) })
		for _, kv := range items {
			add(kv)
		}
	}
	return strings.Join(parts, ", ")
}

const imported = "from tqdm import tqdm; "

var writeBuiltin = value.Function("write", "Prints a line above the bars.", imported+`tqdm.write("a") # a`, func(thread *starlark.Thread, a *struct {
	Text  string         `arg:"s: the text"`
	File  starlark.Value `arg:"file=None: sys.stderr, or nothing"`
	End   string         `arg:"end=\"\\n\": what follows it"`
	Locks starlark.Value `arg:"nolock=False: without effect"`
}) (starlark.Value, error) {
	stream := "stdout"
	if a.File != nil && strings.Contains(a.File.String(), "stderr") {
		stream = "stderr"
	}
	screenOf(session.Of(thread)).print(a.Text+a.End, stream)
	return starlark.None, nil
})

var tqdmBuiltin = func() value.Builtin {
	b := value.Function("tqdm", "What the loop goes through, with a bar that shows how far it is; without an iterable, a bar that update moves.",
		imported+`[x for x in tqdm([1, 2])] # [1, 2]`, func(thread *starlark.Thread, a *struct {
			Iterable starlark.Value `arg:"iterable=None: what the loop goes through"`
			args
		}) (starlark.Value, error) {
			bar, err := newBar(thread, "tqdm", a.Iterable, &a.args)
			if err != nil {
				return nil, err
			}
			return bar.value(), nil
		})
	b.Attrs = []value.Builtin{writeBuiltin}
	return b
}()

var trangeBuiltin = value.Builtin{Name: "trange", Params: append([]value.Param{{Name: "*args", Doc: "those of range"}}, keywords()...),
	Doc: "tqdm(range(...)).", Example: "from tqdm import trange; [i for i in trange(3)] # [0, 1, 2]",
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		over, err := value.Call(thread, session.Of(thread).Predeclared()["range"], args, nil)
		if err != nil {
			return nil, err
		}
		return value.Call(thread, tqdmBuiltin.Value(), starlark.Tuple{over}, kwargs)
	}}

// keywords are the parameters of tqdm besides the loop.
func keywords() []value.Param { return value.NewArguments[args]().Params() }

// Table is progress, which cells have without an import.
var Table = []value.Builtin{
	value.Function("progress", "What the loop goes through, with a bar that shows how far it is: tqdm with its description second.",
		`[x for x in progress([1, 2], "train")] # [1, 2]`, func(thread *starlark.Thread, a *struct {
			Iterable starlark.Value `arg:"iterable=None: what the loop goes through; without it, update moves the bar"`
			args
		}) (starlark.Value, error) {
			bar, err := newBar(thread, "progress", a.Iterable, &a.args)
			if err != nil {
				return nil, err
			}
			return bar.value(), nil
		}),
}

type none struct{}

func method[A any](name, doc, example string, fn func(b *bar, a *A) error) value.Builtin {
	return value.MethodOf(name, doc, imported+example, func(_ *starlark.Thread, b *bar, a *A) (starlark.Value, error) { return nil, fn(b, a) })
}

type descArgs struct {
	Desc    *string `arg:"desc=None: the text"`
	Refresh bool    `arg:"refresh=True: shows it at once"`
}

func describe(b *bar, a *descArgs) error {
	b.desc = ""
	if a.Desc != nil {
		b.desc = *a.Desc
	}
	if a.Refresh {
		b.refresh()
	}
	return nil
}

// BarMethods are the attributes of a bar.
var BarMethods = value.NewMethods("tqdm", []value.Builtin{
	value.MethodOf("update", "Counts steps. Returns whether they were shown.", imported+"b = tqdm(total=3); r = b.update(2); b.n # 2",
		func(_ *starlark.Thread, b *bar, a *struct {
			N float64 `arg:"n=1: how many"`
		}) (starlark.Value, error) {
			before := b.told
			b.add(a.N)
			return starlark.Bool(b.told != before), nil
		}),
	method("set_description", "Changes the text before the bar.", `b = tqdm(total=3); b.set_description("train"); b.desc # "train"`, describe),
	method("set_description_str", "Changes the text before the bar.", `b = tqdm(total=3); b.set_description_str("train"); b.desc # "train"`, describe),
	method("set_postfix", "Changes what stands behind the rate: names with values.", `b = tqdm(total=3); b.set_postfix(loss=0.123456); b.postfix # "loss=0.123"`,
		func(b *bar, a *struct {
			Values  *slot.Dict `arg:"ordered_dict=None: values by name"`
			Refresh bool       `arg:"refresh=True: shows it at once"`
			More    *slot.Dict `arg:"**kwargs: further ones"`
		}) error {
			if b.postfix = postfixOf(a.Values, a.More); a.Refresh {
				b.refresh()
			}
			return nil
		}),
	method("set_postfix_str", "Changes what stands behind the rate.", `b = tqdm(total=3); b.set_postfix_str("ok"); b.postfix # "ok"`, func(b *bar, a *struct {
		Text    string `arg:"s=\"\": the text"`
		Refresh bool   `arg:"refresh=True: shows it at once"`
	}) error {
		if b.postfix = a.Text; a.Refresh {
			b.refresh()
		}
		return nil
	}),
	method("refresh", "Shows the bar as it is.", `b = tqdm(total=3); b.n = 2; b.refresh(); b.n # 2`, func(b *bar, _ *struct {
		Locks starlark.Value `arg:"nolock=False: without effect"`
		Args  starlark.Value `arg:"lock_args=None: without effect"`
	}) error {
		b.refresh()
		return nil
	}),
	method("reset", "Begins again, with another total if one is given.", `b = tqdm(total=3); r = b.update(2); b.reset(total=5); b.n, b.total # (0, 5)`, func(b *bar, a *struct {
		Total *float64 `arg:"total=None: how many steps there are"`
	}) error {
		b.n, b.span = 0, 0
		if a.Total != nil {
			b.total = *a.Total
		}
		b.began, b.told, b.toldAt = time.Now(), time.Now(), 0
		b.refresh()
		return nil
	}),
	method("close", "Shows the bar for the last time.", `b = tqdm(total=3); b.close(); b.n # 0`, func(b *bar, _ *none) error {
		b.close()
		return nil
	}),
	method("clear", "Does nothing: what is printed by write stands above the bars.", `b = tqdm(total=3); b.clear(); b.n # 0`, func(*bar, *struct {
		Locks starlark.Value `arg:"nolock=False: without effect"`
	}) error {
		return nil
	}),
	writeBuiltin,
	value.MethodOf("__enter__", "The bar: with calls it.", imported+`b = tqdm(total=3); b.__enter__().total # 3`,
		func(_ *starlark.Thread, b *bar, _ *none) (starlark.Value, error) { return b, nil }),
	value.MethodOf("__exit__", "Closes the bar: with calls it.", imported+`b = tqdm(total=3); print(b.__exit__()) # None`, func(_ *starlark.Thread, b *bar, _ *struct {
		Error starlark.Tuple `arg:"*error: what the block failed with"`
	}) (starlark.Value, error) {
		b.close()
		return nil, nil
	}),
}).With(
	value.FieldOf("n", "How many steps are done.", imported+"tqdm(total=3).n # 0", func(b *bar) starlark.Value { return number(b.n) }),
	value.FieldOf("total", "How many there are, None if that is unknown.", imported+"tqdm(total=3).total # 3", func(b *bar) starlark.Value { return number(b.total) }),
	value.FieldOf("desc", "The text before the bar.", imported+`tqdm(total=3, desc="train").desc # "train"`, func(b *bar) starlark.Value { return starlark.String(b.desc) }),
	value.FieldOf("postfix", "What stands behind the rate.", imported+`tqdm(total=3, postfix={"a": 1}).postfix # "a=1"`, func(b *bar) starlark.Value { return starlark.String(b.postfix) }),
	value.FieldOf("unit", "What a step is.", imported+`tqdm(total=3).unit # "it"`, func(b *bar) starlark.Value { return starlark.String(b.args.Unit) }),
	value.FieldOf("leave", "Whether the bar stays when the loop is over.", imported+`tqdm(total=3).leave # True`, func(b *bar) starlark.Value { return starlark.Bool(b.leave) }),
	value.FieldOf("disable", "Whether it shows nothing.", imported+`tqdm(total=3).disable # False`, func(b *bar) starlark.Value { return starlark.Bool(b.off) }),
	value.FieldOf("format_dict", "A dict with n, total, elapsed and rate.", imported+`tqdm(total=3).format_dict["total"] # 3`, func(b *bar) starlark.Value {
		d := slot.NewDict(4)
		for _, kv := range []struct {
			name string
			x    starlark.Value
		}{{"n", number(b.n)}, {"total", number(b.total)}, {"elapsed", starlark.Float(b.elapsed())}, {"rate", number(b.meter().rate)}} {
			d.SetKey(starlark.String(kv.name), kv.x)
		}
		return d
	}))

// number is a count: an int if it is one, None for nan.
func number(x float64) starlark.Value {
	switch {
	case math.IsNaN(x):
		return starlark.None
	case x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return starlark.MakeInt64(int64(x))
	}
	return starlark.Float(x)
}

// formats are what tqdm writes its line by.
var formats = []value.Builtin{
	value.Function("format_interval", "Seconds as text.", "import tqdm; tqdm.std.format_interval(3661) # \"1:01:01\"", func(_ *starlark.Thread, a *struct {
		T float64 `arg:"t: seconds"`
	}) (starlark.Value, error) {
		return starlark.String(interval(a.T)), nil
	}),
	value.Function("format_sizeof", "A number in three digits.", "import tqdm; tqdm.std.format_sizeof(12345) # \"12.3k\"", func(_ *starlark.Thread, a *struct {
		Num     float64 `arg:"num: the number"`
		Suffix  string  `arg:"suffix=\"\": what follows it"`
		Divisor float64 `arg:"divisor=1000: of k, M and G"`
	}) (starlark.Value, error) {
		return starlark.String(sizeOf(a.Num, a.Divisor) + a.Suffix), nil
	}),
	value.Function("format_meter", "The line of a bar.", "import tqdm; tqdm.std.format_meter(5, 10, 1) # \" 50%|█████     | 5/10 [00:01<00:01,  5.00it/s]\"",
		func(_ *starlark.Thread, a *struct {
			N         float64        `arg:"n: steps that are done"`
			Total     *float64       `arg:"total: how many there are"`
			Elapsed   float64        `arg:"elapsed: seconds"`
			Columns   starlark.Value `arg:"ncols=None: without effect"`
			Prefix    string         `arg:"prefix=\"\": text before the bar"`
			ASCII     bool           `arg:"ascii=False: digits and # instead of blocks"`
			Unit      string         `arg:"unit=\"it\": what a step is"`
			UnitScale starlark.Value `arg:"unit_scale=False: three digits; a number multiplies"`
			Rate      *float64       `arg:"rate=None: steps a second"`
			BarFormat starlark.Value `arg:"bar_format=None: without effect"`
			Postfix   string         `arg:"postfix=None: what stands behind the rate"`
			Divisor   float64        `arg:"unit_divisor=1000: of k, M and G"`
			Initial   float64        `arg:"initial=0: steps that were done before"`
		}) (starlark.Value, error) {
			m := meter{n: a.N, total: math.NaN(), elapsed: a.Elapsed, desc: a.Prefix, unit: a.Unit, divisor: a.Divisor, rate: math.NaN(),
				initial: a.Initial, postfix: a.Postfix, ascii: a.ASCII, width: barWidth}
			if a.Total != nil {
				m.total = *a.Total
			}
			if a.Rate != nil {
				m.rate = *a.Rate
			}
			m.scaleBy(a.UnitScale)
			return starlark.String(m.text()), nil
		}),
}

// Modules are those that are imported: tqdm.
func Modules(*session.Session) starlark.StringDict { return starlark.StringDict{"tqdm": tqdmModule} }

var tqdmModule = func() *value.Module {
	loops := []value.Builtin{tqdmBuiltin, trangeBuiltin}
	part := func(name string, more ...value.Member) value.Member {
		m := value.NewModule("tqdm."+name, "The same bars: where they are shown decides how.", append(value.Builtins(loops), more...)...)
		return value.Member{Name: name, Value: m, Doc: m.Doc(), Example: "import tqdm." + name + "; tqdm." + name + " # " + m.String()}
	}
	older := value.Builtins([]value.Builtin{renamed(tqdmBuiltin, "tqdm_notebook"), renamed(trangeBuiltin, "tnrange")})
	notebook := append(older, part("auto"), part("autonotebook"), part("notebook", older...))
	return value.NewModule("tqdm", "Bars that show how far loops are: in notebooks an output that changes, on terminals a line of stderr, nothing in files.",
		append(append(value.Builtins(loops), notebook...), part("std", value.Builtins(formats)...))...)
}()

// renamed is a function under the name that older programs import.
func renamed(b value.Builtin, name string) value.Builtin {
	b.Example = strings.ReplaceAll(strings.ReplaceAll(b.Example, "import "+b.Name, "import "+name), " "+b.Name+"(", " "+name+"(")
	b.Name, b.Attrs = name, nil
	return b
}

// Types are the tables of the values.
var Types = []*value.Methods{BarMethods}
