package tensor

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// A numpyCase is a line of testdata/numpy_cases.json, which numpy_cases.py writes.
type numpyCase struct {
	Op    string
	In    []string
	Args  caseArgs
	Want  []string
	Error bool
}

type caseArgs struct {
	Items                  []caseItem
	View, Right            bool
	Of, Dtype, Mode        string
	Axis, Axis1, Axis2     int
	N, M, K, Offset, Shift int
	MinLength              int
	Reps                   []int
	Ends                   []float64 // left and right, if not the defaults
}

type caseItem struct {
	New, Ellipsis bool
	At            *int
	Slice         []*int
	Array         string
}

func (it caseItem) item(t *testing.T, r *rand.Rand) Item {
	switch {
	case it.Array != "":
		return Item{Array: relaid(r, parseArray(t, it.Array))}
	case it.Slice != nil:
		return Item{Index: Index{Start: it.Slice[0], Stop: it.Slice[1], Step: it.Slice[2]}}
	}
	return Item{Index: Index{At: it.At}, NewAxis: it.New, Ellipsis: it.Ellipsis}
}

// parseArray reads "dtype shape|elements".
func parseArray(t *testing.T, text string) *Dense {
	t.Helper()
	head, body, _ := strings.Cut(text, "|")
	name, dims, _ := strings.Cut(head, " ")
	dtype, err := kernels.ParseDType(name)
	if err != nil {
		t.Fatal(err)
	}
	var shape []int
	for d := range strings.SplitSeq(dims, ",") {
		if d != "" {
			n, _ := strconv.Atoi(d)
			shape = append(shape, n)
		}
	}
	words := strings.Fields(body)
	if dtype.IsFloat() {
		return parseElements(t, words, shape, strconv.ParseFloat).AsType(dtype)
	}
	if dtype == kernels.Uint64 {
		return parseElements(t, words, shape, func(s string, bits int) (uint64, error) { return strconv.ParseUint(s, 10, bits) })
	}
	ints := parseElements(t, words, shape, func(s string, bits int) (int64, error) { return strconv.ParseInt(s, 10, bits) })
	return ints.AsType(dtype)
}

func parseElements[T Number](t *testing.T, words []string, shape []int, parse func(string, int) (T, error)) *Dense {
	t.Helper()
	values := make([]T, len(words))
	for i, w := range words {
		var err error
		if values[i], err = parse(w, 64); err != nil {
			t.Fatal(err)
		}
	}
	return From(values, shape...)
}

// relaid is a as a view of other memory: transposed, with gaps, backwards, or all of these.
func relaid(r *rand.Rand, a *Dense) *Dense {
	rank := a.Rank()
	shape, index, order := make([]int, rank), make([]Index, rank), r.Perm(rank)
	for i, axis := range order {
		shape[i] = a.shape[axis]
		switch r.IntN(4) {
		case 0:
			back := -1
			index[i].Step = &back
		case 1:
			shape[i] = 2*shape[i] + 1
			first, by := 1, 2
			index[i].Start, index[i].Step = &first, &by
		}
	}
	z, err := New(a.dtype, shape...).Subscript(index...)
	if err != nil {
		panic(err)
	}
	back := make([]int, rank)
	for i, axis := range order {
		back[axis] = i
	}
	if z, err = z.DimShuffle(back); err != nil {
		panic(err)
	}
	CopyTo(z, a)
	return z
}

var boundsNames = map[string]Bounds{"raise": Raise, "wrap": Wrap, "clip": Clip}

// one makes a list of a result.
func one(z *Dense, err error) ([]*Dense, error) { return []*Dense{z}, err }

// numpyOps are the operations of the cases.
var numpyOps = map[string]func(t *testing.T, r *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error){
	"get": func(t *testing.T, r *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		s, err := selectItems(t, r, in[0], args)
		if err != nil {
			return nil, err
		}
		z, _ := s.Get()
		if fmt.Sprint(s.Shape()) != fmt.Sprint(z.Shape()) {
			t.Errorf("Shape: got %v, want %v", s.Shape(), z.Shape())
		}
		if s.IsView() != args.View || z.Size() > 0 && SharesMemory(z, in[0]) != args.View {
			t.Errorf("IsView: got %v and shared memory %v, want %v", s.IsView(), SharesMemory(z, in[0]), args.View)
		}
		return []*Dense{z}, nil
	},
	"set": func(t *testing.T, r *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		s, err := selectItems(t, r, in[0], args)
		if err != nil {
			return nil, err
		}
		return in[:1], s.Set(in[1])
	},
	"add": func(t *testing.T, r *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		s, err := selectItems(t, r, in[0], args)
		if err != nil {
			return nil, err
		}
		return in[:1], s.Add(in[1])
	},
	"sort": func(t *testing.T, r *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		z, err := Sort(in[0], args.Axis)
		if err != nil {
			return nil, err
		}
		if err := in[0].Sort(args.Axis, nil); err != nil || !Equal(in[0], z) {
			t.Errorf("in place: got %v, %v; want %v", in[0].Floats(), err, z.Floats())
		}
		return []*Dense{z}, nil
	},
	"argsort": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(ArgSort(in[0], args.Axis))
	},
	"lexsort": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(LexSort(in, args.Axis, nil))
	},
	"unique": func(_ *testing.T, _ *rand.Rand, in []*Dense, _ caseArgs) ([]*Dense, error) {
		u, err := Unique(in[0], nil)
		if err != nil {
			return nil, err
		}
		if d, err := Distinct(in[0], nil); err != nil || !Equal(d.Counts, u.Counts) || !Equal(d.Values, u.Values) {
			return nil, fmt.Errorf("Distinct: got %v, %v, Unique's are %v", d, err, u)
		}
		return []*Dense{u.Values, u.First, u.Inverse, u.Counts}, nil
	},
	"searchsorted": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(SearchSorted(in[0], in[1], args.Right, append(in, nil)[2], nil))
	},
	"digitize": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(Digitize(in[0], in[1], args.Right, nil))
	},
	"interp": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		var left, right *float64
		if len(args.Ends) > 0 {
			left, right = &args.Ends[0], &args.Ends[1]
		}
		return one(Interp(in[0], in[1], in[2], left, right, nil))
	},
	"scan": func(t *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		dtype, err := kernels.ParseDType(args.Dtype)
		if err != nil {
			t.Fatal(err)
		}
		return one(Scan(args.Of, in[0], args.Axis, dtype, nil))
	},
	"diff": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(Diff(in[0], args.N, args.Axis))
	},
	"bincount": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(BinCount(in[0], append(in, nil)[1], args.MinLength, nil))
	},
	"nonzero": func(_ *testing.T, _ *rand.Rand, in []*Dense, _ caseArgs) ([]*Dense, error) { return NonZero(in[0]) },
	"argwhere": func(_ *testing.T, _ *rand.Rand, in []*Dense, _ caseArgs) ([]*Dense, error) {
		return one(ArgWhere(in[0], nil))
	},
	"countnonzero": func(_ *testing.T, _ *rand.Rand, in []*Dense, _ caseArgs) ([]*Dense, error) {
		n, err := CountNonZero(in[0])
		return []*Dense{IntScalar(kernels.Int64, int64(n))}, err
	},
	"repeat": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(Repeat(in[0], in[1], args.Axis, nil))
	},
	"tile": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(Tile(in[0], args.Reps...))
	},
	"roll": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(Roll(in[0], args.Shift, args.Axis))
	},
	"flip": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		axis, err := NormalizeAxis(args.Axis, in[0].Rank())
		if err != nil {
			return nil, err
		}
		return one(Flip(in[0], AxesOf(axis)))
	},
	"take": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(Take(in[0], in[1], args.Axis, boundsNames[args.Mode], nil))
	},
	"takealong": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(TakeAlongAxis(in[0], in[1], args.Axis, nil))
	},
	"putalong": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return in[:1], PutAlongAxis(in[0], in[1], in[2], args.Axis, nil)
	},
	"diagonal": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(Diagonal(in[0], args.Offset, args.Axis1, args.Axis2))
	},
	"tril": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(Tril(in[0], args.K))
	},
	"triu": func(_ *testing.T, _ *rand.Rand, in []*Dense, args caseArgs) ([]*Dense, error) {
		return one(Triu(in[0], args.K))
	},
	"tri": func(_ *testing.T, _ *rand.Rand, _ []*Dense, args caseArgs) ([]*Dense, error) {
		return one(Tri(args.N, args.M, args.K))
	},
}

func selectItems(t *testing.T, r *rand.Rand, a *Dense, args caseArgs) (*Selection, error) {
	items := make([]Item, len(args.Items))
	for i, it := range args.Items {
		items[i] = it.item(t, r)
	}
	return a.Select(items...)
}

// TestAgainstNumPy runs each case on contiguous arrays and on others of the same elements.
func TestAgainstNumPy(t *testing.T) {
	text, err := os.ReadFile("testdata/numpy_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []numpyCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]int)
	for i, c := range cases {
		seen[c.Op]++
		for layout := range uint64(3) {
			r := rand.New(rand.NewPCG(uint64(i), layout))
			in := make([]*Dense, len(c.In))
			for k, a := range c.In {
				if in[k] = parseArray(t, a); layout > 0 {
					in[k] = relaid(r, in[k])
				}
			}
			got, err := numpyOps[c.Op](t, r, in, c.Args)
			if wrong := c.compare(t, got, err); wrong != "" {
				t.Errorf("case %d, layout %d: %s of %s: %s", i, layout, c.Op, strings.Join(c.In, "; "), wrong)
			}
		}
		if t.Failed() && i%50 == 49 {
			t.FailNow()
		}
	}
	for op := range numpyOps {
		if seen[op] < 80 {
			t.Errorf("%d cases of %s, want at least 80", seen[op], op)
		}
	}
}

// compare says what is wrong with a result.
func (c numpyCase) compare(t *testing.T, got []*Dense, err error) string {
	switch {
	case c.Error && err == nil:
		return fmt.Sprintf("got shape %v, want an error", got[0].Shape())
	case c.Error:
		return ""
	case err != nil:
		return "got error: " + err.Error()
	case len(got) != len(c.Want):
		return fmt.Sprintf("got %d arrays, want %d", len(got), len(c.Want))
	}
	for i, z := range got {
		if want := parseArray(t, c.Want[i]); !Equal(z, want) {
			return fmt.Sprintf("got %v %v %v, want %s", z.DType(), z.Shape(), z.Floats(), c.Want[i])
		}
	}
	return ""
}
