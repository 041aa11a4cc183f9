package profile

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/starlib/config"
)

// A profileView is how profiles are shown: what the flags say about it at some time. A live profile
// keeps its own, since flags may change while the cell runs.
type profileView struct {
	show  string // profiling.show
	text  text.Options
	panel panel.Options
	files profiler.View // of exports
}

// view is how the flags in force show profiles.
func (s *Session) view() profileView {
	opts := s.textOptions(text.Arignote)
	opts.Most = 5 // a cell that calls many functions would be a thousand lines
	show := s.Config().String("profiling.show")
	opts.Details = show == "text" && opts.Rewrites
	opts.Brief = !opts.Memory && !opts.Rewrites
	fill := s.isDefault("profiling.n_ops") && s.isDefault("profiling.n_apply")
	opts.Whole = `%%profile full=True, or p.summary(layout="arignote")`
	return profileView{show: show, text: opts,
		panel: panel.Options{Open: show == "open", Head: show == "head", Fill: fill, Rewrites: opts.Rewrites, NOps: opts.NOps, NApply: opts.NApply,
			Layout: s.textOptions(text.Aesara).Layout},
		files: s.exportView()}
}

// isDefault reports whether a flag has its default, unset.
func (s *Session) isDefault(flag string) bool {
	_, source := s.Config().Get(flag)
	return source == config.Default
}

// exportView is what exports show: all that there is, unless somebody set flags that say otherwise.
func (s *Session) exportView() profiler.View {
	view := export.View()
	view.Layout = s.textOptions(text.Aesara).Layout
	for flag, name := range map[string]string{"profiling.n_ops": "n_ops", "profiling.n_apply": "n_apply",
		"profiling.min_memory_size": "min_memory_size", "profiling.output_line_width": "width"} {
		if v, source := s.Config().Get(flag); source != config.Default {
			if err := view.Set(name, fmt.Sprint(v)); err != nil {
				s.Log().Error("a flag was not checked", "flag", flag, "error", err)
			}
		}
	}
	return view
}

// bundle shows profiles as a panel, as text and as data.
func (v profileView) bundle(all []*profiler.Stats, title string) map[string]any {
	var report strings.Builder
	v.text.Title = title
	write := func() error { return text.WriteAll(&report, all, v.text) }
	if len(all) == 1 { // one that is empty says why
		write = func() error { return text.Write(&report, all[0], v.text) }
	}
	if err := write(); err != nil {
		report.WriteString(err.Error())
	}
	b := map[string]any{"text/plain": strings.TrimRight(report.String(), "\n")}
	if v.show != "text" {
		opts := v.panel
		opts.Title = title
		b["text/html"] = panel.HTML(all, opts)
	}
	light := make([]*profiler.Stats, len(all))
	for i := range all {
		light[i] = all[i].Compact()
	}
	if data, err := json.Marshal(light); err == nil {
		b[export.MIME] = json.RawMessage(data)
	}
	return b
}
