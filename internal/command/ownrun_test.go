package command

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// The pictures of runs and programs in docs/FIGURES.md are the output of the commands below them, except for the
// compressed bytes of embedded pictures. -update draws them again.
func TestOwnPictures(t *testing.T) {
	page, err := os.ReadFile("../../docs/FIGURES.md")
	require.NoError(t, err)
	command := regexp.MustCompile(`(?m)^    emsim ((?:\w+ )?plot .* -o ((?:own|machine|go)-\w+\.svg))$`)
	commands := command.FindAllStringSubmatch(string(page), -1)
	require.Len(t, commands, len(ownNames())+len(machineFigureNames())+5)
	inside := regexp.MustCompile(`base64,[A-Za-z0-9+/=]+`)
	for _, m := range commands {
		file, shown := filepath.Join(t.TempDir(), m[2]), filepath.Join("../../docs/img", m[2])
		if golden.Update() {
			file = shown
		}
		status, out, errs := emsim(strings.Fields(strings.NewReplacer(m[2], file, "programs/go",
			"../../programs/go").Replace(m[1]))...)
		require.Zero(t, status, "%s%s", out, errs)
		want, err := os.ReadFile(shown)
		require.NoError(t, err)
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.True(t, string(inside.ReplaceAll(want, nil)) == string(inside.ReplaceAll(got, nil)),
			"%s: run the test with -update", shown)
	}
}

// The figure of knowledge counts the loads and the decisions that --events tells one by one.
func TestKnowledgeOfCalls(t *testing.T) {
	dir := t.TempDir()
	picture, events := filepath.Join(dir, "k.svg"), filepath.Join(dir, "e.csv")
	status, _, errs := emsim("plot", "knowledge", "fib", "12", "--pes", "12", "--mlpe", "-o", picture)
	require.Zero(t, status, errs)
	status, _, errs = emsim("run", "fib", "12", "--pes", "12", "--mlpe", "--events", events)
	require.Zero(t, status, errs)
	table, err := os.ReadFile(events)
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	require.NoError(t, err)
	loads, decisions := 0, 0
	for _, row := range rows {
		if knew := row[len(row)-1]; row[2] != "event" && knew != "" {
			decisions++
			for _, load := range strings.Split(knew, "; ") {
				if !strings.HasPrefix(load, row[1]+":") { // a PE's own load is known to it
					loads++
				}
			}
		}
	}
	require.Greater(t, decisions, 10)
	text, err := os.ReadFile(picture)
	require.NoError(t, err)
	title := regexp.MustCompile(`>fib 12: (\d+ loads compared for \d+ decisions;)`).FindStringSubmatch(string(text))
	require.Equal(t, fmt.Sprintf("%d loads compared for %d decisions;", loads, decisions), title[1])
}
