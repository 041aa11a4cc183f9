package kernel

import (
	"log/slog"
	"sync"
	"time"
)

// rareLog logs what a peer can cause as often as it likes: at most one line a
// second for each key, with the number of lines that were left out.
type rareLog struct {
	log *slog.Logger

	mu   sync.Mutex
	last map[string]rareLine
}

type rareLine struct {
	at      time.Time
	skipped int
}

const rareInterval = time.Second

func (r *rareLog) warn(key, msg string, args ...any) {
	now := time.Now()
	r.mu.Lock()
	line, before := r.last[key]
	if before && now.Sub(line.at) < rareInterval {
		line.skipped++
		r.last[key] = line
		r.mu.Unlock()
		return
	}
	if r.last == nil {
		r.last = map[string]rareLine{}
	}
	r.last[key] = rareLine{at: now}
	r.mu.Unlock()
	if line.skipped > 0 {
		args = append(args, "skipped", line.skipped)
	}
	r.log.Warn(msg, args...)
}
