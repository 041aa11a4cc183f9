package linalg

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// caseOf is a case of testdata/cases.py.
type caseOf struct {
	Op, Param string
	Args      []jsonMatrix
	Want      []jsonMatrix
	Error     string
}

type jsonMatrix struct {
	Rows, Cols int
	Data       string
}

func (j jsonMatrix) matrix(t *testing.T) Matrix {
	t.Helper()
	m := Matrix{Rows: j.Rows, Cols: j.Cols}
	for _, field := range strings.Fields(j.Data) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			t.Fatal(err)
		}
		m.Data = append(m.Data, v)
	}
	return m
}

func number(v float64) Matrix        { return vector([]float64{v}) }
func vector(values []float64) Matrix { return Matrix{Rows: len(values), Cols: 1, Data: values} }

// run returns results as matrices, those with a free sign made comparable.
var run = map[string]func(param string, a ...Matrix) ([]Matrix, error){
	"inv":      func(_ string, a ...Matrix) ([]Matrix, error) { return one(Inv(a[0])) },
	"solve":    func(_ string, a ...Matrix) ([]Matrix, error) { return one(Solve(a[0], a[1])) },
	"det":      func(_ string, a ...Matrix) ([]Matrix, error) { return scalar(Det(a[0])) },
	"cholesky": func(_ string, a ...Matrix) ([]Matrix, error) { return one(Cholesky(a[0])) },
	"expm":     func(_ string, a ...Matrix) ([]Matrix, error) { return one(Expm(a[0])) },
	"svdvals":  func(_ string, a ...Matrix) ([]Matrix, error) { return values(SVDVals(a[0])) },
	"eigvals":  func(_ string, a ...Matrix) ([]Matrix, error) { return values(Eigvals(a[0])) },
	"eigvalsh": func(_ string, a ...Matrix) ([]Matrix, error) { return values(Eigvalsh(a[0], Lower)) },
	"slogdet": func(_ string, a ...Matrix) ([]Matrix, error) {
		sign, logdet, err := SLogDet(a[0])
		return []Matrix{number(sign), number(logdet)}, err
	},
	"qr": func(param string, a ...Matrix) ([]Matrix, error) {
		modes := map[string]QRMode{"reduced": QRReduced, "complete": QRComplete, "r": QRR}
		q, r := QR(a[0], modes[param])
		if modes[param] == QRR {
			return []Matrix{r}, nil
		}
		return []Matrix{q, r}, nil
	},
	"svd": func(param string, a ...Matrix) ([]Matrix, error) {
		u, s, vt, err := SVD(a[0], param == "full")
		return []Matrix{u, vector(s), vt}, err
	},
	"eigh": func(param string, a ...Matrix) ([]Matrix, error) {
		w, v, err := Eigh(a[0], map[string]Triangle{"L": Lower, "U": Upper}[param])
		return []Matrix{vector(w), v}, err
	},
	"eig": func(_ string, a ...Matrix) ([]Matrix, error) {
		w, v, err := Eig(a[0])
		return []Matrix{vector(w), v}, err
	},
	"pinv": func(param string, a ...Matrix) ([]Matrix, error) { return one(Pinv(a[0], parse(param))) },
	"norm": func(param string, a ...Matrix) ([]Matrix, error) { return scalar(MatrixNorm(a[0], NormOrder(param))) },
	"cond": func(param string, a ...Matrix) ([]Matrix, error) { return scalar(Cond(a[0], NormOrder(param))) },
	"vectornorm": func(param string, a ...Matrix) ([]Matrix, error) {
		return scalar(VectorNorm(a[0].Data, parse(param), nil))
	},
	"matrix_rank": func(param string, a ...Matrix) ([]Matrix, error) {
		rank, err := MatrixRank(a[0], parse(param))
		return scalar(float64(rank), err)
	},
	"lstsq": func(param string, a ...Matrix) ([]Matrix, error) {
		l, err := Lstsq(a[0], a[1], parse(param))
		return []Matrix{l.X, vector(l.Residuals), number(float64(l.Rank)), vector(l.SingularValues)}, err
	},
}

func one(m Matrix, err error) ([]Matrix, error)       { return []Matrix{m}, err }
func scalar(v float64, err error) ([]Matrix, error)   { return []Matrix{number(v)}, err }
func values(v []float64, err error) ([]Matrix, error) { return []Matrix{vector(v)}, err }

func parse(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return v
}

// freeSigns says which results are bases whose vectors may point either way: in columns, or in
// rows.
var freeSigns = map[string][]string{"svd": {"columns", "", "rows"}, "eigh": {"", "columns"}, "eig": {"", "columns"}}

// pointed turns the first k columns (or rows) of m so that their largest element is positive, and
// drops the others, which are any basis of what is left.
func pointed(m Matrix, along string, k int) Matrix {
	switch along {
	case "":
		return m
	case "rows":
		return pointed(m.T(), "columns", k).T()
	}
	p := New(m.Rows, min(m.Cols, k))
	for j := range p.Cols {
		most := 0.0
		for i := range m.Rows {
			if v := m.At(i, j); math.Abs(v) > math.Abs(most)*(1+1e-6) {
				most = v
			}
		}
		for i := range m.Rows {
			p.Data[i*p.Cols+j] = math.Copysign(1, most) * m.At(i, j)
		}
	}
	return p
}

// messages pairs NumPy's messages with ours.
var messages = []struct{ numpy, ours string }{
	{"Singular matrix", "singular matrix"},
	{"must be square", "want a square one"},
	{"zero-size array", "got no elements, want at least one for a largest or smallest value"},
	{"not positive definite", "matrix is not positive definite"},
	{"SVD did not converge", "array must not contain infs or NaNs"},
	{"infs or NaNs", "array must not contain infs or NaNs"},
	{"complex", "eigenvalues are complex, which eig does not give yet (a symmetric matrix has real ones)"},
	{"mismatch in its core dimension", "got a right hand side of 3 rows, want 2, as the matrix has"},
	{"not defined on empty arrays", "want one with elements"},
	{"Invalid norm order", "got order 3, want 1, -1, 2, -2, inf, -inf, fro or nuc for a matrix"},
}

// distance is how far got lies from want, in units of the larger of the result's norm and 1e-300.
func distance(got, want Matrix) float64 {
	if got.Rows != want.Rows || got.Cols != want.Cols || len(got.Data) != len(want.Data) {
		return math.Inf(1)
	}
	far, size := 0.0, 1e-300
	for i, w := range want.Data {
		g := got.Data[i]
		if g == w || math.IsNaN(g) && math.IsNaN(w) {
			if !math.IsInf(w, 0) && !math.IsNaN(w) {
				size = max(size, math.Abs(w))
			}
			continue
		}
		if math.IsInf(w, 0) || math.IsNaN(w) || math.IsInf(g, 0) || math.IsNaN(g) {
			return math.Inf(1)
		}
		far, size = max(far, math.Abs(g-w)), max(size, math.Abs(w))
	}
	return far / size
}

func TestNumPy(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []caseOf
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		t.Run(fmt.Sprintf("%d %s %s", i, c.Op, c.Param), func(t *testing.T) { testCase(t, c) })
	}
	if len(cases) < 500 {
		t.Errorf("got %d cases, want at least 500", len(cases))
	}
}

func testCase(t *testing.T, c caseOf) {
	var args, before []Matrix
	for _, a := range c.Args {
		args = append(args, a.matrix(t))
		before = append(before, a.matrix(t))
	}
	got, err := run[c.Op](c.Param, args...)
	for i := range args {
		if distance(args[i], before[i]) != 0 {
			t.Errorf("argument %d has changed", i)
		}
	}
	if c.Error != "" || err != nil {
		want := ""
		for _, m := range messages {
			if strings.Contains(c.Error, m.numpy) {
				want = m.ours
			}
		}
		if err == nil || want == "" || !strings.Contains(err.Error(), want) {
			t.Fatalf("got error %v and %v, want %q (NumPy: %q) for %v", err, got, want, c.Error, args)
		}
		return
	}
	if len(got) != len(c.Want) {
		t.Fatalf("got %d results, want %d", len(got), len(c.Want))
	}
	for i, w := range c.Want {
		g, want := got[i], w.matrix(t)
		if g.Rows != want.Rows || g.Cols != want.Cols {
			t.Fatalf("result %d has shape (%d, %d), want (%d, %d)", i, g.Rows, g.Cols, want.Rows, want.Cols)
		}
		if signs := freeSigns[c.Op]; signs != nil {
			k := min(args[0].Rows, args[0].Cols)
			g, want = pointed(g, signs[i], k), pointed(want, signs[i], k)
		}
		if d := distance(g, want); !(d < 1e-11) {
			t.Errorf("result %d is %g away:\ngot  %v\nwant %v\nfor  %v", i, d, g, want, args)
		}
	}
}
