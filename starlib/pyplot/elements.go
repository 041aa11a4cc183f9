package pyplot

import (
	"math"
	"slices"

	"github.com/arignote/arignote/plot"
	"github.com/arignote/arignote/plot/ticks"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type elementsArgs struct {
	Prop string         `arg:"prop=\"colors\": 'colors' or 'sizes'"`
	Num  starlark.Value `arg:"num=\"auto\": how many; 'auto' are all of at most nine"`
	Fmt  starlark.Value `arg:"fmt=None: accepted"`
}

// legendElements are marks with the colours or the sizes of a scatter, and their numbers.
func legendElements(c *call, x *artist, a *elementsArgs) (starlark.Value, error) {
	s, ok := x.art.(*plot.Points)
	if !ok {
		return nil, typeError("legend_elements: only scatters have it, %s has not", x.typ)
	}
	if err := oneOf("prop", a.Prop, "colors", "sizes"); err != nil {
		return nil, err
	}
	from := s.Values
	if a.Prop == "sizes" {
		from = s.Areas
	}
	list := slices.DeleteFunc(slices.Clone(from), func(v float64) bool { return !isFinite(v) })
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 0 {
		return nil, valueError("legend_elements: this scatter has no numbers for %s", a.Prop)
	}
	most := 9
	if a.Num != nil && text(a.Num) != "auto" {
		n, err := value.Int(a.Num)
		if err != nil || n < 1 {
			return nil, valueError("num must be 'auto' or a positive number, got %s", value.Repr(a.Num))
		}
		most = n
	}
	if low, high := list[0], list[len(list)-1]; len(list) > most {
		list = ticks.Within(ticks.Rule{Most: most, Least: min(most, 2) + 1, Steps: []float64{1, 2, 2.5, 3, 5, 6, 8, 10}}.Linear(low, high), low, high)
	}
	size := c.st.style.MarkerSize
	var handles, labels []starlark.Value
	names, _ := ticks.Labels(list, list[0], list[len(list)-1], ticks.Options{NoOffset: true})
	for i, v := range list {
		l := &plot.Line{Base: plot.Base{Alpha: s.Alpha}, Pen: plot.Pen{None: true}, Marker: plot.Marker{Shape: s.Shape, Size: size, EdgeWidth: s.EdgeWidth}}
		if a.Prop == "sizes" {
			l.Marker.Size = math.Sqrt(v)
			l.Marker.Face = x.color()
		} else {
			l.Marker.Face = s.Scale.Color(v)
		}
		l.Marker.Edge = l.Marker.Face
		handles = append(handles, &artist{typ: "Line2D", art: l, ax: x.ax})
		labels = append(labels, starlark.String("$\\mathdefault{"+names[i]+"}$"))
	}
	return starlark.Tuple{slot.NewList(handles), slot.NewList(labels)}, nil
}
