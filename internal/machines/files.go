package machines

import (
	"slices"

	"emsim/cluster/rhinet"
	"emsim/cluster/spmd"
	"emsim/internal/input"
	"emsim/internal/machinefile"
	"emsim/mnc"
	"emsim/pdes"
	"emsim/pdes/lpgraph"
)

// A File is a file of a user's own that a machine takes.
type File struct {
	Flag string // of the command that runs the machine, without dashes
	Name string // of the file, as the user wrote it
	Path string // where it is
	Text []byte
}

// FileKind is what a machine does with such a file.
type FileKind struct {
	Flag    string
	Want    input.Want
	Decides []string // knobs that the file leaves nothing to say

	use func(config any, f File) error // gives the file to a machine that is complete but for it and those behind it
}

var text = []input.Kind{input.Text}

// fileKinds are the files by machine; each may depend on those before it.
var fileKinds = map[string][]FileKind{
	"mnc": {
		{"incidence", input.Want{What: "a wiring", Kinds: text, Most: 1 << 19, Why: "500 bytes for each of 1024 PEs"}, []string{"topology", "pes"}, useIncidence},
		{"work", input.Want{What: "a list of data", Kinds: text, Most: 1 << 26, Why: "a million lines"}, []string{"items", "loops"}, useWork},
	},
	"rhinet": {
		{"hosts", input.Want{What: "a list of hosts", Kinds: text, Most: 1 << 24, Why: "half a million lines"}, []string{"load", "loaded", "move_every"}, useRHiNETHosts},
	},
	"spmd": {
		{"topology", input.Want{What: "a topology", Kinds: text, Most: 1 << 22, Why: "the numbers of all readers of 1000 processors"}, []string{"topology", "processors"}, useTopology},
		{"hosts", input.Want{What: "a list of processors", Kinds: text, Most: 1 << 24, Why: "half a million lines"}, nil, useSPMDHosts},
	},
	"pdes": {
		{"graph", input.Want{What: "an LP graph", Kinds: text, Most: 1 << 23, Why: "100 bytes for each of 65536 channels"}, []string{"stages", "wiring", "load", "queue"}, useGraph},
		{"map", input.Want{What: "a map", Kinds: text, Most: 1 << 17, Why: "100 bytes for each of 1024 LPs"}, []string{"map"}, useMap},
	},
}

// FileKinds lists the files that a machine takes.
func FileKinds(machine string) []FileKind { return fileKinds[machine] }

// ReadFile reads the file of a flag.
func ReadFile(machine, flag, name string) ([]byte, error) {
	all := fileKinds[machine]
	return all[slices.IndexFunc(all, func(k FileKind) bool { return k.Flag == flag })].Want.Read(name)
}

// Use gives files to a machine whose knobs are set, and checks it as
// machinefile.Machine.Check does. The error is a *simerr.Usage.
func Use(m *machinefile.Machine, files []File) error {
	if err := m.CheckRanges(); err != nil {
		return err
	}
	for _, k := range fileKinds[m.Kind.Name] {
		for _, f := range files {
			if f.Flag != k.Flag {
				continue
			}
			if err := k.use(m.Config, f); err != nil {
				return err
			}
		}
	}
	return m.Validate()
}

func useIncidence(config any, f File) (err error) {
	s := config.(*mnc.Setup)
	s.Wiring, err = mnc.ParseIncidence(f.Name, f.Text)
	s.Topology, s.PEs = f.Name, s.Wiring.PEs
	return err
}

func useWork(config any, f File) error {
	s := config.(*mnc.Setup)
	list, err := mnc.ParseWork(f.Name, f.Text, s.PEs)
	s.SetWork(list)
	return err
}

func useRHiNETHosts(config any, f File) error {
	c := config.(*rhinet.Config)
	if c.Nodes < 1 || c.Nodes > rhinet.MaxNodes {
		return c.Validate()
	}
	hosts, err := rhinet.ParseHosts(f.Name, f.Text, c.Nodes)
	c.Own = &rhinet.Own{Hosts: hosts}
	c.Load, c.Host.MoveEvery = rhinet.NoLoad, 0
	return err
}

func useTopology(config any, f File) (err error) {
	s := config.(*spmd.Setup)
	s.Name = f.Name
	s.Topology, err = spmd.ParseTopology(f.Name, f.Text)
	return err
}

func useSPMDHosts(config any, f File) error {
	s := config.(*spmd.Setup)
	base, err := s.Build()
	if err == nil {
		s.Hosts, err = spmd.ParseHosts(f.Name, f.Text, &base)
	}
	return err
}

func useGraph(config any, f File) (err error) {
	s := config.(*pdes.Setup)
	s.Graph, err = lpgraph.Parse(f.Name, f.Text)
	return err
}

func useMap(config any, f File) error {
	s := config.(*pdes.Setup)
	c, err := s.Build()
	if err == nil {
		s.Map, err = c.ParseMap(f.Name, f.Text)
	}
	s.Placing = f.Name
	return err
}
