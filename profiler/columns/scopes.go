package columns

import (
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

type scope = profiler.ScopeRow

// Scopes are the columns of Stats.Scopes.
var Scopes = []Column[scope]{
	{Name: "fraction", Header: "time", About: "of the time of all nodes, with the scopes inside", Doc: "Of the time of all nodes, with the scopes inside.",
		Want: " > 0 # True", Unit: Share, Width: 12, In: everywhere, Of: func(r scope) Value { return number(r.Fraction) }},
	{Name: "bar", Unit: Bar, In: Text, Of: func(r scope) Value { return number(r.Fraction) }},
	{Name: "time", Text: "{unit}", Doc: "Seconds, with the scopes inside.", Want: " > 0 # True", Unit: Time, In: everywhere,
		Of: func(r scope) Value { return number(r.Time) }},
	{Name: "own", Text: "own {unit}", About: "without the scopes inside: these add up to all nodes", Doc: "Seconds without the scopes inside: those of all rows add up to the time of all nodes.",
		Want: " > 0 # True", Unit: Time, In: everywhere, Of: func(r scope) Value { return number(r.Own) }},
	{Name: profiler.Roles[0], Text: "fwd%", Doc: "Seconds of what the program wrote there.", Want: " > 0 # True", Unit: Time, In: Text | List | Field,
		Of: func(r scope) Value { return number(r.ByRole[0]) }},
	{Name: profiler.Roles[1], Text: "grad%", Doc: "Seconds of its gradients.", Want: " # 0.0", Unit: Time, In: Text | List | Field,
		Of: func(r scope) Value { return number(r.ByRole[1]) }},
	{Name: profiler.Roles[2], Text: "upd%", Doc: "Seconds of updates.", Want: " # 0.0", Unit: Time, In: Text | List | Field,
		Of: func(r scope) Value { return number(r.ByRole[2]) }},
	{Name: "roles", Header: "fwd/grad/upd", Unit: Shares, Width: 12, About: "of the scope's time: forward, gradient, update", In: Panel | Page,
		Of: func(r scope) Value { return shares(r.ByRole[:], r.Time) }},
	{Name: "nodes", Doc: "How many nodes it has a part in.", Want: " # 1", Unit: Count, In: everywhere, Of: func(r scope) Value { return count(r.Nodes) }},
	{Name: "calls", Doc: "How often these ran.", Want: " # 1", Unit: Count, In: List | Field, Of: func(r scope) Value { return count(r.Calls) }},
	{Name: "flops", Doc: "Floating point operations, all calls together.", Want: " > 0 # True", Unit: Flops, In: Field, Of: func(r scope) Value { return number(r.Flops) }},
	{Name: "bytes", Doc: "Bytes read and written, all calls together.", Want: " > 0 # True", Unit: Bytes, In: Field, Of: func(r scope) Value { return number(r.Bytes) }},
	{Name: "gflops", Header: units.FlopRate, Doc: "10^9 operations a second; None if they are not known.", Want: " > 0 # True", Unit: Rate,
		In: Text | Panel | Page | Field, Of: func(r scope) Value { return numberIf(units.Ratio(r.Flops, r.Time), r.Known) }},
	{Name: "gbytes", Header: units.ByteRate, Doc: "10^9 bytes a second; None if they are not known.", Want: " > 0 # True", Unit: Rate,
		In: Text | Panel | Page | Field, Of: func(r scope) Value { return numberIf(units.Ratio(r.Bytes, r.Time), r.Known) }},
	{Name: "allocated", Text: "new {unit}", Doc: "Bytes of memory that was new, all calls together.", Want: " >= 0 # True", Unit: Bytes,
		In: Text | Field, Of: func(r scope) Value { return number(r.Allocated) }},
	{Name: "left_out", Doc: "Seconds that were measured more than time: calls that took much longer than the others count as if they had not.", Want: " # 0.0", Unit: Time,
		In: Field, Of: func(r scope) Value { return number(r.Left.Over) }},
	{Name: "depth", Doc: "How many scopes lie around it.", Want: " # 0", Unit: Count, In: Field, Of: func(r scope) Value { return count(r.Depth) }},
	{Name: "scope", Doc: "Its whole name; None of what was made outside of any.", Want: ` # "encoder"`, In: List | Field,
		Of: func(r scope) Value { return wordIf(r.Scope) }},
}
