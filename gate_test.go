package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestWorkflow: the workflow of docs/profiles.md is YAML with the fields that GitHub asks for, and
// its commands of ours exist, with their flags.
func TestWorkflow(t *testing.T) {
	page, err := os.ReadFile("docs/profiles.md")
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, b := range fence.FindAllStringSubmatch(string(page), -1) {
		if b[1] == "yaml" {
			text = b[2]
		}
	}
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import yaml").Run(); err != nil {
		t.Skip("no YAML: install Debian's python3-yaml")
	}
	// BaseLoader: YAML 1.1 would read the key "on" as true.
	cmd := exec.Command(python, "-c", "import json, sys, yaml; json.dump(yaml.load(sys.stdin, yaml.BaseLoader), sys.stdout)")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v of\n%s", err, text)
	}
	var flow struct {
		Name string
		On   string
		Jobs map[string]struct {
			RunsOn string `json:"runs-on"`
			Steps  []struct{ Name, Uses, Run, If string }
		}
	}
	read := json.NewDecoder(bytes.NewReader(out))
	if err := read.Decode(&flow); err != nil {
		t.Fatal(err)
	}
	if flow.On != "pull_request" || len(flow.Jobs) == 0 {
		t.Errorf("got %+v, want a workflow for pull requests", flow)
	}
	ran := 0
	for name, job := range flow.Jobs {
		if job.RunsOn == "" {
			t.Errorf("job %s runs on nothing", name)
		}
		for _, step := range job.Steps {
			if (step.Uses == "") == (step.Run == "") {
				t.Errorf("job %s: got %+v, want one of uses and run", name, step)
			}
			// As a shell takes them apart.
			words := regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(step.Run, -1)
			if len(words) == 0 || words[0] != "arignote" {
				continue
			}
			ran++
			var stdout, stderr strings.Builder
			if status := arignote(append(words[1:], "--help"), nil, &stdout, &stderr); status != 0 || !strings.Contains(stdout.String(), "arignote profile check FILE") {
				t.Errorf("%s: status %d, %s%s", step.Run, status, &stdout, &stderr)
			}
		}
	}
	if ran != 2 {
		t.Errorf("got %d commands of ours, want 2", ran)
	}
}
