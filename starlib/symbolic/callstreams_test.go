package symbolic_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// What a stream of random numbers means to functions: a shared state with a default update. To the
// model a state is the number of its row in testdata/streams.jsonl, which NumPy wrote, and how
// often it was drawn from.

const (
	mSeeds   = 5
	mStreams = 3 // of a program
)

// mDraws are the numbers of a row, by how often was drawn before.
var mDraws = sync.OnceValue(func() [][][]float64 {
	text, err := os.ReadFile("testdata/streams.jsonl")
	if err != nil {
		panic(err)
	}
	var rows [][][]float64
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var row struct{ Draws [][]float64 }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			panic(err)
		}
		rows = append(rows, row.Draws)
	}
	return rows
})

// mDrawn computes the two operations on states.
func mDrawn(op string, state []float64) []float64 {
	row, n := int(state[0]), int(state[1])
	if op == "next" {
		return []float64{state[0], state[1] + 1}
	}
	return mDraws()[row][n]
}

// streams gives the program variables that are drawn.
func (p *callProgram) streams() {
	if p.IntN(3) == 0 {
		return
	}
	seed := 1 + p.IntN(mSeeds)
	p.line("srng = T.shared_randomstreams.RandomStreams(%d)", seed)
	for i := range 1 + p.IntN(mStreams) {
		p.what["draw"]++
		p.line("d%d = srng.random_integers((3,), low=-20, high=20)", i)
		state := &mNode{name: fmt.Sprintf("d%d.rng", i), shared: true, state: true}
		p.states = append(p.states, state)
		p.world.defaults[state] = &mNode{name: "next of " + state.name, op: "next", args: []*mNode{state}, state: true}
		n := &mNode{name: fmt.Sprintf("c%d", i), op: "draw", args: []*mNode{state}, vector: true}
		p.line("%s = T.cast(d%d, FX)", n.name, i)
		p.nodes = append(p.nodes, n)
	}
	p.seeded(seed)
}

// seeded is what RandomStreams(seed) and srng.seed(seed) do to the states.
func (p *callProgram) seeded(seed int) {
	for i, s := range p.states {
		p.world.values[s] = []float64{float64((seed-1)*mStreams + i), 0}
	}
}

// reseed changes states.
func (p *callProgram) reseed() {
	if len(p.states) == 0 {
		return
	}
	if p.IntN(2) == 0 {
		p.what["seed"]++
		seed := 1 + p.IntN(mSeeds)
		p.line("srng.seed(%d)", seed)
		p.seeded(seed)
		return
	}
	p.what["state of another"]++
	from, to := p.pick(p.states), p.pick(p.states)
	p.world.values[to] = slices.Clone(p.world.values[from])
	p.line("%s.set_value(%s.get_value())", to.name, from.name)
}
