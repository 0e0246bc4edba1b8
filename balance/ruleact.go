package balance

// moveUnits moves units on the basis of the known loads.
func (p *own) moveUnits() {
	switch {
	case p.r.Trigger == "idle":
		p.pullUnits()
	case p.r.Amount == "share":
		p.giveEvenly()
	default:
		p.pushUnits()
	}
}

// extreme returns the known worker in the range with the most or the least load; who is -1 if there is none.
func (p *own) extreme(most bool) (who int, load int64) {
	who = -1
	for k, j := range p.known {
		if p.reach.has(j) && (who < 0 || most && p.load[k] > load || !most && p.load[k] < load) {
			who, load = j, p.load[k]
		}
	}
	return who, load
}

// ownLoad returns the load of this worker: its backlog and, unless units are pulled, the running unit. A puller
// cannot get the running unit.
func (p *own) ownLoad() int64 {
	if p.r.Trigger != "idle" && p.W.Running() {
		return int64(p.W.Backlog()) + 1
	}
	return int64(p.W.Backlog())
}

// meanLoad returns the mean load of this worker and those whose load it knows.
func (p *own) meanLoad() int64 {
	sum := p.ownLoad()
	for _, l := range p.load {
		sum += l
	}
	return sum / int64(len(p.load)+1)
}

// pullUnits asks one worker for units, or tries again later if none is known to have any.
func (p *own) pullUnits() {
	who, load := p.anyWorker(), int64(0)
	if p.r.Information != "none" {
		who, load = p.extreme(true)
	}
	n := int64(-1)
	switch p.r.Amount {
	case "one":
		n = 1
	case "difference":
		n = (load - p.ownLoad() + 1) / 2
	case "share":
		n = p.meanLoad() - p.ownLoad()
	}
	if who < 0 || who == p.W.ID || p.r.Information != "none" && (load == 0 || n == 0) {
		p.retry()
		return
	}
	p.W.Send(who, Message{Kind: ruleWant, A: n})
}

// pushUnits gives units to one worker, unless that worker would then have at least the load that this one has now.
func (p *own) pushUnits() {
	own := p.ownLoad()
	who, load := p.anyWorker(), int64(-1)
	if p.r.Information != "none" {
		who, load = p.extreme(false)
	}
	if who < 0 || who == p.W.ID || own <= load+1 {
		return
	}
	n := int64(1)
	switch p.r.Amount {
	case "half":
		n = own / 2
	case "difference":
		n = (own - load) / 2
	}
	p.W.Give(who, int(n), Message{})
}

// giveEvenly gives the load above the mean to the workers below the mean.
func (p *own) giveEvenly() {
	mean := p.meanLoad()
	for k, j := range p.known {
		if over := p.ownLoad() - mean; over > 0 && p.reach.has(j) {
			p.W.Give(j, int(min(over, mean-p.load[k])), Message{})
		}
	}
}
