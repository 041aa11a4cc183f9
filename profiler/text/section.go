package text

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler"
)

// A Section is a part of the classic text.
type Section uint8

const (
	FunctionSection Section = iota // calls and compiling
	GlobalSection                  // the whole process
	ClassSection
	OpSection
	ApplySection
	MemorySection
)

// SectionLayouts are the layouts that have sections.
var SectionLayouts = []Layout{Aesara, Theano}

// SectionOf writes one section, as Theano's summary_class and its like. Other layouts than
// SectionLayouts have none.
func SectionOf(s *profiler.Stats, section Section, opts Options) (string, error) {
	if s == nil {
		return "", nil
	}
	opts = withDefaults(opts)
	var b strings.Builder
	p := &printer{w: bufio.NewWriter(&b), stats: s.Clone(), opts: opts}
	var ok bool
	if p.words, ok = layouts[opts.Layout]; !ok {
		return "", fmt.Errorf("profile: the layout %s has no sections (want aesara or theano)", opts.Layout)
	}
	total := p.stats.Total()
	switch {
	case section == FunctionSection:
		p.function()
	case section == GlobalSection:
		p.globals()
	case section == MemorySection:
		p.memory()
	case total.ThunkTime() == 0:
		p.line("  No execution time accumulated (%s)", p.stats.WhyEmpty())
	case section == ClassSection:
		p.classes()
	case section == OpSection:
		p.ops()
	case section == ApplySection:
		p.applies()
	}
	err := p.w.Flush()
	return b.String(), err
}
