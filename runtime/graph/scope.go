package graph

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// ScopeSeparator stands between the names of scopes that lie in each other.
const ScopeSeparator = "/"

// CheckScope says what is wrong with the name of a scope, which may be several: "encoder/dense".
func CheckScope(name string) error {
	switch {
	case name == "":
		return errors.New("got an empty name, want one as \"encoder\"")
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("got %q, want a name of one line without control characters", name)
	case slices.Contains(strings.Split(name, ScopeSeparator), ""):
		return fmt.Errorf("got %q, want names with one / between them, as \"encoder/dense\"", name)
	case slices.ContainsFunc(strings.Split(name, ScopeSeparator), func(s string) bool { return strings.TrimSpace(s) == "" }):
		return fmt.Errorf("got %q, want more than blanks", name)
	}
	return nil
}

// JoinScopes is the scope of that name within another; either may be "".
func JoinScopes(outer, name string) string {
	if outer == "" || name == "" {
		return outer + name
	}
	return outer + ScopeSeparator + name
}

// WithinScope joins the scope of a node and that of a node inside it, own, unless own lies in
// outer: the step of a loop is written where the loop is.
func WithinScope(outer, own string) string {
	if own == outer || outer == "" || strings.HasPrefix(own, outer+ScopeSeparator) {
		return own
	}
	return JoinScopes(outer, own)
}
