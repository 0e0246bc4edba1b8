// Package slurm lets Slurm run a sweep: the shares of its plan as the tasks of
// an array, and after them a job that makes the table.
//
//	                      sbatch             squeue
//	Sweep ──► Submit ──────────────► Slurm ──────────────► Look ──► State
//	          missing shares that           │
//	          are not in the queue          ▼
//	                        task I: emsim sweep --share I/N
//	                        last:   emsim sweep --collect
//
//	submit.go   what is queued, in which order, and the name under which Slurm knows a store
//	options.go  what the jobs run, and the arguments of sbatch: the user's and ours
//	queue.go    what Slurm knows of the jobs, and how its commands are called
//
// The package decides nothing about points. A share that runs twice, never, or
// half costs time but no result: package sweep sees to that. So nothing here
// has to be exact, and nothing is kept about single jobs: Slurm is asked.
package slurm
