package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// readFile sets the flags of a TOML file; nested tables are sections. The file is
// decoded for its values and walked once more for the positions of its keys, since the
// decoder keeps none for keys it could store and every flag wants its line.
func (c *Config) readFile(path string, project bool) error {
	data, err := readText(path)
	if err != nil {
		return err
	}
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		var bad *toml.DecodeError
		if errors.As(err, &bad) {
			line, col := bad.Position()
			return fmt.Errorf("%s:%d:%d: %s", path, line, col, strings.TrimPrefix(bad.Error(), "toml: "))
		}
		return fmt.Errorf("%s: %w", path, err)
	}
	keys, err := keyPositions(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, k := range keys {
		name := strings.Join(k.path, ".")
		value, ok := find(tree, k.path)
		if !ok {
			continue
		}
		f, v, err := c.resolve(name, value)
		if err == nil && project {
			err = c.keep(f, v) // it comes with the notebook, from wherever that comes
		}
		if err != nil {
			return fmt.Errorf("%s:%d:%d: %w", path, k.line, k.col, err)
		}
		c.values[f.Name] = setting{v, fmt.Sprintf("%s:%d", path, k.line)}
	}
	return nil
}

type key struct {
	path      []string
	line, col int
}

// keyPositions returns the full name and position of every key that has a value other
// than a table, in the order of the file.
func keyPositions(data []byte) ([]key, error) {
	var p unstable.Parser
	p.Reset(data)
	var keys []key
	var section []string
	for p.NextExpression() {
		switch n := p.Expression(); n.Kind {
		case unstable.Table, unstable.ArrayTable:
			section, _, _ = keyOf(&p, n)
		case unstable.KeyValue:
			keys = appendKeys(keys, &p, n, section)
		}
	}
	return keys, p.Error()
}

func appendKeys(keys []key, p *unstable.Parser, n *unstable.Node, section []string) []key {
	name, line, col := keyOf(p, n)
	full := append(append([]string{}, section...), name...)
	if v := n.Value(); v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next(); {
			keys = appendKeys(keys, p, it.Node(), full)
		}
		return keys
	}
	return append(keys, key{full, line, col})
}

// keyOf returns the parts of a dotted key and the position of the first.
func keyOf(p *unstable.Parser, n *unstable.Node) (parts []string, line, col int) {
	for it := n.Key(); it.Next(); {
		part := it.Node()
		if line == 0 {
			start := p.Shape(part.Raw).Start
			line, col = start.Line, start.Column
		}
		parts = append(parts, string(part.Data))
	}
	return parts, line, col
}

// find returns the value at path in nested tables.
func find(tree map[string]any, path []string) (any, bool) {
	v, ok := tree[path[0]]
	if !ok || len(path) == 1 {
		return tagList(v), ok
	}
	switch sub := v.(type) {
	case map[string]any:
		return find(sub, path[1:])
	}
	// [[section]]: no flag lives in a list of tables, so any value will be refused.
	return v, ok
}

// tagList turns a TOML list of strings into []string; other values are left alone.
func tagList(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	tags := make([]string, len(list))
	for i, e := range list {
		s, ok := e.(string)
		if !ok {
			return v
		}
		tags[i] = s
	}
	return tags
}
