package magic

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/session"
)

// raisesCell is %%raises: an error is what a cell is there to show. An interrupt is none.
func raisesCell(m Line) session.CellFunc {
	return func(s *session.Session, ctx context.Context, cell *session.Cell, text string) (data, metadata map[string]any, err error) {
		_, _, err = s.RunCode(ctx, cell, text)
		if ctx.Err() != nil {
			return nil, nil, err
		}
		want := strings.TrimSpace(m.Rest)
		if err == nil {
			return nil, nil, fmt.Errorf("%%%%raises: the cell did not fail; want %s", wanted(want))
		}
		var e *session.Error
		if !errors.As(err, &e) {
			e = s.NewError(ctx, err)
		}
		if !strings.Contains(e.Name()+": "+e.Error(), want) {
			return nil, nil, err
		}
		s.Output().Stream("stdout", strings.Join(e.Traceback(), "\n")+"\n")
		return nil, nil, nil
	}
}

func wanted(text string) string {
	if text == "" {
		return "an error"
	}
	return "an error with " + text
}
