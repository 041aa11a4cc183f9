package profile

import (
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/compile"
)

// rewritePasses tells the profiler what the rewrites did.
func rewritePasses(f *compile.Function) []profiler.RewritePass {
	var passes []profiler.RewritePass
	for _, p := range f.Rewrites.Passes {
		pass := profiler.RewritePass{Name: p.Name, NS: p.Time.Nanoseconds(), Kernels: p.Kernels.Nanoseconds(),
			Check: p.Check.Nanoseconds(), Before: p.Before, After: p.After, Rounds: p.Rounds, Changes: p.Changes,
			Untold: p.Untold, Warning: p.Warning, Skipped: p.Skipped}
		for _, r := range p.Rules {
			pass.Rules = append(pass.Rules, profiler.RewriteRule{Name: r.Name, Where: r.Where, Tried: r.Tried, Fired: r.Fired,
				Made: r.Made, Removed: r.Removed, NS: r.Time.Nanoseconds()})
		}
		for _, d := range p.Declined {
			pass.Declined = append(pass.Declined, profiler.Declined{Code: d.Code, Rule: d.Rule, Where: d.Where, Node: d.Node,
				Place: d.Origin.String(), Why: d.Why, Count: d.Count})
		}
		passes = append(passes, pass)
	}
	return passes
}

// compileTimes tells the profiler where the time before the first call went.
func compileTimes(f *compile.Function) profiler.CompileTimes {
	t := &f.Timing
	c := profiler.CompileTimes{Total: t.Total, Build: t.Build, Rewrite: t.Rewrite, Validate: t.Check, Kernels: t.Kernels,
		Link: t.Link, Thunks: t.Thunks}
	for _, g := range t.Grads {
		c.Grads = append(c.Grads, profiler.GradCall{Place: g.Pos.String(), Time: g.Time, Nodes: g.Nodes})
	}
	return c
}
