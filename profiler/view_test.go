package profiler_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
)

// TestViewFlags: what a flag says is what the view shows; what it cannot say is an error that names
// the value and what was wanted.
func TestViewFlags(t *testing.T) {
	for _, f := range profiler.ViewFlags {
		var v profiler.View
		if err := v.Set(f.Name, f.Default); err != nil {
			t.Errorf("%s: its default: %v", f.Name, err)
		}
		if f.Doc == "" {
			t.Errorf("%s has no documentation", f.Name)
		}
	}
	var v profiler.View
	for _, flag := range []string{"by=op,line", "lines=False", "top=3", "n_ops=-1", "min_memory_size=0", "rewrites=True", "width=-1"} {
		name, value, _ := strings.Cut(flag, "=")
		if err := v.Set(name, value); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(v.By, []profiler.By{profiler.ByOp, profiler.ByLine}) || !v.Shows(profiler.ByOp) || v.Shows(profiler.ByLine) ||
		v.Shows(profiler.ByClass) || v.NApply != 3 || v.NLines != 3 || v.NOps != -1 || v.MinMemorySize != -1 || !v.Rewrites || v.LineWidth != -1 {
		t.Errorf("got %+v", v)
	}
	for flag, want := range map[string]string{
		"by=ops":     `by: got "ops", want some of class,op,apply,line,shape`,
		"by=":        `by: got "", want some of class,op,apply,line,shape`,
		"top=many":   `top: got "many", want an integer, 0 for the default, or all (-1)`,
		"n_apply=-2": `n_apply: got "-2", want an integer, 0 for the default, or all (-1)`,
		"lines=some": `lines: got "some", want True or False`,
		"color=red":  `no view of a profile has "color", want one of by, lines, top, n_ops, `,
	} {
		name, value, _ := strings.Cut(flag, "=")
		if err := v.Set(name, value); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", flag, err, want)
		}
	}
}
