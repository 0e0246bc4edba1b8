package sweep

import (
	"encoding/json"
	"path/filepath"
	"slices"
)

// Sidecar goes with a table and says where it comes from: the machine,
// version and command of every point. Only the sidecar holds wall times.
type Sidecar struct {
	Sweep       string                       `json:"sweep"` // the file
	SweepSHA256 string                       `json:"sweep_sha256"`
	Title       string                       `json:"title"`
	Table       string                       `json:"table"` // the CSV file
	Command     string                       `json:"command"`
	Version     Version                      `json:"version"` // that gave all results
	Columns     []Column                     `json:"columns"`
	Machines    []map[string]json.RawMessage `json:"machines"` // knobs
	Points      []SidecarPoint               `json:"points"`
	Recipe      json.RawMessage              `json:"recipe,omitempty"` // of the table
}

// SidecarPoint is one row of the table, or one run of a row with seeds.
type SidecarPoint struct {
	Row         int                `json:"row"`                      // from 1
	ID          string             `json:"id"`                       // of the result's file, without .json
	Machine     int                `json:"machine"`                  // index in Machines, from 0
	Program     string             `json:"program_sha256,omitempty"` // of the EM-4
	Params      map[string]string  `json:"params,omitzero"`          // of the EM-4
	Files       map[string]OwnFile `json:"files,omitempty"`          // of a user's own, by flag; of other machines
	Command     string             `json:"command"`
	WallSeconds float64            `json:"wall_seconds"`
	Message     string             `json:"message,omitempty"` // if the outcome is not ok
}

// Sidecar describes a table of the plan; every point must have a result.
func (plan *Plan) Sidecar(table, command, recipe string, version Version, results map[string]*Result) ([]byte, error) {
	s := Sidecar{
		Sweep: filepath.Base(plan.File), SweepSHA256: plan.SHA256, Title: plan.Title, Table: filepath.Base(table),
		Command: command, Version: version, Columns: plan.Columns(), Recipe: json.RawMessage(recipe),
	}
	var machines []string
	rows := plan.rowOf()
	for i := range plan.Points {
		p := &plan.Points[i]
		r := results[p.ID]
		var d struct {
			Definition
			Files map[string]OwnFile `json:"files"`
		}
		if err := json.Unmarshal(p.definition, &d); err != nil {
			return nil, err
		}
		text, err := json.Marshal(d.Knobs)
		if err != nil {
			return nil, err
		}
		at := slices.Index(machines, string(text))
		if at < 0 {
			at, machines = len(machines), append(machines, string(text))
			s.Machines = append(s.Machines, d.Knobs)
		}
		x := SidecarPoint{Row: rows[i], ID: p.ID, Machine: at, Program: d.SHA256, Params: d.Params, Files: d.Files, Command: p.Command(), Message: r.Message, WallSeconds: r.number(wallKey)}
		s.Points = append(s.Points, x)
	}
	text, err := json.MarshalIndent(s, "", " ")
	return append(text, '\n'), err
}
