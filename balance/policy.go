package balance

// Agent is one worker's part of a policy: five hooks, called by the world. It knows only what its Worker and received
// messages tell it. The costs of the Worker's methods depend on the fabric.
type Agent interface {
	// Born returns the worker that a unit born here goes to; the worker's own number keeps it here. k is the unit's
	// index, from 0: among its siblings in a tree, among all units of a graph, otherwise among the units born here.
	Born(k int) int
	// Done is called after the worker has finished a unit, or a part of one.
	Done()
	// Idle is called once when the worker has nothing more to run.
	Idle()
	// Timer is called when a timer set by After expires. In a loop it is also called, with the key Barrier, at the
	// beginning of each round except the first.
	Timer(key int)
	// Message is called when the worker has read a message. The message's units are already in the queue.
	Message(m *Message)
}

// Barrier is the key of the Timer hook at a barrier.
const Barrier = -1

// Message is a message from one worker to another.
type Message struct {
	From, To int
	Kind     int     // used by the policy
	A, B     int64   // used by the policy
	Data     []int64 // used by the policy; not changed after sending

	kind    kind
	units   []int32
	reports []report // used by a periodic policy
	unit    int32    // of data: the edge; of a result: the parent; of a request or grant: the waiting unit
	path    []int32  // remaining links
	spilt   bool     // the message was spilt into memory
	sent    int64    // when the message left
}

// kind tells the simulator how to handle a message.
type kind uint8

const (
	plain   kind = iota // units, or data for the policy
	probe               // information about load
	data                // message between units of a graph
	request             // request for a free place for a unit
	grant               // answer to a request
	result              // result of a unit: for its parent in a tree, otherwise on its way out of the machine
)

// Units returns the number of units in the message.
func (m *Message) Units() int { return len(m.units) }

// Policy is a load balancing policy, or a bound on all policies.
type Policy struct {
	Name   string
	Paper  string // the paper that describes it; "" for other policies
	Title  string // one line
	Only   string // the one shape of workload for which it is defined; "" for all
	Decide Choice // what its decisions depend on
	Free   bool   // a bound: messages and moves cost nothing
	New    func(w *Worker) Agent

	ideal *ideal // rule of a bound, which replaces the policies' decisions
}

// Choice describes the four parts of a policy, in the words of docs/BALANCE.md.
type Choice struct{ Information, Trigger, Amount, Range string }

// Hooks does nothing in every hook, and keeps every unit where it is born. An agent can embed it and define only the
// hooks that it needs.
type Hooks struct{ W *Worker }

// Born keeps the unit at the worker.
func (h Hooks) Born(int) int { return h.W.ID }

// Done does nothing.
func (Hooks) Done() {}

// Idle does nothing.
func (Hooks) Idle() {}

// Timer does nothing.
func (Hooks) Timer(int) {}

// Message does nothing.
func (Hooks) Message(*Message) {}
