package display

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type floatsKey struct{}

// floatFormat is how %precision has floats written, "" for repr.
func floatFormat(s *session.Session) string { return *floatsOf(s) }

func floatsOf(s *session.Session) *string {
	return s.Local(floatsKey{}, func() any { return new(string) }).(*string)
}

// digitsOfArrays is how many arrays have unless something else is asked for.
const digitsOfArrays = 8

var digitsIn = regexp.MustCompile(`\.(\d+)`)

// magicPrecision is %precision.
func magicPrecision(c *magic.Call) (starlark.Value, error) {
	text, digits := strings.TrimSpace(c.Rest), digitsOfArrays
	format := text
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		format, digits = fmt.Sprintf("%%.%df", n), n
	} else if m := digitsIn.FindStringSubmatch(text); m != nil {
		digits, _ = strconv.Atoi(m[1])
	}
	if digits > 100 {
		return nil, value.Failure("ValueError", "%%precision: got %s, want at most 100 digits", text)
	}
	if format != "" {
		if _, err := value.FormatPercent(c.Thread(), format, starlark.Float(3.14)); err != nil || !strings.Contains(format, "%") {
			return nil, value.Failure("ValueError", "%%precision: got %s, want a number of digits, or a format such as %%.3e", text)
		}
	}
	options, err := value.Attr(np.ModuleOf(c.S), "set_printoptions")
	if err == nil {
		_, err = value.Call(c.Thread(), options, nil, []starlark.Tuple{{starlark.String("precision"), starlark.MakeInt(digits)}})
	}
	if err != nil {
		return nil, err
	}
	*floatsOf(c.S) = format
	if format == "" {
		format = "%r"
	}
	return starlark.String(format), nil
}
