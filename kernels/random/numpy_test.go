package random_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/arignote/arignote/kernels/random"
)

// A numpyCase is of testdata/cases.py, which says what is in it.
type numpyCase struct {
	Source, Op       string
	Seed, Args       []string
	Dtype, Low, High string
	N                int
	First            []string
	CRC              uint32
}

func (c *numpyCase) String() string {
	return fmt.Sprintf("%s seed %.40v: %s%v %s %s %s", c.Source, c.Seed, c.Op, c.args(), c.Dtype, c.Low, c.High)
}

func (c *numpyCase) args() []float64 {
	args := make([]float64, len(c.Args))
	for i, s := range c.Args {
		args[i] = math.Float64frombits(parse(s))
	}
	return args
}

func parse(s string) uint64 {
	u, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		panic(err)
	}
	return u
}

func (c *numpyCase) words(t testing.TB) []uint32 {
	words, err := random.SeedWords(bigs(t, c.Seed...)...)
	if err != nil {
		t.Fatal(err)
	}
	return words
}

func (c *numpyCase) start(t testing.TB) random.Source {
	if c.Source == "new" {
		return random.NewGenerator(c.words(t)...)
	}
	s := new(random.RandomState)
	if words := c.words(t); len(c.Seed) == 1 {
		s.Seed(words[0])
	} else {
		s.SeedArray(words)
	}
	return s
}

// TestNumPy compares with NumPy in every bit.
func TestNumPy(t *testing.T) {
	raw, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []*numpyCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 500 {
		t.Fatalf("got %d cases, want some hundred", len(cases))
	}
	for _, c := range cases {
		draw := ops[c.Op]
		if random.Lookup(c.Op) != nil {
			draw = sample
		}
		if draw == nil {
			t.Fatalf("%v: no such operation", c)
		}
		got := draw(t, c.start(t), c)
		if len(got.bits) != c.N {
			t.Errorf("%v: got %d numbers, want %d", c, len(got.bits), c.N)
			continue
		}
		for i, s := range c.First {
			if want := parse(s); got.bits[i] != want {
				t.Errorf("%v: number %d: got %x, want %x", c, i, got.bits[i], want)
				break
			}
		}
		if crc := got.crc(); crc != c.CRC {
			t.Errorf("%v: got CRC %#x of %d numbers, want %#x", c, crc, c.N, c.CRC)
		}
	}
}

// Draws are numbers of size bytes each.
type draws struct {
	bits []uint64
	size int
}

func (d draws) crc() uint32 {
	raw := make([]byte, 0, d.size*len(d.bits)+8)
	for _, b := range d.bits {
		raw = binary.LittleEndian.AppendUint64(raw, b)
		raw = raw[:len(raw)-8+d.size]
	}
	return crc32.ChecksumIEEE(raw)
}

func reals(list []float64) draws {
	z := draws{size: 8}
	for _, x := range list {
		z.bits = append(z.bits, math.Float64bits(x))
	}
	return z
}

func whole[T random.Integer | int](list []T, size int) draws {
	z := draws{size: size}
	for _, x := range list {
		z.bits = append(z.bits, uint64(int64(x)))
	}
	return z
}

func ints(t testing.TB) func(list []int, err error) draws {
	return func(list []int, err error) draws {
		if err != nil {
			t.Fatal(err)
		}
		return whole(list, 8)
	}
}

func sample(t testing.TB, s random.Source, c *numpyCase) draws {
	z, err := random.Lookup(c.Op).Sampler(s, c.args()...)
	if err != nil {
		t.Fatal(err)
	}
	if z.Distribution.Counts {
		list := make([]int64, c.N)
		z.FillInt64(list)
		return whole(list, 8)
	}
	list := make([]float64, c.N)
	z.Fill(list)
	return reals(list)
}

// filled fills in two parts, the second after a single number.
func filled(fill func(random.Source, []float64), one func(random.Source) float64) operation {
	return func(_ testing.TB, s random.Source, c *numpyCase) draws {
		list := make([]float64, c.N)
		fill(s, list[:100])
		list[100] = one(s)
		fill(s, list[101:])
		return reals(list)
	}
}

func filled32(fill func(*random.Generator, []float32)) operation {
	return func(_ testing.TB, s random.Source, c *numpyCase) draws {
		list := make([]float32, c.N)
		fill(s.(*random.Generator), list)
		z := draws{size: 4}
		for _, x := range list {
			z.bits = append(z.bits, uint64(math.Float32bits(x)))
		}
		return z
	}
}

// An operation makes a case's draws from a source that has its seed.
type operation func(testing.TB, random.Source, *numpyCase) draws

var ops = map[string]operation{
	"random":               filled(random.Source.FillUniform, random.Source.Float64),
	"standard_normal":      filled(random.Source.FillNormal, random.Source.StandardNormal),
	"standard_exponential": filled(random.Source.FillExponential, random.Source.StandardExponential),
	"permutation": func(t testing.TB, s random.Source, c *numpyCase) draws {
		return ints(t)(random.Permutation(s, c.N, nil), nil)
	},
	"shuffle": func(t testing.TB, s random.Source, c *numpyCase) draws {
		list := make([]int, c.N)
		for i := range list {
			list[i] = i
		}
		random.Shuffle(s, c.N, func(i, j int) { list[i], list[j] = list[j], list[i] })
		return ints(t)(list, nil)
	},
	"bytes": func(_ testing.TB, s random.Source, c *numpyCase) draws {
		list := make([]uint8, c.N)
		random.Bytes(s, list[:1001])
		random.Bytes(s, list[1001:1004])
		random.Bytes(s, list[1004:])
		return whole(list, 1)
	},
	"choose": func(t testing.TB, s random.Source, c *numpyCase) draws {
		return ints(t)(random.Choose(s, int(c.args()[0]), int(c.args()[1])))
	},
	"distinct": func(t testing.TB, s random.Source, c *numpyCase) draws {
		return ints(t)(random.ChooseDistinct(s, int(c.args()[0]), int(c.args()[1]), true, nil))
	},
	"unshuffled": func(t testing.TB, s random.Source, c *numpyCase) draws {
		return ints(t)(random.ChooseDistinct(s, int(c.args()[0]), int(c.args()[1]), false, nil))
	},
	"by": func(t testing.TB, s random.Source, c *numpyCase) draws {
		return ints(t)(random.ChooseBy(s, c.args(), c.N))
	},
	"distinctby": func(t testing.TB, _ random.Source, c *numpyCase) draws {
		var all []int
		size := int(parse(c.Seed[0]))
		for i := range 50 {
			seeded := &numpyCase{Source: c.Source, Seed: []string{fmt.Sprintf("%x", i)}}
			list, err := random.ChooseDistinctBy(seeded.start(t), c.args(), size)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, list...)
		}
		return whole(all, 8)
	},
	"multinomial": func(t testing.TB, s random.Source, c *numpyCase) draws {
		list := make([]int64, c.N)
		for i, k := 0, len(c.Args); i < c.N; i += k {
			if err := random.Multinomial(s, list[i:i+k], int64(parse(c.Seed[0])), c.args()); err != nil {
				t.Fatal(err)
			}
		}
		return whole(list, 8)
	},
	"dirichlet": func(t testing.TB, s random.Source, c *numpyCase) draws {
		list := make([]float64, c.N)
		for i, k := 0, len(c.Args); i < c.N; i += k {
			if err := random.Dirichlet(s, list[i:i+k], c.args()); err != nil {
				t.Fatal(err)
			}
		}
		return reals(list)
	},
	"tomaxint": func(_ testing.TB, s random.Source, c *numpyCase) draws {
		list := make([]int64, c.N)
		for i := range list {
			list[i] = s.(*random.RandomState).TomaxInt()
		}
		return whole(list, 8)
	},
	"random32":      filled32((*random.Generator).FillUniform32),
	"normal32":      filled32((*random.Generator).FillNormal32),
	"exponential32": filled32((*random.Generator).FillExponential32),
	"words": func(t testing.TB, _ random.Source, c *numpyCase) draws {
		return whole(random.NewSeedSequence(c.words(t)...).Uint32s(c.N), 4)
	},
	"spawn": func(t testing.TB, _ random.Source, c *numpyCase) draws {
		list := random.NewSeedSequence(c.words(t)...).Spawn(3)
		list = append(list, list[1].Spawn(2)[1])
		all := make([]float64, 5*len(list))
		for i, s := range list {
			random.NewGeneratorOf(s).FillUniform(all[5*i : 5*i+5])
		}
		return reals(all)
	},
	"integers": func(t testing.TB, s random.Source, c *numpyCase) draws {
		switch c.Dtype {
		case "int8":
			return integers[int8](t, s, c, 1)
		case "int16":
			return integers[int16](t, s, c, 2)
		case "int32":
			return integers[int32](t, s, c, 4)
		case "int64":
			return integers[int64](t, s, c, 8)
		case "uint8":
			return integers[uint8](t, s, c, 1)
		case "uint16":
			return integers[uint16](t, s, c, 2)
		case "uint32":
			return integers[uint32](t, s, c, 4)
		case "uint64":
			return integers[uint64](t, s, c, 8)
		}
		return integersOf(t, c, 1, func() *random.Ranges[uint8] { return random.NewBoolRanges(s) })
	},
}

func integers[T random.Integer](t testing.TB, s random.Source, c *numpyCase, size int) draws {
	return integersOf(t, c, size, func() *random.Ranges[T] { return random.NewRanges[T](s) })
}

// integersOf draws in two parts, with Ranges of its own each.
func integersOf[T random.Integer](t testing.TB, c *numpyCase, size int, ranges func() *random.Ranges[T]) draws {
	list := make([]T, c.N)
	for _, part := range [][]T{list[:5], list[5:]} {
		if err := ranges().Fill(part, limit[T](t, c.Low), limit[T](t, c.High)); err != nil {
			t.Fatal(err)
		}
	}
	return whole(list, size)
}

func limit[T random.Integer](t testing.TB, s string) T {
	if u, err := strconv.ParseUint(s, 10, 64); err == nil {
		return T(u)
	}
	i, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return T(i)
}
