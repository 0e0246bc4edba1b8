package study

import "emsim/pdes/network"

// A NamedNet is a network of the pattern table.
type NamedNet struct {
	Name string
	Net  *network.Net
}

// PatternNets returns the networks on which the eight patterns are measured: the three kinds with 16 nodes, and HXB
// with Y-first routing.
func PatternNets() ([]NamedNet, error) {
	var nets []NamedNet
	for _, n := range []struct {
		name, shape string
		kind        network.Kind
	}{{"hxb", "4x4", network.HXB}, {"torus", "4x4", network.Torus}, {"hcb", "4", network.HCB}, {
		"hxb_yfirst",
		"4x4", network.HXB,
	}} {
		net, err := network.Parse(n.kind, n.shape)
		if err != nil {
			return nil, err
		}
		net.YFirst = n.name == "hxb_yfirst"
		nets = append(nets, NamedNet{n.name, net})
	}
	return nets, nil
}
