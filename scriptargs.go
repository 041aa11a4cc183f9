package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// scriptArguments annotates the commands that run a script with arguments.
const scriptArguments = "script arguments"

// takesScript has a command take the file of a script and the script's arguments, which are kept in
// args, the file first.
func takesScript(cmd *cobra.Command, args *[]string) {
	cmd.Annotations = map[string]string{scriptArguments: ""}
	cmd.Args = func(cmd *cobra.Command, got []string) error {
		if len(got) == 0 {
			return errors.New(cmd.Name() + ": got no FILE, want the script to run")
		}
		*args = got
		return nil
	}
}

// divided puts -- before the arguments of a script, unless it is there. They begin behind the
// script's file, with what is no flag of the command: `run train.py --profile --epochs 3` gives the
// script --epochs 3. So does `run train.py --help`, as it would with python.
func divided(root *cobra.Command, args []string) []string {
	cmd, rest, err := root.Find(args)
	if _, ok := cmd.Annotations[scriptArguments]; err != nil || !ok {
		return args
	}
	start := len(args) - len(rest)
	if !slices.Equal(args[start:], rest) { // flags stand before the command's name
		return args
	}
	file := false
	for i := 0; i < len(rest); i++ {
		word := rest[i]
		sets, apart := setsFlag(cmd, word)
		switch {
		case word == "--":
			return args
		case sets && apart:
			i++
		case sets:
		case file:
			return slices.Insert(slices.Clone(args), start+i, "--")
		case !strings.HasPrefix(word, "-"):
			file = true
		default:
			return args // an unknown flag before the file, or --help
		}
	}
	return args
}

// setsFlag reports whether the word sets a flag of the command, and whether its value is the next
// word.
func setsFlag(cmd *cobra.Command, word string) (sets, apart bool) {
	flag, hasValue := cmd.Flags().Lookup(""), false
	switch {
	case strings.HasPrefix(word, "--"):
		name := ""
		name, _, hasValue = strings.Cut(word[2:], "=")
		flag = cmd.Flags().Lookup(name)
	case len(word) > 1 && word[0] == '-':
		flag, hasValue = cmd.Flags().ShorthandLookup(word[1:2]), len(word) > 2
	}
	return flag != nil, flag != nil && flag.NoOptDefVal == "" && !hasValue
}
