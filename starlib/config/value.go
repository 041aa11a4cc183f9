package config

import (
	"fmt"
	"strconv"
	"strings"
)

// Check returns v as the flag stores it, or an error that says which values it takes.
// v is a bool, an integer, a float without fraction, a string, nil for None, or a list
// of strings for tags. Text is read as in ARIGNOTE_FLAGS.
func (f Flag) Check(v any) (any, error) {
	switch f.Kind {
	case Bool:
		return f.checkBool(v)
	case Int:
		return f.checkInt(v)
	case Choice:
		text, ok := asText(v)
		if !ok {
			return nil, f.want(v)
		}
		for _, c := range f.Choices {
			if strings.EqualFold(c, text) {
				return c, nil
			}
		}
		if c, ok := f.Also[strings.ToLower(text)]; ok {
			return c, nil
		}
		if why, ok := f.Refused[strings.ToLower(text)]; ok {
			return nil, fmt.Errorf("%s: %s; want %s", f.Name, why, f.Values())
		}
		return nil, f.want(v)
	case Tags:
		return f.checkTags(v)
	case Bytes:
		return f.checkBytes(v)
	default:
		text, ok := asText(v)
		if !ok {
			return nil, f.want(v)
		}
		return text, nil
	}
}

func (f Flag) checkBool(v any) (any, error) {
	switch v := v.(type) {
	case bool:
		return v, nil
	case string:
		switch v {
		case "True", "true", "1":
			return true, nil
		case "False", "false", "0":
			return false, nil
		}
	case int:
		if v == 0 || v == 1 {
			return v == 1, nil
		}
	case int64:
		if v == 0 || v == 1 {
			return v == 1, nil
		}
	}
	return nil, f.want(v)
}

func (f Flag) checkInt(v any) (any, error) {
	var n int
	switch v := v.(type) {
	case int:
		n = v
	case int64:
		n = int(v)
	case string:
		parsed, err := strconv.Atoi(strings.TrimSpace(v))
		if err != nil {
			return nil, f.want(v)
		}
		n = parsed
	default:
		return nil, f.want(v)
	}
	if n < 0 || f.Positive && n == 0 || f.Most > 0 && n > f.Most {
		return nil, f.want(v)
	}
	return n, nil
}

// units of bytes, longest suffix first.
var units = []struct {
	name  string
	bytes float64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}, {"b", 1}, {"", 1},
}

func (f Flag) checkBytes(v any) (any, error) {
	if f.Share {
		if v == nil || v == 0 || v == int64(0) {
			return none, nil
		}
		if text, ok := v.(string); ok {
			text = strings.ToLower(strings.TrimSpace(text))
			if percent, ok := ShareOf(text); text == none || ok && percent > 0 && percent <= 100 {
				return text, nil
			}
			if text == "0" {
				return none, nil
			}
		}
	}
	text, ok := v.(string)
	if !ok {
		return f.checkInt(v)
	}
	for _, u := range units {
		number, ok := strings.CutSuffix(strings.ToLower(strings.TrimSpace(text)), u.name)
		if !ok {
			continue
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(x >= 0 && x*u.bytes < 1<<62) {
			break
		}
		return int(x * u.bytes), nil
	}
	return nil, f.want(v)
}

// none is the value of a flag of bytes that bounds nothing.
const none = "none"

// ShareOf returns the number of percent in a share, "50%".
func ShareOf(text string) (percent float64, ok bool) {
	number, ok := strings.CutSuffix(text, "%")
	if !ok {
		return 0, false
	}
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	return percent, err == nil
}

// Bytes returns the value of a flag of kind Bytes, whose shares are of the given number; 0 is no
// bound.
func (c *Config) Bytes(name string, of int64) int64 {
	switch v, _ := c.Get(name); v := v.(type) {
	case int:
		return int64(v)
	case string:
		percent, _ := ShareOf(v)
		return int64(percent / 100 * float64(of))
	}
	panic(fmt.Sprintf("BUG: config: flag %s is no number of bytes", name))
}

func (f Flag) checkTags(v any) (any, error) {
	var parts []string
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		parts = strings.Split(v, ":")
	case []string:
		parts = v
	default:
		return nil, f.want(v)
	}
	var tags []string
	for _, tag := range parts {
		tag = strings.TrimSpace(tag)
		if tag == "" {
			continue
		}
		if strings.ContainsAny(tag, " ,=:") {
			return nil, f.want(v)
		}
		tags = append(tags, tag)
	}
	return strings.Join(tags, ":"), nil
}

// asText returns the text of a value for the kinds that are stored as text.
func asText(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "None", true
	case string:
		return v, true
	case bool:
		if v {
			return "True", true
		}
		return "False", true
	case int, int64:
		return fmt.Sprint(v), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	}
	return "", false
}

// Values describes the values the flag takes, for messages and completion.
func (f Flag) Values() string {
	switch f.Kind {
	case Bool:
		return "True or False"
	case Int:
		switch {
		case f.Most > 0:
			return fmt.Sprintf("an integer from 0 to %d", f.Most)
		case f.Positive:
			return "an integer > 0"
		}
		return "an integer >= 0"
	case Bytes:
		if f.Share {
			return "a number of bytes, as 512MB or 2GiB, a share, as 50%, or none"
		}
		return "a number of bytes, as 512MB or 2GiB"
	case Choice:
		return "one of " + strings.Join(f.Choices, ", ")
	case Tags:
		return "names separated by colons"
	case String:
		if f.File {
			return strings.Join(f.Choices, ", ") + " or the path of a file"
		}
		return "a string"
	default:
		return "a string"
	}
}

func (f Flag) want(v any) error {
	return fmt.Errorf("%s: got %s, want %s", f.Name, Show(v), f.Values())
}

// Show returns a value as the user would write it.
func Show(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case nil, bool, int, int64, float64:
		text, _ := asText(v)
		return text
	}
	return fmt.Sprintf("%v", v)
}

// CheckText checks a value as the flag of that name does, and spells it as the flag does.
func CheckText(flag, value string) (string, error) {
	f, ok := Lookup(flag)
	if !ok {
		panic("BUG: no flag " + flag)
	}
	v, err := f.Check(value)
	if err != nil {
		return "", err
	}
	return v.(string), nil
}
