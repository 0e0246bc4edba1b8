// Command release writes files that accompany a program into a folder: the manual pages of its commands, and a list of
// its modules.
//
//	go -C tools run ./release FOLDER PROGRAM
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"emsim/internal/command"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run writes the files and returns the exit status.
func run(args []string, errs io.Writer) int {
	if len(args) != 2 {
		fmt.Fprintln(errs, "expected a folder and a program: go -C tools run ./release man ./emsim")
		return 2
	}
	if err := write(args[0], args[1]); err != nil {
		fmt.Fprintln(errs, "release:", err)
		return 1
	}
	return 0
}

func write(folder, program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, "man"), 0o777); err != nil {
		return err
	}
	seconds, _ := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	date := time.Unix(seconds, 0).UTC()
	tree := command.CommandTree()
	tree.DisableAutoGenTag = true
	keepIndents(tree)
	if err := doc.GenManTree(tree, &doc.GenManHeader{
		Section: "1", Date: &date, Source: "emsim " + command.Release,
		Manual: "emsim",
	}, filepath.Join(folder, "man")); err != nil {
		return err
	}
	text, err := json.MarshalIndent(modules(info, date), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "sbom.cdx.json"), append(text, '\n'), 0o666)
}

// keepIndents marks the indented parts of all help texts as code, so that Markdown does not wrap them.
func keepIndents(cmd *cobra.Command) {
	parts := strings.Split(cmd.Long, "\n\n")
	for i, p := range parts {
		if strings.HasPrefix(p, " ") || strings.Contains(p, "\n ") {
			parts[i] = "```\n" + p + "\n```"
		}
	}
	cmd.Long = strings.Join(parts, "\n\n")
	for _, sub := range cmd.Commands() {
		keepIndents(sub)
	}
}

// A bill is a bill of materials in the format CycloneDX 1.6, https://cyclonedx.org.
type (
	bill struct {
		Format     string      `json:"bomFormat"`
		Version    string      `json:"specVersion"`
		Edition    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Time      time.Time `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type    string `json:"type"`
		Name    string `json:"name"`
		Version string `json:"version"`
		URL     string `json:"purl,omitempty"`
	}
)

// modules returns the list of what is linked into a program: Go's library and the modules.
func modules(info *buildinfo.BuildInfo, date time.Time) bill {
	b := bill{"CycloneDX", "1.6", 1, metadata{date, component{"application", "emsim", command.Release, ""}}, nil}
	b.Components = append(b.Components, component{
		"library", "std", info.GoVersion,
		"pkg:golang/std@" + info.GoVersion[len("go"):],
	})
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Components = append(b.Components,
			component{"library", m.Path, m.Version, "pkg:golang/" + m.Path + "@" + m.Version})
	}
	return b
}
