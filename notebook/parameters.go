package notebook

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The tags of papermill: a cell with the values that a notebook has of its own, and the cell with
// those of a run, which stands behind it.
const (
	TagParameters = "parameters"
	TagInjected   = "injected-parameters"
)

// A Parameter is a value that a run gives a notebook.
type Parameter struct {
	Name  string
	Value json.RawMessage // of a float that JSON has not, its name as text, with Special
	// Special says that Value is "nan", "inf" or "-inf".
	Special bool
}

var identifier = regexp.MustCompile(`^[\pL_][\pL\pN_]*$`)

// ParseParameter reads name=value. The value is typed as papermill does: True, False, None, whole
// numbers and floats as Python reads them, and text. As text nothing is tried.
func ParseParameter(arg string, asText bool) (Parameter, error) {
	name, value, ok := strings.Cut(arg, "=")
	if !ok || !identifier.MatchString(name) {
		return Parameter{}, fmt.Errorf("parameter: got %q, want name=value", arg)
	}
	p := Parameter{Name: name, Value: Quote(value)}
	if asText {
		return p, nil
	}
	constants := map[string]string{"True": "true", "False": "false", "None": "null"}
	if constant, ok := constants[value]; ok {
		p.Value = json.RawMessage(constant)
		return p, nil
	}
	if number, ok := pythonNumber(value); ok {
		if strings.ContainsAny(number, "an") { // nan, inf
			p.Special, number = true, strconv.Quote(number)
		}
		p.Value = json.RawMessage(number)
	}
	return p, nil
}

var (
	wholeNumber = regexp.MustCompile(`^[+-]?[0-9]+(_[0-9]+)*$`)
	floatNumber = regexp.MustCompile(`^[+-]?([0-9]+(_[0-9]+)*\.?([0-9]+(_[0-9]+)*)?|\.[0-9]+(_[0-9]+)*)([eE][+-]?[0-9]+(_[0-9]+)*)?$`)
)

// pythonNumber is what int() or float() of Python makes of a text, as JSON, or nan, inf or -inf.
func pythonNumber(text string) (string, bool) {
	text = strings.TrimSpace(text)
	digits := strings.TrimPrefix(strings.ReplaceAll(text, "_", ""), "+")
	if wholeNumber.MatchString(text) {
		sign := ""
		if rest, ok := strings.CutPrefix(digits, "-"); ok {
			sign, digits = "-", rest
		}
		if digits = strings.TrimLeft(digits, "0"); digits == "" {
			return "0", true
		}
		return sign + digits, true
	}
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case "nan":
		return "nan", strings.Count(text, "+")+strings.Count(text, "-") <= 1
	case "inf", "infinity":
		if strings.HasPrefix(text, "-") {
			return "-inf", strings.Count(text, "-") == 1
		}
		return "inf", strings.Count(text, "+") <= 1
	}
	if !floatNumber.MatchString(text) {
		return "", false
	}
	x, _ := strconv.ParseFloat(digits, 64) // what is too large is infinite, as in Python
	switch {
	case math.IsInf(x, 1):
		return "inf", true
	case math.IsInf(x, -1):
		return "-inf", true
	}
	return floatText(x), true
}

// floatText is a float as Python's repr writes it, which always has a point or an exponent.
func floatText(x float64) string {
	format := byte('f')
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		format = 'e'
	}
	text := strconv.FormatFloat(x, format, -1, 64)
	if format == 'f' && !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// ParametersOf reads parameters from a JSON object.
func ParametersOf(data []byte) ([]Parameter, error) {
	o, err := objectOf(json.RawMessage(strings.TrimSpace(string(data))), "parameters")
	if err != nil {
		return nil, err
	}
	var list []Parameter
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !identifier.MatchString(name) {
			return nil, fmt.Errorf("parameters: got %q, want a name", name)
		}
		list = append(list, Parameter{Name: name, Value: o[name]})
	}
	return list, nil
}

// Code is the assignment that gives the parameter its value.
func (p Parameter) Code() string {
	if p.Special {
		return fmt.Sprintf("%s = float(%s)", p.Name, p.Value)
	}
	return p.Name + " = " + literal(p.Value)
}

// literal is a JSON value as the language writes it.
func literal(raw json.RawMessage) string {
	switch kindOf(raw) {
	case "null":
		return "None"
	case "a bool":
		return strings.ToUpper(string(raw[:1])) + string(raw[1:])
	case "a list":
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list) // it was read as JSON
		parts := make([]string, len(list))
		for i, x := range list {
			parts[i] = literal(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case "an object":
		o := Object{}
		_ = json.Unmarshal(raw, &o)
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(o)) {
			parts = append(parts, literal(Quote(key))+": "+literal(o[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case "text":
		var text string
		_ = json.Unmarshal(raw, &text)
		return quoted(text)
	}
	return string(raw)
}

// quoted is a text in quotes, as Python and Starlark both read it.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Inject puts a cell with the parameters behind the one that is tagged with them, in the place of
// one that was put there before. It returns the names that the tagged cell does not assign, and
// whether there is one; without it the parameters are the first cell.
func (nb *Notebook) Inject(params []Parameter) (unknown []string, tagged bool) {
	own := slices.IndexFunc(nb.Cells, func(c *Cell) bool { return c.Kind == Code && c.HasTag(TagParameters) })
	if own >= 0 {
		for _, p := range params {
			assigned := regexp.MustCompile(`(?m)^` + p.Name + `\s*(:[^=\n]*)?=($|[^=])`)
			if !assigned.MatchString(nb.Cells[own].Source) {
				unknown = append(unknown, p.Name)
			}
		}
	}
	source := []string{"# Parameters"}
	for _, p := range params {
		source = append(source, p.Code())
	}
	c := &Cell{Kind: Code, Source: strings.Join(source, "\n"), Metadata: Object{"tags": json.RawMessage(`["` + TagInjected + `"]`)}}
	if nb.Minor >= 5 {
		c.ID = nb.freeID(TagInjected)
	}
	if before := slices.IndexFunc(nb.Cells, func(c *Cell) bool { return c.HasTag(TagInjected) }); before >= 0 {
		c.ID = nb.Cells[before].ID
		nb.Cells[before] = c
		return unknown, own >= 0
	}
	nb.Cells = slices.Insert(nb.Cells, own+1, c)
	return unknown, own >= 0
}
