// Command treesum adds up the keys of a binary tree whose shape follows from
// the numbers of its nodes, and finds its height and its greatest key.
package main

import "fmt"

type summary struct {
	sum, height, greatest int32
}

// merge returns the summary of two trees under a node with a key.
func (a summary) merge(b summary, key int32) summary {
	return summary{
		sum:      a.sum + b.sum + key,
		height:   1 + max(a.height, b.height),
		greatest: max(a.greatest, b.greatest, key),
	}
}

func key(node int32) int32 { return node * 37 % 101 }

// walk visits a node's subtree. Nodes whose key is small have no children.
func walk(node, depth int32) summary {
	k := key(node)
	if depth == 0 || k < 10 {
		return summary{k, 1, k}
	}
	left := walk(2*node, depth-1)
	right := walk(2*node+1, depth-1)
	return left.merge(right, k)
}

//emsim:arg depth 0 12
func treesum(depth int32) int32 {
	s := walk(1, depth)
	return s.sum*1000 + s.height*100 + s.greatest%100
}

func main() {
	for _, depth := range []int32{2, 5, 8} {
		fmt.Println(depth, treesum(depth))
	}
}
