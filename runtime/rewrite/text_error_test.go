package rewrite

import (
	"errors"
	"strings"
	"testing"
)

// TestTextErrors: what is wrong with a rule is told with the place in its text, which ^ marks in
// the line below.
func TestTextErrors(t *testing.T) {
	for _, c := range []struct{ text, caret, want string }{
		{"r: log(1 + exp(x)) => softplu(x)",
			"                      ^", "unknown op softplu (did you mean softplus?)"},
		{"r: log(x) => y",
			"             ^", "y is not bound by the pattern"},
		{"r: x + log(x, y) => x",
			"       ^", "log takes 1 operands, got 2"},
		{"r: x << y => x",
			"     ^", "unknown operator <<"},
		{"r: log(x) =>",
			"            ^", `"": expected operand, found 'EOF'`},
		{"  R : log(x) => x",
			"  ^", `got rule name "R", want lower-case letters, digits and underscores`},
		{"r [unstable Bad]: log(x) => x",
			"            ^", `got tag "Bad", want lower-case letters, digits and underscores`},
		{"r: log(x) => x if float(x) && positiv(x)",
			"                              ^", "unknown predicate positiv (did you mean positive?)"},
		{"r: log(x) => x if qwertz(x)",
			"                  ^", "unknown predicate qwertz (want bool, constant, "},
		{"r: log(x) => x if positive(y)",
			"                           ^", "y is not bound by the pattern"},
		{"r: x**2 => sqr(x)",
			"    ^", "there is no operator **; write pow(x, y)"},
		{"r: (x // y) => x",
			"      ^", "there is no operator //; write int_div(x, y)"},
		{"r: log(x) => x if float(x) and positive(x)",
			"                           ^", "there is no operator and; write && between predicates, and x & y for bools"},
		{"r: T.log(x) => x",
			"   ^", "want the name of an op alone: log"},
		{"r: log((x) => x",
			"          ^", `"log((x)": want )`},
	} {
		_, err := ParseRule(c.text, "In[1]:1")
		var text *TextError
		switch {
		case !errors.As(err, &text):
			t.Errorf("%s: got %v", c.text, err)
		case !strings.HasPrefix(text.Msg, c.want) || strings.Repeat(" ", text.At)+"^" != c.caret:
			t.Errorf("got\n%s\n%s^\n%s\nwant\n%s\n%s", c.text, strings.Repeat(" ", text.At), text.Msg, c.caret, c.want)
		}
	}
}

// TestParseRule: the lines of a text are patterns of one rule.
func TestParseRule(t *testing.T) {
	rules, err := ParseRule("\n# why\nr [a]: x + 0 => x # one\n\nr: 0 - ~x => x\n", "In[1]:1")
	if err != nil || len(rules) != 2 || rules[1].Text != "0 - ~x => x" || rules[0].Where != "In[1]:1" {
		t.Errorf("got %v, %v", rules, err)
	}
	for text, want := range map[string]string{
		"":                               "want name: pattern => replacement",
		"# r: x => y":                    "want name: pattern => replacement",
		"r: x + 0 => x\ns: x - 0 => x":   "got rules called r and s, want one name for all lines; register them one by one",
		"r: x + 0 => x\nr: x - 0 => log": "log is not bound by the pattern",
	} {
		if _, err := ParseRule(text, ""); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	_, err = ParseRule("r: x + 0 => x\nr: x - 0 => y", "")
	var text *TextError
	if !errors.As(err, &text) || text.At != len("r: x + 0 => x\nr: x - 0 => ") {
		t.Errorf("got %+v", err)
	}
}
