package kernel

import (
	"strings"
	"sync"
)

// history is the cells of this process, in memory. Sessions are numbered as
// clients do: 0 and 1 are this one, and there are no others.
type history struct {
	mu    sync.Mutex
	cells []pastCell
}

type pastCell struct {
	line          int
	input, output string
}

const (
	historySession = 1
	maxHistory     = 10_000
)

func (h *history) add(line int, input string, result map[string]any) {
	output, _ := result["text/plain"].(string)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cells = append(h.cells, pastCell{line, input, output})
	if len(h.cells) > maxHistory {
		h.cells = append([]pastCell(nil), h.cells[len(h.cells)-maxHistory/2:]...)
	}
}

func (h *history) all() []pastCell {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cells[:len(h.cells):len(h.cells)] // cells are only added
}

// historyRequest is the content of a history_request.
type historyRequest struct {
	Output  bool   `json:"output"`
	Access  string `json:"hist_access_type"`
	Session int    `json:"session"`
	Start   int    `json:"start"`
	Stop    *int   `json:"stop"`
	N       *int   `json:"n"`
	Pattern string `json:"pattern"`
	Unique  bool   `json:"unique"`
}

// accesses are the ways to choose cells.
var accesses = map[string]func(historyRequest, []pastCell) []pastCell{
	"range":  cellRange,
	"tail":   func(r historyRequest, cells []pastCell) []pastCell { return tail(cells, r.N) },
	"search": searchCells,
}

func (s *Server) readHistory(m *Message) (map[string]any, error) {
	var req historyRequest
	if err := m.decode(&req); err != nil {
		return nil, err
	}
	var found []pastCell
	if access := accesses[req.Access]; access != nil {
		found = access(req, s.history.all())
	}
	list := make([]any, 0, len(found))
	for _, c := range found {
		var cell any = c.input
		if req.Output {
			var output any
			if c.output != "" {
				output = c.output
			}
			cell = []any{c.input, output}
		}
		list = append(list, []any{historySession, c.line, cell})
	}
	return map[string]any{"history": list}, nil
}

// cellRange chooses the lines start <= line < stop of this session. Earlier
// sessions, which have negative numbers, are not kept.
func cellRange(r historyRequest, cells []pastCell) (found []pastCell) {
	if r.Session != 0 && r.Session != historySession {
		return nil
	}
	for _, c := range cells {
		if c.line >= r.Start && (r.Stop == nil || c.line < *r.Stop) {
			found = append(found, c)
		}
	}
	return found
}

// searchCells chooses the cells whose whole input matches; of equal inputs,
// with unique, the last one.
func searchCells(r historyRequest, cells []pastCell) []pastCell {
	pattern := r.Pattern
	if pattern == "" {
		pattern = "*"
	}
	last := map[string]int{}
	for i, c := range cells {
		last[c.input] = i
	}
	var found []pastCell
	for i, c := range cells {
		if globMatch(pattern, c.input) && (!r.Unique || last[c.input] == i) {
			found = append(found, c)
		}
	}
	return tail(found, r.N)
}

func tail(cells []pastCell, n *int) []pastCell {
	if n == nil || *n >= len(cells) {
		return cells
	}
	return cells[len(cells)-max(*n, 0):]
}

// globMatch matches a whole text; * stands for any text and ? for one
// character. It goes back only to the last *, so it takes at most
// len(pattern)*len(text) steps.
func globMatch(pattern, text string) bool {
	p, t := []rune(pattern), []rune(strings.TrimSpace(text))
	i, star, from := 0, -1, 0
	for j := 0; j < len(t); {
		switch {
		case i < len(p) && p[i] == '*':
			star, from = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == t[j]):
			i++
			j++
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(string(p[i:]), "*") == ""
}
