package network

import "fmt"

// PortName returns the name of a port, such as "inj[3]", "yin[6]" or "x+[0]".
func (n *Net) PortName(port int32) string {
	bank, node := int(port)/n.nodes, int(port)%n.nodes
	switch bank {
	case 0:
		return fmt.Sprintf("inj[%d]", node)
	case 1:
		return fmt.Sprintf("ej[%d]", node)
	}
	axis, side := (bank-2)/n.banks(), (bank-2)%n.banks()
	switch n.Kind {
	case HXB:
		return fmt.Sprintf("%c%s[%d]", 'x'+axis, [2]string{"in", "out"}[side], node)
	case HCB:
		return fmt.Sprintf("d%d[%d]", axis, node)
	}
	return fmt.Sprintf("%c%c[%d]", 'x'+axis, "+-"[side], node)
}
