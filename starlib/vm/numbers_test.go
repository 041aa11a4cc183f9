package vm_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// numbers are what operators are tried on: around the limits of what is unboxed or exact, and what
// is no number.
var numbers = []string{"0", "1", "-1", "2", "3", "-7", "62", "63", "64", "2147483647", "2147483648", "-2147483648",
	"-2147483649", "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "4611686018427387904",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616",
	"0.0", "-0.0", "1.0", "0.5", "-2.5", "9007199254740992.0", "9223372036854775808.0", "1e308", "inf", "-inf", "nan",
	"True", "None", `"a"`, "[1]", "(1,)"}

// differences are where operators do something else than upstream: the first row whose program and
// what it does upstream match says why.
var differences = []struct{ program, upstream, why string }{
	{`(?s)\S+ ([<>]=?|[!=]=) .*True|True ([<>]=?|[!=]=) y`, ``, "True is 1 where numbers are compared, as in Python"},
	{`True`, `unknown binary op: .*bool|got bool, want int`, "bools are ints, as in Python: see TestOperatorsOfBools"},
	{`(?s)\S+ ([<>]=?|[!=]=) .*nan|nan ([<>]=?|[!=]=) y`, ``, "nan is unordered and equals nothing, as in Python; upstream it is the largest number"},
	{`<<|>>`, `failed: .*(out of range|shift count too large)`, "shifts are as in Python, by any int"},
	{`(?s)//.*(inf|\d\.\d|e308)|(inf|\d\.\d|e308) //`, `^\S+\nglobals.*\nfailed: \n`, "a quotient is rounded down once, as in Python"},
	{`(?s) \+= .*print\(f\(\[1\]`, ``, "+= of a list takes any iterable, as in Python"},
	{` %=? `, `^-?0\.0\n`, "the zero that is a remainder has the sign of the divisor, as in Python"},
	{` %=? `, `too many arguments for format string`, "a list is no tuple of arguments of %, as in Python"},
}

// operations are programs of an operator: of variables, of a number that is written, and that
// change a variable.
func operations(op, x, y string) map[string]string {
	forms := map[string]string{
		"variables": fmt.Sprintf("def f(x, y):\n  z = x %s y\n  return z\nprint(f(%s, %s))\n", op, x, y),
		"written":   fmt.Sprintf("def f(x):\n  return x %s %s\nprint(f(%s))\n", op, y, x),
		"left":      fmt.Sprintf("def f(y):\n  return %s %s y\nprint(f(%s))\n", x, op, y),
	}
	if strings.ContainsAny(op, "=<>") && op != "<<" && op != ">>" {
		forms["while"] = fmt.Sprintf("def f(x):\n  while x %s %s: return 1\n  return 2\nprint(f(%s))\n", op, y, x)
		forms["not"] = fmt.Sprintf("def f(x, y):\n  return [not x %s y, 1 if not (x %s y) else 2]\nprint(f(%s, %s))\n", op, op, x, y)
		forms["jump"] = fmt.Sprintf("def f(x, y):\n  if x %s y: return 1\n  return 2\nprint(f(%s, %s))\n", op, x, y)
	} else {
		forms["changes by written"] = fmt.Sprintf("def f(x):\n  x %s= %s\n  return x\nprint(f(%s))\n", op, y, x)
		forms["changes"] = fmt.Sprintf("def f(x, y):\n  x %s= y\n  return x\nprint(f(%s, %s))\n", op, x, y)
	}
	return forms
}

func isSequence(x string) bool { return strings.ContainsAny(x, `"[(`) }

func TestOperatorsOfNumbers(t *testing.T) {
	seen := make([]bool, len(differences))
	for _, op := range strings.Fields("+ - * / // % & | ^ << >> < <= > >= == !=") {
		for _, x := range numbers {
			for _, y := range numbers {
				if op == "*" && (isSequence(x) && len(y) > 3 || isSequence(y) && len(x) > 3) {
					continue // how much memory a program may take is known to sessions
				}
				for _, src := range operations(op, x, y) {
					got, want := ours(src), upstream(src)
					if got == want {
						continue
					}
					if i := operatorDifference(src, want); i >= 0 {
						seen[i] = true
						continue
					}
					t.Errorf("%s %s %s:\n%s\ngot %s\nwant %s", x, op, y, src, got, want)
				}
			}
		}
	}
	for i, d := range differences {
		if !seen[i] {
			t.Errorf("nothing differs any more because %s", d.why)
		}
	}
}

// TestOperatorsOfBools: with a bool beside a number or a bool, or where a sequence is repeated, an
// operator does what it does with 1 and 0 for bools; but &, | and ^ of two bools give a bool.
func TestOperatorsOfBools(t *testing.T) {
	for _, op := range strings.Fields("+ - * / // % & | ^ << >>") {
		for _, x := range append(slices.Clone(numbers), "False") {
			for _, b := range []string{"True", "False"} {
				for _, pair := range [][2]string{{x, b}, {b, x}} {
					if x == "None" || op == "%" && pair[0] == `"a"` || strings.ContainsAny(x, `"[(`) && op != "*" {
						continue
					}
					isBool := strings.Contains("True False", x) && strings.Contains("& | ^", op)
					for form, src := range operations(op, pair[0], pair[1]) {
						ints := operations(op, whole(pair[0]), whole(pair[1]))[form]
						if isBool {
							ints = strings.Replace(ints, "print(f(", "print(bool(f(", 1)
							ints = strings.TrimSuffix(ints, "\n") + ")\n"
						}
						if got, want := ours(src).printed, ours(ints).printed; got != want {
							t.Errorf("%sgot %q, want %q", src, got, want)
						}
					}
				}
			}
		}
	}
}

// whole is 1 or 0 for a bool.
func whole(x string) string {
	return map[string]string{"True": "1", "False": "0"}[x] + strings.NewReplacer("True", "", "False", "").Replace(x)
}

// operatorDifference is the row of a program that does something else upstream, -1 if there is none.
func operatorDifference(src string, want outcome) int {
	for i, d := range differences {
		if regexp.MustCompile(d.program).MatchString(src) && regexp.MustCompile(d.upstream).MatchString(want.String()) {
			return i
		}
	}
	return -1
}
