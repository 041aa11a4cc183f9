package kernel

import (
	"errors"
	"maps"
	"unicode/utf8"
)

// This file serves the requests that change nothing.

func (s *Server) kernelInfo(*Message) (map[string]any, error) {
	info := s.opts.LanguageInfo
	if info == nil {
		info = map[string]any{}
	}
	return map[string]any{
		"protocol_version":       protocolVersion,
		"implementation":         s.opts.Implementation,
		"implementation_version": s.opts.Version,
		"language_info":          info,
		"banner":                 s.opts.Banner,
		"help_links":             s.helpLinks(),
		"supported_features":     []any{},
		"debugger":               false,
	}, nil
}

// helpLinks are the links of the front end's menu Help.
func (s *Server) helpLinks() []any {
	list := []any{}
	for _, l := range s.opts.HelpLinks {
		list = append(list, map[string]any{"text": l.Text, "url": l.URL})
	}
	return list
}

func (s *Server) connectInfo(*Message) (map[string]any, error) {
	return map[string]any{
		"shell_port":   s.conn.ShellPort,
		"iopub_port":   s.conn.IOPubPort,
		"stdin_port":   s.conn.StdinPort,
		"control_port": s.conn.ControlPort,
		"hb_port":      s.conn.HBPort,
	}, nil
}

// usage tells front ends that show it what the kernel takes of the machine. The message is
// ipykernel's, and no part of the protocol.
func (s *Server) usage(*Message) (map[string]any, error) {
	content := map[string]any{}
	if s.opts.Usage != nil {
		maps.Copy(content, s.opts.Usage())
	}
	return content, nil
}

// cursorRequest is the content of a complete_request or inspect_request.
type cursorRequest struct {
	Code   string `json:"code"`
	Cursor *int   `json:"cursor_pos"`
	Detail int    `json:"detail_level"`
}

// cursor returns the cursor within the code, in code points; without one, it
// is at the end.
func (r cursorRequest) cursor() int {
	end := utf8.RuneCountInString(r.Code)
	if r.Cursor == nil {
		return end
	}
	return min(max(*r.Cursor, 0), end)
}

func (s *Server) complete(m *Message) (map[string]any, error) {
	var req cursorRequest
	if err := m.decode(&req); err != nil {
		return nil, err
	}
	cursor := req.cursor()
	start, end, matches := s.interp.Complete(req.Code, cursor)
	start = min(max(start, 0), cursor)
	end = min(max(end, start), utf8.RuneCountInString(req.Code))
	texts, types := make([]string, 0, len(matches)), make([]any, 0, len(matches))
	for _, c := range matches {
		texts = append(texts, c.Text)
		// Clients pair types and matches by index: one for each, always.
		types = append(types, map[string]any{
			"text": c.Text, "type": c.Type, "signature": c.Signature, "start": start, "end": end,
		})
	}
	return map[string]any{
		"matches":      texts,
		"cursor_start": start,
		"cursor_end":   end,
		"metadata":     map[string]any{"_jupyter_types_experimental": types},
	}, nil
}

func (s *Server) inspect(m *Message) (map[string]any, error) {
	var req cursorRequest
	if err := m.decode(&req); err != nil {
		return nil, err
	}
	data := s.interp.Inspect(req.Code, req.cursor(), req.Detail)
	found := data != nil
	if !found {
		data = map[string]any{}
	}
	return map[string]any{"found": found, "data": data, "metadata": map[string]any{}}, nil
}

func (s *Server) isComplete(m *Message) (map[string]any, error) {
	var req struct {
		Code string `json:"code"`
	}
	if err := m.decode(&req); err != nil {
		return nil, err
	}
	status, indent := s.interp.IsComplete(req.Code)
	content := map[string]any{"status": status}
	if status == "incomplete" {
		content["indent"] = indent
	}
	return content, nil
}

// Comms: there are no targets, so a client that opens one is told that it is
// closed, and everything else that it says of comms is ignored.

func (s *Server) commInfo(*Message) (map[string]any, error) {
	return map[string]any{"comms": map[string]any{}}, nil
}

func (s *Server) commOpen(m *Message) (map[string]any, error) {
	var req struct {
		ID     string `json:"comm_id"`
		Target string `json:"target_name"`
	}
	if err := m.decode(&req); err != nil {
		return nil, err
	}
	if req.ID == "" {
		return nil, &requestError{errors.New("comm_open: got no comm_id, want a string")}
	}
	s.rare.warn("comm", "comm closed: unknown target", "target", req.Target)
	s.publish(m, "comm_close", map[string]any{"comm_id": req.ID, "data": map[string]any{}})
	return nil, nil
}

func (s *Server) commIgnore(*Message) (map[string]any, error) { return nil, nil }
