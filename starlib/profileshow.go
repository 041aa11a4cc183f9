package starlib

import (
	"encoding/json"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/starlib/config"
)

// A profileView is how profiles are shown: what the flags say about it at some time. A live profile keeps its own, since flags may
// change while the cell runs.
type profileView struct {
	show  string // profiling.html
	text  text.Options
	panel panel.Options
}

// view is how the flags in force show profiles.
func (s *Session) view() profileView {
	opts := s.textOptions()
	show := s.config.String("profiling.html")
	return profileView{show: show, text: opts,
		panel: panel.Options{Open: show == "open", Rewrites: opts.Rewrites, NOps: opts.NOps, NApply: opts.NApply, Layout: opts.Layout}}
}

// bundle shows profiles as a panel, as text and as data.
func (v profileView) bundle(all []*profiler.Stats, title string) map[string]any {
	var report strings.Builder
	if err := text.WriteAll(&report, all, v.text); err != nil {
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
		light[i] = all[i].WithoutTraces()
	}
	if data, err := json.Marshal(light); err == nil {
		b[export.MIME] = json.RawMessage(data)
	}
	return b
}

// exportable reports whether the format of a file, which its name says, can be written. Pages are designed and not built.
func exportable(path string) error {
	err := export.Known(path)
	if err != nil && strings.HasSuffix(path, ".html") {
		return config.NotYet("export to .html")
	}
	return err
}

// writeProfiles writes profiles to a file in the format that its name says.
func writeProfiles(path string, all []*profiler.Stats) error {
	if err := exportable(path); err != nil {
		return err
	}
	return export.Write(path, all)
}
