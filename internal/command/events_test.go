package command

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The files of --events are consistent: what was given arrived, no worker gives items that it does not have, and the
// number of items that changed worker matches the answer. Every transfer states its rule.
func TestEventsConserve(t *testing.T) {
	for name, flags := range map[string]string{
		"mnc":     "--pes 8 --items 300 --loops 100",
		"rhinet":  "--nodes 8 --rows 128 --loaded one --interval 10",
		"spmd":    "--tasks 20 --interval 5s --request-again",
		"balance": "--workers 8 --workload tree --grain 3",
		"pdes":    "--network torus --shape 4x2 --stages 3 --slots 100 --migrate-at 5000",
	} {
		file := filepath.Join(t.TempDir(), "events.csv")
		status, out, errs := emsim(strings.Fields(name + " run --json " + flags + " --events " + file)...)
		require.Zero(t, status, errs)
		var answer struct{ Transfers int }
		require.NoError(t, json.Unmarshal([]byte(out), &answer))
		f, err := os.Open(file)
		require.NoError(t, err)
		rows, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.Equal(t, "event since from to what why knew", strings.Join(rows[0][2:], " "))
		given, got, held, transfers, learned := map[string]int{}, map[string]int{}, map[string]int{}, 0, 0
		for _, r := range rows[1:] {
			worker, event, from, to, what, why, knew := r[1], r[2], r[4], r[5], r[6], r[7], r[8]
			kind, numbers, _ := strings.Cut(what, " ")
			first, last, span := strings.Cut(numbers, "-")
			a, _ := strconv.Atoi(first)
			b, _ := strconv.Atoi(last)
			if !span {
				b = a
			}
			for item := a; kind != "no" && item <= b; item++ {
				way, at := fmt.Sprint(kind, item, " ", from, " ", to), fmt.Sprint(kind, item, " ", worker)
				switch event {
				case "begins", "gets":
					held[at]++
					if name != "mnc" && event == "gets" || name == "mnc" && (event == "gets" || kind == "X") {
						transfers++ // for MNC also from the source QPR
					}
				case "gives", "ends":
					held[at]--
					if name == "mnc" && event == "ends" && kind == "Y" {
						transfers++ // and into the sink QPR
					}
				}
				switch event {
				case "gives":
					given[way]++
					require.NotEmpty(t, knew, r)
				case "gets":
					got[way]++
				}
			}
			switch event {
			case "gives", "begins", "ends":
				require.NotEmpty(t, why, r)
			case "learns":
				learned++
			}
		}
		require.Equal(t, given, got, name)
		require.Equal(t, answer.Transfers, transfers, name)
		require.Positive(t, transfers*learned, name)
		for at, n := range held {
			require.True(t, n == 0 || n == 1, "%s: %s %d", name, at, n)
		}
	}
}
