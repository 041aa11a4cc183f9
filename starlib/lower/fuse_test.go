package lower

import (
	"strings"
	"testing"

	"go.starlark.net/syntax"
)

// TestFusionWords: which expressions are asked whether they can be computed at once, and in which words. That what is computed is right is tested by values:
// TestFusedExpressions.
func TestFusionWords(t *testing.T) {
	for code, want := range map[string]string{
		"2*(a + b) + a":                  "2 $0 $1 + * $0 +",
		"-a*-0.5 < b":                    "$0 neg -5e-01 * $1 <",
		"np.exp(-x*x)":                   "$0 neg $0 * $1.exp/1",
		"np.where(x > 0, x, 0.1*x)":      "$0 0 > $0 1e-01 $0 * $1.where/3",
		"(x > 1) & ~(y <= 2) | z ^ w":    "$0 1 > $1 2 <= ~ & $2 $3 ^ |",
		"x // 2 % 3":                     "$0 2 // 3 %",
		"self.w*x + self.net.b":          "$0.w $1 * $0.net.b +",
		"p['W']*xs[i] - xs[-1][0]":       "$0['W] $1[$2] * $1[-1][0] -",
		"(x - x.mean())/x.shape[0]":      "$0 $0.mean() - $0.shape[0] /",
		"np.pi*x + 1":                    "$0.pi $1 * 1 +",
		"x + f(y)":                       "", // asking would call it twice
		"x + y.sum(0)":                   "",
		"x + y.nosuch()":                 "",
		"x + p['a b']":                   "",
		"0.5*(x[2:] + x[:-2])":           "5e-01 $0[2::] $0[:-2:] + *",
		"x[::-1] + y[i:j:k] + z[:]":      "$0[::-1] $1[$2:$3:$4] + $5[::] +",
		"p['u'][1:] - p['u'][:n]":        "$0['u][1::] $0['u][:$1:] -",
		"x + y[1:2]":                     "$0 $1[1:2:] +", // one operation: it stays
		"x + y[a + 1:]":                  "",
		"x + y['a':]":                    "",
		"x + y[i + 1]":                   "",
		"x + y[0.5]":                     "",
		"x + 'a'":                        "",
		"x + a.b.c.d.e.f":                "", // too long
		"np.zeros(shape=x) + y":          "",
		"x == y":                         "",
		"not x":                          "",
		"x @ y":                          "",
		strings.Repeat("x + ", 40) + "x": "",
		strings.Repeat("(", 20) + "x" + strings.Repeat(")", 20): "",
	} {
		e, err := new(syntax.FileOptions).ParseExpr("", strings.ReplaceAll(code, "@", "<<"), 0)
		if err != nil {
			t.Fatal(err)
		}
		f := fusion{}
		got := ""
		if f.add(e, 0) {
			got = strings.Join(f.words, " ")
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", code, got, want)
		}
	}
}
