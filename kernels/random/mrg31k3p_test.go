package random

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The jumps are those that L'Ecuyer and Simard publish in their package SSJ (class MRG31k3p: A1p72,
// A2p72, A1p134, A2p134).
func TestMRGJumps(t *testing.T) {
	for _, test := range []struct {
		name      string
		got, want mrgMatrix
	}{
		{"A1p72", mrgSubstream[0], mrgMatrix{{1516919229, 758510237, 499121365}, {1884998244, 1516919229, 335398200}, {601897748, 1884998244, 358115744}}},
		{"A2p72", mrgSubstream[1], mrgMatrix{{1228857673, 1496414766, 954677935}, {1133297478, 1407477216, 1496414766}, {2002613992, 1639496704, 1407477216}}},
		{"A1p134", mrgStream[0], mrgMatrix{{1702500920, 1849582496, 1656874625}, {828554832, 1702500920, 1512419905}, {1143731069, 828554832, 102237247}}},
		{"A2p134", mrgStream[1], mrgMatrix{{796789021, 1464208080, 607337906}, {1241679051, 1431130166, 1464208080}, {1401213391, 1178684362, 1431130166}}},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, test.got, test.want)
		}
	}
}

// TestMRGJumpIsSteps compares a jump with the steps that it stands for.
func TestMRGJumpIsSteps(t *testing.T) {
	g, err := NewMRG31k3p(12345)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 12 {
		stepped := g
		for range 1 << n {
			stepped.Next()
		}
		if got := g.jump(newMRGJump(n)); got != stepped {
			t.Errorf("over 2**%d numbers: got %v, want %v", n, got, stepped)
		}
	}
}

// TestMRGRecurrence compares with the recurrences of the paper, on whole sequences.
func TestMRGRecurrence(t *testing.T) {
	g := MRG31k3p{1, 2, 3, mrgModulus2 - 1, 5, 0}
	x, y := []int64{3, 2, 1}, []int64{0, 5, mrgModulus2 - 1}
	for n := 3; n < 2000; n++ {
		x = append(x, (x[n-2]*(1<<22)%mrgModulus1+x[n-3]*(1<<7+1)%mrgModulus1)%mrgModulus1)
		y = append(y, (y[n-1]*(1<<15)%mrgModulus2+y[n-3]*(1<<15+1)%mrgModulus2)%mrgModulus2)
		want := (x[n] - y[n]) % mrgModulus1
		if want <= 0 {
			want += mrgModulus1
		}
		if got := int64(g.Next()); got != want {
			t.Fatalf("number %d: got %d, want %d", n-3, got, want)
		}
	}
}

func TestMRGSeeds(t *testing.T) {
	for _, seed := range []int64{0, -1, mrgModulus2, 1 << 40} {
		if _, err := NewMRG31k3p(seed); err == nil {
			t.Errorf("seed %d: got no error", seed)
		}
	}
	for _, g := range []MRG31k3p{{0, 0, 0, 1, 1, 1}, {1, 1, 1, 0, 0, 0}, {mrgModulus1, 1, 1, 1, 1, 1}, {1, 1, 1, mrgModulus2, 1, 1}, {-1, 1, 1, 1, 1, 1}} {
		if g.Check() == nil {
			t.Errorf("state %v: got no error", g)
		}
	}
	if g := (MRG31k3p{0, 0, 1, 0, 1, 0}); g.Check() != nil {
		t.Errorf("state %v: got %v", g, g.Check())
	}
}

// TestWords: a source of the words of another goes on as that one does.
func TestWords(t *testing.T) {
	for _, s := range []Stateful{NewRandomState(7), NewGenerator(7)} {
		for step := range 1500 {
			words := make([]uint32, s.Words())
			s.Store(words)
			z, err := SourceOf(words)
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if a, b := s.StandardNormal(), z.StandardNormal(); a != b {
					t.Fatalf("%T, step %d: got %v, want %v", s, step, b, a)
				}
				if a, b := s.Uint32(), z.Uint32(); a != b {
					t.Fatalf("%T, step %d: got %v, want %v", s, step, b, a)
				}
			}
		}
	}
	if _, err := SourceOf(make([]uint32, 3)); err == nil {
		t.Error("three words: got no error")
	}
}

// TestMRGPublished compares with the numbers that L'Ecuyer and Simard's own implementation (SSJ, in
// Java) makes from the seed 12345: 5 of each of 7 parts of 12 streams.
func TestMRGPublished(t *testing.T) {
	text, err := os.ReadFile("testdata/mrg31k3p.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(text))
	stream, err := NewMRG31k3p(12345)
	if err != nil {
		t.Fatal(err)
	}
	for range 12 {
		for part, i := stream, 0; i < 7; part, i = part.Substream(), i+1 {
			g := part
			for range 5 {
				x, err := strconv.ParseFloat(want[0], 64)
				if err != nil {
					t.Fatal(err)
				}
				// The last digits hang on the constant that the integers are multiplied with.
				if got := g.Float64(); math.Abs(got-x) > 1e-9 {
					t.Fatalf("part %d: got %v, want %v", i, got, x)
				}
				want = want[1:]
			}
		}
		stream = stream.Stream()
	}
	if len(want) > 0 {
		t.Errorf("%d numbers are left over", len(want))
	}
}
