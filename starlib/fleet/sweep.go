package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/cluster/sweep"
	"github.com/arignote/arignote/notebook"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/progress"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type sweepArgs struct {
	File     starlark.Value `arg:"file: a script or a notebook, whose cell that is tagged parameters has the values of a single run"`
	Params   *slot.Dict     `arg:"params: a dict from the names of parameters to lists of values"`
	Random   *int           `arg:"random=None: how many combinations are drawn; all are run if not given"`
	Seed     int            `arg:"seed=0: of what is drawn"`
	Resume   bool           `arg:"resume=False: runs are not done again that dir has, of the same file, parameters and version"`
	Dir      starlark.Value `arg:"dir=None: the folder of runs; the file's name with .runs if not given"`
	Timeout  *float64       `arg:"timeout=None: seconds that a run may take"`
	Retries  int            `arg:"retries=2: how often a run is begun again whose worker died"`
	Progress bool           `arg:"progress=True: shows a bar"`
}

// sweepOver is cluster.sweep.
func sweepOver(thread *starlark.Thread, c *Cluster, a *sweepArgs) (starlark.Value, error) {
	s := session.Of(thread)
	wrong := func(class, format string, args ...any) error {
		return session.Failure(class, "sweep: "+fmt.Sprintf(format, args...))
	}
	name, ok := value.PathOf(a.File)
	if !ok || name == "" {
		return nil, wrong("TypeError", "for parameter file: got %s, want the name of a file", a.File.Type())
	}
	text, err := readFile(s, name)
	if err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	if a.Timeout != nil && !(*a.Timeout > 0 && *a.Timeout < 1e9) || a.Retries < 0 || a.Seed < 0 {
		return nil, wrong("ValueError", "want a timeout of more than 0 seconds, and no negative retries and seed")
	}
	axes, err := axesOf(a.Params)
	if err != nil {
		return nil, fmt.Errorf("sweep: params: %w", err)
	}
	sw := &sweep.Sweep{File: sweep.File{Name: filepath.Base(name), Text: text}, Version: Version, Dir: s.Path(name) + ".runs", Resume: a.Resume, Retries: a.Retries, Warn: s.Warn}
	if a.Dir != nil && a.Dir != starlark.None {
		dir, ok := value.PathOf(a.Dir)
		if !ok || dir == "" {
			return nil, wrong("TypeError", "for parameter dir: got %s, want the name of a folder", a.Dir.Type())
		}
		sw.Dir = s.Path(dir)
	}
	if a.Timeout != nil {
		sw.Timeout = time.Duration(*a.Timeout * float64(time.Second))
	}
	if a.Random != nil {
		sw.Runs, err = sweep.Random(axes, *a.Random, uint64(a.Seed))
	} else {
		sw.Runs, err = sweep.Grid(axes)
	}
	if err == nil {
		err = sw.Check()
	}
	if err != nil {
		return nil, wrong("ValueError", "%v", err)
	}
	if c.isClosed() {
		return nil, wrong("ValueError", "the cluster is closed")
	}
	done := 0
	if a.Progress {
		bar, err := progress.Open(thread, filepath.Base(name), float64(len(sw.Runs)))
		if err != nil {
			return nil, err
		}
		defer bar.Close()
		sw.Ended = func(*sweep.Run) { done++; bar.Set(float64(done)) }
	}
	runs, err := sw.Do(s.Context(), c.conn)
	var refused *cluster.Failure
	switch {
	case err != nil && s.Context().Err() != nil:
		return nil, context.Cause(s.Context())
	case errors.As(err, &refused):
		return nil, wrong(refused.Class, "%s", refused.Message)
	case err != nil:
		return nil, wrong("RuntimeError", "%v", err)
	}
	rows := make([]starlark.Value, len(runs))
	for i, r := range runs {
		if rows[i], err = rowOf(r); err != nil {
			return nil, wrong("RuntimeError", "run %d: %v", i, err)
		}
	}
	return slot.NewList(rows), nil
}

func readFile(s *session.Session, name string) ([]byte, error) {
	f, err := s.Files().Open(s.Path(name))
	if err != nil {
		return nil, np.FileError(name, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(s.Heard(f), notebook.MaxSize+1))
	switch {
	case err != nil:
		return nil, np.FileError(name, err)
	case len(text) > notebook.MaxSize:
		return nil, fmt.Errorf("%s is larger than %d bytes", name, notebook.MaxSize)
	}
	return text, nil
}

// axesOf are the parameters of a dict, in its order.
func axesOf(params *slot.Dict) (axes []sweep.Axis, err error) {
	for _, kv := range params.Items() {
		name, ok := starlark.AsString(kv[0])
		if !ok {
			return nil, session.Failure("TypeError", fmt.Sprintf("got the key %s, want the name of a parameter", value.Repr(kv[0])))
		}
		values, err := value.Iterable(kv[1])
		if _, isText := kv[1].(starlark.String); err != nil || isText {
			return nil, session.Failure("TypeError", fmt.Sprintf("%s: got %s, want a list of values", name, kv[1].Type()))
		}
		if _, err := notebook.ParseParameter(name+"=0", false); err != nil {
			return nil, session.Failure("ValueError", fmt.Sprintf("got the key %q, want the name of a parameter", name))
		}
		a := sweep.Axis{Name: name}
		for v := range starlark.Elements(values) {
			raw, err := JSONOf(v)
			if err != nil {
				return nil, session.Failure("TypeError", fmt.Sprintf("%s: %v", name, err))
			}
			p := notebook.Parameter{Name: name, Value: raw}
			if _, isFloat := value.Plain(v).(starlark.Float); isFloat { // nan and inf are text
				p.Special = bytes.HasPrefix(raw, []byte(`"`))
			}
			a.Values = append(a.Values, p)
		}
		if len(a.Values) == 0 {
			return nil, session.Failure("ValueError", fmt.Sprintf("%s: got no values", name))
		}
		axes = append(axes, a)
	}
	return axes, nil
}

// rowOf is a run as a dict: its parameters and results by name, time, worker and error.
func rowOf(r *sweep.Run) (starlark.Value, error) {
	params, results := slot.NewDict(len(r.Parameters)), slot.NewDict(len(r.Results))
	for _, p := range r.Parameters {
		v, err := valueOf(p.Value)
		if err != nil {
			return nil, err
		}
		if err := params.SetKey(starlark.String(p.Name), v); err != nil {
			return nil, err
		}
	}
	for _, x := range r.Results {
		v, err := valueOf(x.Value)
		if err != nil {
			return nil, err
		}
		if err := results.SetKey(starlark.String(x.Name), v); err != nil {
			return nil, err
		}
	}
	var failure starlark.Value = starlark.None
	if r.Failure != nil {
		failure = starlark.String(r.Failure.Class + ": " + r.Failure.Message)
	}
	d := slot.NewDict(7)
	for _, kv := range []struct {
		name string
		v    starlark.Value
	}{{"parameters", params}, {"results", results}, {"text", starlark.String(r.Text)}, {"seconds", starlark.Float(r.Seconds)}, {"worker", starlark.String(r.Worker)},
		{"error", failure}, {"before", starlark.Bool(r.Before)}} {
		if err := d.SetKey(starlark.String(kv.name), kv.v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// valueOf is the value that JSON says.
func valueOf(raw json.RawMessage) (starlark.Value, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return valueOfAny(v)
}

func valueOfAny(v any) (starlark.Value, error) {
	switch v := v.(type) {
	case nil:
		return starlark.None, nil
	case bool:
		return starlark.Bool(v), nil
	case string:
		return starlark.String(v), nil
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return starlark.MakeInt64(n), nil
		}
		f, err := v.Float64()
		return starlark.Float(f), err
	case []any:
		list := make([]starlark.Value, len(v))
		for i := range v {
			var err error
			if list[i], err = valueOfAny(v[i]); err != nil {
				return nil, err
			}
		}
		return slot.NewList(list), nil
	case map[string]any:
		d := slot.NewDict(len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			x, err := valueOfAny(v[name])
			if err == nil {
				err = d.SetKey(starlark.String(name), x)
			}
			if err != nil {
				return nil, err
			}
		}
		return d, nil
	}
	return nil, fmt.Errorf("got %T", v)
}
