package display

import (
	"fmt"
	"math/rand/v2"

	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type showArgs struct {
	Include   starlark.Value `arg:"include=None: MIME types, of which none but these are shown"`
	Exclude   starlark.Value `arg:"exclude=None: MIME types that are not shown"`
	Metadata  *slot.Dict     `arg:"metadata=None: dict for the front end, by MIME type"`
	Transient *slot.Dict     `arg:"transient=None: dict for the front end that is not kept"`
	Raw       bool           `arg:"raw=False: values are dicts from MIME type to content"`
}

// shower shows values.
type shower struct {
	showArgs
	fn     string
	id     string
	update bool
}

func (a *shower) show(thread *starlark.Thread, v starlark.Value) error {
	data, metadata, err := a.bundle(thread, v)
	if err != nil || data == nil {
		return err
	}
	if a.Metadata != nil {
		more, err := goMap(a.Metadata)
		if err != nil {
			return fmt.Errorf("%s: metadata: %w", a.fn, err)
		}
		metadata = merged(metadata, more)
	}
	session.Of(thread).Output().Display(data, metadata, a.id, a.update)
	return nil
}

func (a *shower) bundle(thread *starlark.Thread, v starlark.Value) (data, metadata map[string]any, err error) {
	if !a.Raw {
		c, err := choiceOf(thread, a.fn, a.Include, a.Exclude)
		if err != nil {
			return nil, nil, err
		}
		return bundleOf(thread, v, c)
	}
	d, ok := value.Held(v).(*slot.Dict)
	if !ok {
		return nil, nil, value.Failure("TypeError", "%s: raw: got %s, want dict", a.fn, v.Type())
	}
	if data, err = goMap(d); err != nil {
		return nil, nil, fmt.Errorf("%s: raw: %w", a.fn, err)
	}
	return data, nil, nil
}

// choiceOf reads the arguments include and exclude.
func choiceOf(thread *starlark.Thread, fn string, include, exclude starlark.Value) (c choice, err error) {
	if c.include, err = mimes(thread, fn, "include", include); err == nil {
		c.exclude, err = mimes(thread, fn, "exclude", exclude)
	}
	return c, err
}

// mimes are the texts of an iterable, nil for None.
func mimes(thread *starlark.Thread, fn, param string, v starlark.Value) ([]string, error) {
	if v == nil {
		return nil, nil
	}
	if text, ok := starlark.AsString(v); ok {
		return []string{text}, nil
	}
	it, err := value.Iterable(v)
	if err != nil {
		return nil, fmt.Errorf("%s: for parameter %s: %w", fn, param, err)
	}
	list := []string{}
	for _, x := range value.ElementsHeard(thread, it) {
		text, ok := starlark.AsString(x)
		if !ok {
			return nil, value.Failure("TypeError", "%s: for parameter %s: got a %s in it, want MIME types", fn, param, x.Type())
		}
		list = append(list, text)
	}
	return list, nil
}

// merged is a map with more in it, and in the maps that both have.
func merged(m, more map[string]any) map[string]any {
	if m == nil {
		return more
	}
	for k, v := range more {
		inner, ok := m[k].(map[string]any)
		added, both := v.(map[string]any)
		if ok && both {
			v = merged(inner, added)
		}
		m[k] = v
	}
	return m
}

// displayID reads the argument display_id: a text, or True for a new one; "" for none.
func displayID(fn string, v starlark.Value, transient *slot.Dict) (string, error) {
	if transient != nil && v == nil {
		v, _, _ = transient.Get(starlark.String("display_id"))
	}
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return "", nil
	case starlark.String:
		return string(v), nil
	case starlark.Bool:
		if !v {
			return "", nil
		}
		return fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64()), nil
	}
	return "", value.Failure("TypeError", "%s: for parameter display_id: got %s, want text, or True for a new one", fn, v.Type())
}

// functionTable is what a cell can show besides printing.
var functionTable = []value.Builtin{
	value.Function("display", "Shows values as outputs of the cell. With a display_id, returns what updates them.", `display(HTML("<b>done</b>"))`,
		func(thread *starlark.Thread, a *struct {
			Values starlark.Tuple `arg:"*values: values to show; each in the richest form it has"`
			ID     starlark.Value `arg:"display_id=None: name by which update_display finds the output again, or True for a new one"`
			Clear  bool           `arg:"clear=False: in place of the cell's outputs"`
			showArgs
		}) (starlark.Value, error) {
			id, err := displayID("display", a.ID, nil)
			if err != nil {
				return nil, err
			}
			named := id != ""
			if !named {
				if id, err = displayID("display", nil, a.Transient); err != nil {
					return nil, err
				}
			}
			if named && len(a.Values) == 0 { // a place for what comes
				session.Of(thread).Output().Display(map[string]any{}, nil, id, false)
			}
			if a.Clear {
				session.Of(thread).Output().Clear(true)
			}
			show := shower{a.showArgs, "display", id, false}
			for _, v := range a.Values {
				if err := show.show(thread, v); err != nil {
					return nil, err
				}
			}
			if !named {
				return starlark.None, nil
			}
			return &handle{"DisplayHandle", id}, nil
		}),
	value.Function("update_display", "Replaces an output that display(..., display_id=...) made.", `update_display("half done", "progress")`,
		func(thread *starlark.Thread, a *struct {
			Value starlark.Value `arg:"value|obj: what to show now"`
			ID    string         `arg:"display_id: name given to display"`
			showArgs
		}) (starlark.Value, error) {
			show := shower{a.showArgs, "update_display", a.ID, true}
			return starlark.None, show.show(thread, a.Value)
		}),
	value.Function("clear_output", "Removes the outputs of the cell.", "clear_output(wait=True)", func(thread *starlark.Thread, a *struct {
		Wait bool `arg:"wait=False: keep the old outputs until there is a new one"`
	}) (starlark.Value, error) {
		session.Of(thread).Output().Clear(a.Wait)
		return starlark.None, nil
	}),
}

// A handle is an output that can be replaced.
type handle struct {
	value.Identity
	id string
}

func (h *handle) String() string                           { return "<DisplayHandle display_id=" + h.id + ">" }
func (h *handle) Table() *value.Methods                    { return HandleMethods }
func (h *handle) AttrNames() []string                      { return HandleMethods.Names() }
func (h *handle) Attr(name string) (starlark.Value, error) { return HandleMethods.Attr(h, name) }
func (h *handle) shower(a showArgs, update bool) *shower   { return &shower{a, "update", h.id, update} }

type handleArgs struct {
	Value starlark.Value `arg:"obj: what to show now"`
	showArgs
}

// HandleMethods are the attributes of a handle.
var HandleMethods = value.NewMethods("DisplayHandle", []value.Builtin{
	value.MethodOf("update", "Replaces the output.", `h = display("begun", display_id="a"); h.update("done")`,
		func(thread *starlark.Thread, h *handle, a *handleArgs) (starlark.Value, error) {
			return nil, h.shower(a.showArgs, true).show(thread, a.Value)
		}),
	value.MethodOf("display", "Shows a value as another output that update replaces.", `h = display("begun", display_id="a"); h.display("done")`,
		func(thread *starlark.Thread, h *handle, a *handleArgs) (starlark.Value, error) {
			return nil, h.shower(a.showArgs, false).show(thread, a.Value)
		}),
}).With(value.FieldOf("display_id", "The name of the output.", `h = display("begun", display_id="a"); h.display_id # "a"`,
	func(h *handle) starlark.Value { return starlark.String(h.id) }))

// moreTable is what IPython.display has besides.
var moreTable = append([]value.Builtin{
	value.Function("DisplayHandle", "An output that can be replaced, before it is shown.", `from IPython.display import DisplayHandle; DisplayHandle("a") # <DisplayHandle display_id=a>`,
		func(_ *starlark.Thread, a *struct {
			ID starlark.Value `arg:"display_id=None: its name; without it, a new one"`
		}) (starlark.Value, error) {
			if a.ID == nil {
				a.ID = starlark.True
			}
			id, err := displayID("DisplayHandle", a.ID, nil)
			return &handle{"DisplayHandle", id}, err
		}),
	value.Function("publish_display_data", "Shows what is given by MIME type.", `from IPython.display import publish_display_data; publish_display_data({"text/plain": "done"})`,
		func(thread *starlark.Thread, a *struct {
			Data      *slot.Dict     `arg:"data: dict from MIME type to content"`
			Metadata  *slot.Dict     `arg:"metadata=None: dict for the front end, by MIME type"`
			Source    starlark.Value `arg:"source=None: without effect"`
			Transient *slot.Dict     `arg:"transient=None: dict that may have a display_id"`
			Update    bool           `arg:"update=False: replaces the output of that display_id"`
		}) (starlark.Value, error) {
			id, err := displayID("publish_display_data", nil, a.Transient)
			if err != nil {
				return nil, err
			}
			show := shower{showArgs{Metadata: a.Metadata, Raw: true}, "publish_display_data", id, a.Update}
			return starlark.None, show.show(thread, a.Data)
		}),
}, typedTable()...)

// inlineTable is the settings of figures in notebooks.
var inlineTable = []value.Builtin{
	value.Function("set_matplotlib_formats", "Sets what figures are shown as: config.figure_format.", `from IPython.display import set_matplotlib_formats; set_matplotlib_formats("png"); config.figure_format # "png"`,
		func(thread *starlark.Thread, a *struct {
			Formats starlark.Tuple `arg:"*formats: 'png', 'retina', 'svg'"`
			Kwargs  *slot.Dict     `arg:"**kwargs: without effect"`
		}) (starlark.Value, error) {
			names := make([]string, len(a.Formats))
			for i, v := range a.Formats {
				text, ok := starlark.AsString(v)
				if !ok {
					return nil, value.Failure("TypeError", "set_matplotlib_formats: got %s, want strings", value.TypeName(v))
				}
				names[i] = text
			}
			if err := session.Of(thread).Config().SetFigureFormats(names, value.FrameOf(thread, 1).Pos.String()); err != nil {
				return nil, value.Failure("ValueError", "set_matplotlib_formats: %v", err)
			}
			return starlark.None, nil
		}),
	value.Function("set_matplotlib_close", "Does nothing: a figure is closed when its cell is over.", "from IPython.display import set_matplotlib_close; print(set_matplotlib_close(True)) # None",
		func(*starlark.Thread, *struct {
			Close bool `arg:"close=True: without effect"`
		}) (starlark.Value, error) {
			return starlark.None, nil
		}),
}

// typedTable is the functions that show values as one MIME type: display_html and its like.
func typedTable() []value.Builtin {
	var table []value.Builtin
	for _, t := range []struct{ name, mime string }{{"pretty", plainText}, {"html", "text/html"}, {"markdown", "text/markdown"}, {"svg", "image/svg+xml"},
		{"png", "image/png"}, {"jpeg", "image/jpeg"}, {"latex", "text/latex"}, {"json", "application/json"}, {"javascript", "application/javascript"},
		{"pdf", "application/pdf"}} {
		name := "display_" + t.name
		table = append(table, value.Function(name, "Shows values as "+t.mime+".", "from IPython.display import "+name+"; "+name+`("done", raw=True)`,
			func(thread *starlark.Thread, a *struct {
				Values   starlark.Tuple `arg:"*objs: values, or texts with raw"`
				Raw      bool           `arg:"raw=False: the texts are what is shown"`
				Metadata *slot.Dict     `arg:"metadata=None: dict for the front end"`
			}) (starlark.Value, error) {
				show := shower{showArgs{Raw: a.Raw}, name, "", false}
				if a.Metadata != nil {
					show.Metadata = slot.NewDict(1)
					show.Metadata.SetKey(starlark.String(t.mime), a.Metadata)
				}
				if !a.Raw {
					show.Include = starlark.Tuple{starlark.String(plainText), starlark.String(t.mime)}
				}
				for _, v := range a.Values {
					if a.Raw {
						d := slot.NewDict(1)
						d.SetKey(starlark.String(t.mime), v)
						v = d
					}
					if err := show.show(thread, v); err != nil {
						return nil, err
					}
				}
				return starlark.None, nil
			}))
	}
	return table
}

// Magics are %%capture.
func Magics() []magic.Row {
	return []magic.Row{
		{Name: "capture", Params: []value.Param{{Name: "--no-stdout", Doc: "what is printed is shown"}, {Name: "--no-stderr", Doc: "what is printed as an error is shown"},
			{Name: "--no-display", Doc: "what is displayed is shown"}, {Name: "name", Doc: "name of what keeps the rest: name.stdout, name.stderr, name.outputs, name.show()"}},
			Doc: "Runs the cell without showing what it shows.", Example: "%%capture out", Cell: captureCell},
		{Name: "precision", Params: []value.Param{{Name: "DIGITS", Default: "as many as needed", Doc: "digits after the point, or a format such as %.3e"}},
			Doc: "Sets how floats are shown: of values that cells end with, and of arrays.", Example: "%precision 3", Line: magicPrecision},
	}
}
