package balance

import (
	"fmt"
	"strconv"
	"strings"
)

// csvHeader are the columns of CSV.
const csvHeader = "scheme,workload,n,grain,mean,sd,worst,validated,seeds,regret,moved,messages,probes,overhead,starved,deviation,na\n"

// CSV is the rows as a table, with four digits: enough to see a change, few
// enough to be read.
func CSV(rows []Row) string {
	var b strings.Builder
	b.WriteString(csvHeader)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	for i := range rows {
		r := &rows[i]
		known := ""
		if r.Validated != nil {
			known = strconv.FormatBool(*r.Validated)
		}
		if r.NA != nil {
			fmt.Fprintf(&b, "%s,%s,%d,%d,,,,%s,%d,,,,,,,,%s\n", r.Scheme, r.Workload, r.N, r.Grain, known, r.Seeds, strings.ReplaceAll(*r.NA, ",", ";"))
			continue
		}
		regret := ""
		if r.Regret != nil {
			regret = number(*r.Regret)
		}
		fmt.Fprintf(&b, "%s,%s,%d,%d,%s,%s,%s,%s,%d,%s,%s,%s,%s,%s,%s,%s,\n", r.Scheme, r.Workload, r.N, r.Grain,
			number(*r.Mean), number(*r.SD), number(*r.Worst), known, r.Seeds, regret,
			number(r.Moved), number(r.Messages), number(r.Probes), number(r.Overhead), number(r.Starved), number(r.Deviation))
	}
	return b.String()
}
