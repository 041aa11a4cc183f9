package plain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
)

// An expression is text and how tightly its last operator binds.
type expression struct {
	text  string
	level int
}

// Levels of operators, the loosest first.
const (
	comparing = iota
	adding
	multiplying
	negating
	raising
	tightest
)

// operators are the ops that are written between their operands, or before the only one.
var operators = map[string]expression{
	"add": {"+", adding}, "sub": {"-", adding}, "mul": {"*", multiplying}, "true_div": {"/", multiplying},
	"int_div": {"//", multiplying}, "mod": {"%", multiplying}, "dot": {"@", multiplying},
	"matmul": {"@", multiplying}, "neg": {"-", negating}, "pow": {"**", raising},
	"eq": {"==", comparing}, "neq": {"!=", comparing}, "lt": {"<", comparing}, "le": {"<=", comparing},
	"gt": {">", comparing}, "ge": {">=", comparing},
}

// results are what an op makes of operands.
func results(key string, operands []expression) []expression {
	base, params := split(key)
	code, ok := strings.CutPrefix(params, "code=")
	if base != "composite" || !ok {
		return []expression{apply(base, params, operands)}
	}
	steps, outputs, err := graph.SplitBody(code)
	if err != nil {
		return []expression{{base, tightest}}
	}
	of := make(map[string]expression, len(operands)+len(steps))
	for i, e := range operands {
		of[fmt.Sprint("i", i)] = e
	}
	take := func(names []string) []expression {
		list := make([]expression, len(names))
		for i, name := range names {
			e, ok := of[name]
			if !ok {
				e = expression{strings.TrimSuffix(name, ".0"), tightest} // a number
			}
			list[i] = e
		}
		return list
	}
	for i, s := range steps {
		base, params := split(s.Op)
		of[fmt.Sprint("t", i)] = apply(base, params, take(s.Args))
	}
	return take(outputs)
}

// apply writes an op with its operands; if that is long, with the short ones of them alone.
func apply(base, params string, operands []expression) expression {
	e := written(base, params, operands)
	if units.Width(e.text) <= maxPlain {
		return e
	}
	short := slices.Clone(operands)
	for i, o := range short {
		if units.Width(o.text) > minPlain {
			short[i] = expression{somePlain, tightest}
		}
	}
	e = written(base, params, short)
	e.text = units.Short(e.text, maxPlain)
	return e
}

// at is the expression as an operand of an operator that binds as tightly.
func (e expression) at(level int) string {
	if e.level < level {
		return "(" + e.text + ")"
	}
	return e.text
}

// operation writes an operator with its operands, one or two.
func operation(base string, operands ...expression) (e expression, ok bool) {
	o, ok := operators[base]
	switch {
	case ok && len(operands) == 2:
		blank := " "
		if o.level > adding {
			blank = ""
		}
		return expression{operands[0].at(o.level) + blank + o.text + blank + operands[1].at(o.level+1), o.level}, true
	case ok && len(operands) == 1:
		return expression{o.text + operands[0].at(o.level), o.level}, true
	}
	return expression{}, false
}

// written writes an op with its operands.
func written(base, params string, operands []expression) expression {
	if e, ok := operation(base, operands...); ok {
		return e
	}
	if write, ok := writers[base]; ok && len(operands) > 0 {
		if e := write(params, operands); e.text != "" {
			return e
		}
	}
	name := strings.TrimPrefix(base, "cast_")
	const most = 4
	var list []string
	for i, o := range operands {
		if i == most {
			list = append(list, somePlain)
			break
		}
		list = append(list, o.text)
	}
	if axes, ok := strings.CutPrefix(params, "axes="); ok {
		axes, _, _ = strings.Cut(axes, ",")
		if words := strings.Fields(axes); len(words) == 1 {
			list = append(list, "axis="+words[0])
		} else {
			list = append(list, "axis=("+strings.Join(words, ", ")+")")
		}
	}
	return expression{name + "(" + strings.Join(list, ", ") + ")", tightest}
}

// writers are the ops that are written as no call of their name. No text is that they are, for
// once.
var writers = map[string]func(params string, operands []expression) expression{
	"sqr":           func(_ string, x []expression) expression { return expression{x[0].at(tightest) + "**2", raising} },
	"identity":      func(_ string, x []expression) expression { return x[0] },
	"specify_shape": func(_ string, x []expression) expression { return x[0] },
	"check_lengths": func(_ string, x []expression) expression { return x[0] },
	"shape_i": func(params string, x []expression) expression {
		return expression{x[0].at(tightest) + ".shape[" + cmp.Or(strings.TrimPrefix(params, "axis="), "0") + "]", tightest}
	},
	"dimshuffle": shuffled,
	"subtensor":  subscripted,
	"gemm":       productAndSum,
	"gemv":       productAndSum,
}

// shuffled is x.T, or x itself where axes are added alone.
func shuffled(params string, x []expression) expression {
	pattern, _ := strings.CutPrefix(params, "pattern=")
	axes := slices.DeleteFunc(strings.Fields(pattern), func(a string) bool { return a == "x" })
	reversed := slices.Clone(axes)
	slices.Reverse(reversed)
	switch {
	case slices.IsSorted(axes):
		return x[0]
	case slices.IsSorted(reversed) && len(axes) == len(strings.Fields(pattern)):
		return expression{x[0].at(tightest) + ".T", tightest}
	}
	return expression{x[0].at(tightest) + ".dimshuffle(" + strings.Join(strings.Fields(pattern), ", ") + ")", tightest}
}

// subscripted is x[1:n, i].
func subscripted(params string, x []expression) expression {
	index, ok := strings.CutPrefix(params, "index=")
	if !ok {
		return expression{}
	}
	var words []string
	rest := x[1:]
	for _, word := range strings.Fields(index) {
		var b strings.Builder
		for _, c := range word {
			if strings.ContainsRune("iv", c) && len(rest) > 0 {
				b.WriteString(rest[0].text)
				rest = rest[1:]
				continue
			}
			b.WriteRune(c)
		}
		words = append(words, b.String())
	}
	return expression{x[0].at(tightest) + "[" + strings.Join(words, ", ") + "]", tightest}
}

// productAndSum is x@y + z of z*b + a*(x@y).
func productAndSum(_ string, x []expression) expression {
	if len(x) != 5 {
		return expression{}
	}
	z, a, b := x[0], x[1], x[4]
	sum, _ := operation("dot", x[2], x[3])
	factor, negative := strings.CutPrefix(a.text, "-")
	if factor != "1" {
		sum, _ = operation("mul", expression{factor, tightest}, sum)
	}
	if b.text != "1" && b.text != "0" {
		z, _ = operation("mul", b, z)
	}
	switch {
	case b.text == "0" && negative:
		sum, _ = operation("neg", sum)
	case b.text == "0":
	case negative:
		sum, _ = operation("sub", z, sum)
	default:
		sum, _ = operation("add", sum, z)
	}
	return sum
}
