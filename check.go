package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/arignote/arignote/starlib/check"
	"github.com/spf13/cobra"
)

func checkCommand() *cobra.Command {
	var asJSON bool
	var flags []string
	cmd := &cobra.Command{
		Use: "check FILE.py|FOLDER", Short: "list what of a Python file would not run here, and run nothing", Args: cobra.ExactArgs(1),
		Long: "Lists what would stop a file, and the files of yours that it imports: statements, modules, names, attributes and keywords that\n" +
			"are not here, each with its line and with what to write instead. Nothing is run. Of a folder it prints a table of its files,\n" +
			"and in how many of them each reason occurs. The status is 1 if something was found.",
		Example: "  arignote check train.py\n  arignote check src\n  arignote check --json src",
		RunE: func(cmd *cobra.Command, args []string) error {
			info, err := os.Stat(args[0])
			if err != nil {
				return err
			}
			dir, look := filepath.Dir(args[0]), check.File
			if info.IsDir() {
				dir, look = args[0], check.Folder
			}
			s, err := session(dir, flags, nil, 0, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			report, err := look(s.Session, args[0])
			if err != nil {
				return err
			}
			switch out := cmd.OutOrStdout(); {
			case asJSON:
				enc := json.NewEncoder(out)
				enc.SetIndent("", "  ")
				enc.SetEscapeHTML(false)
				if err := enc.Encode(report); err != nil {
					return err
				}
			case info.IsDir():
				report.Summary(out)
			default:
				report.Text(out)
			}
			if !report.Clean() {
				return shown{errors.New("check: something would not run")}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "write what was found as JSON")
	f.StringArrayVar(&flags, "flags", nil, "flags of the compiler, such as import_path: name=value,...")
	return cmd
}
