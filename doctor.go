package main

import (
	"errors"

	"github.com/arignote/arignote/doctor"
	"github.com/spf13/cobra"
)

func doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "look at what is installed and at the machine, and say what to do", Args: cobra.NoArgs,
		Long: "Looks at Jupyter's kernelspecs and what they start, front ends, instruction sets, threads, what the machine can do at most\n" +
			"(measured for about a second if that is not known), the cache, and files of flags. Below what is wrong stands what to do.\n" +
			"The status is 1 if something is broken.",
		Example: "  arignote doctor\n  arignote doctor --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			r := doctor.Examine(cmd.Context(), version)
			write := r.Text
			if asJSON {
				write = r.JSON
			}
			if err := write(cmd.OutOrStdout()); err != nil {
				return err
			}
			if r.Broken {
				return shown{errors.New("doctor: something is broken")}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write what was found as JSON")
	return cmd
}
