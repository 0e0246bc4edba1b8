package compile

import (
	"slices"

	"emsim/internal/compile/ir"
)

// Branches and joins.

// newJoin makes a join after a node. The slots that are known now are known there.
func (b *builder) newJoin() *join { return &join{label: &ir.Label{}, before: slices.Clone(b.env)} }

// jump adds an exit to a join. values go to the parameters that its label already has.
func (b *builder) jump(j *join, values ...*ir.Value) {
	if b.cur == nil || b.unreached {
		b.cur = nil
		return
	}
	b.c.meter.countSteps(1 + len(j.before))
	e := &ir.Exit{To: j.label, Values: values}
	for _, slot := range j.carried {
		e.Values = append(e.Values, b.env[slot])
	}
	j.exits, j.envs = append(j.exits, e), append(j.envs, slices.Clone(b.env[:len(j.before)]))
	b.cur.Exit, b.cur = e, nil
}

// finishNode adds a node to a region, and continues after it. A slot that has another value at some exit than before
// the node becomes a parameter.
func (b *builder) finishNode(in *ir.Region, n ir.Node, j *join) {
	in.Nodes = append(in.Nodes, n)
	b.env = b.env[:len(j.before)]
	if b.cur = nil; len(j.exits) == 0 {
		return
	}
	b.cur = in
	for slot := range b.env {
		v := j.before[slot]
		if !slices.ContainsFunc(j.envs, func(env []*ir.Value) bool { return env[slot] != v }) {
			b.env[slot] = v
			continue
		}
		to := b.owned(b.f.NewValue(v.Type, b.nameOf(slot)), slot)
		for i, env := range j.envs {
			j.exits[i].Values = append(j.exits[i].Values, env[slot])
		}
		j.label.Params = append(j.label.Params, to)
		b.env[slot] = to
	}
}

// owned records that the variable of a slot has the value v, and returns v.
func (b *builder) owned(v *ir.Value, slot int) *ir.Value {
	if o := b.owners[slot]; o != nil && o.Name() != "" && !v.Constant && !slices.Contains(b.x.owners[v], o) {
		b.x.owners[v] = append(b.x.owners[v], o)
	}
	return v
}

// nameOf returns the name of a slot's variable, or "".
func (b *builder) nameOf(slot int) string {
	if b.owners[slot] == nil {
		return ""
	}
	return b.owners[slot].Name()
}

// choose builds an If, or only the branch that runs if the condition is a constant. It returns the value that the
// branches give, or nil if they give no value.
func (b *builder) choose(cond *ir.Value, t ir.Type, yes, no func() *ir.Value) *ir.Value {
	if cond.Constant {
		if cond.Word == 0 {
			yes, no = no, yes
		}
		b.aside(func() { no() })
		return yes()
	}
	in, j := b.here(), b.newJoin()
	n := &ir.If{Cond: cond, Yes: &ir.Region{}, No: &ir.Region{}, End: j.label}
	var result *ir.Value
	env := slices.Clone(b.env)
	for i, way := range []func() *ir.Value{yes, no} {
		b.cur, b.env = []*ir.Region{n.Yes, n.No}[i], slices.Clone(env)
		if v := way(); v != nil {
			if result == nil {
				result = b.f.NewValue(t, "")
				j.label.Params = []*ir.Value{result}
			}
			b.jump(j, v)
		} else {
			b.jump(j)
		}
	}
	b.finishNode(in, n, j)
	return result
}

// branch builds an If without values.
func (b *builder) branch(cond *ir.Value, yes, no func()) {
	b.choose(cond, 0, func() *ir.Value { yes(); return nil }, func() *ir.Value { no(); return nil })
}

// block builds an ir.Block. Its body may jump to end, the label after it.
func (b *builder) block(body func(end *join)) {
	in, j := b.here(), b.newJoin()
	n := &ir.Block{Body: &ir.Region{}, End: j.label}
	b.cur = n.Body
	body(j)
	b.jump(j)
	b.finishNode(in, n, j)
}
