package balance

import (
	"fmt"
	"strconv"
	"strings"
)

// csvHeader are the columns of CSV.
const csvHeader = "scheme,workload,n,grain,mean,low,high,sd,worst,validated,check,seeds,regret,regret_low,regret_high,tie,moved,messages,probes,overhead,starved,deviation,response,response_low,response_high,p50,p95,p99,na\n"

func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// orNone is a number that may be missing.
func orNone(x *float64) string {
	if x == nil {
		return ""
	}
	return number(*x)
}

// orEmpty is a truth that may be missing.
func orEmpty(x *bool) string {
	if x == nil {
		return ""
	}
	return strconv.FormatBool(*x)
}

// CSV is the rows as a table, with four digits: enough to see a change, few
// enough to be read.
func CSV(rows []Row) string {
	var b strings.Builder
	b.WriteString(csvHeader)
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(&b, "%s,%s,%d,%d,%s,%s,%s,%s,%s,%s,%s,%d,%s,%s,%s,%s", r.Scheme, r.Workload, r.N, r.Grain,
			orNone(r.Mean), orNone(r.Low), orNone(r.High), orNone(r.SD), orNone(r.Worst), orEmpty(r.Validated), orNone(r.Check), r.Seeds,
			orNone(r.Regret), orNone(r.RegLow), orNone(r.RegHigh), orEmpty(r.Tie))
		if r.NA != nil {
			fmt.Fprintf(&b, ",,,,,,,,,,,,,%s\n", strings.ReplaceAll(*r.NA, ",", ";"))
			continue
		}
		fmt.Fprintf(&b, ",%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,\n",
			number(r.Moved), number(r.Messages), number(r.Probes), number(r.Overhead), number(r.Starved), number(r.Deviation),
			orNone(r.Response), orNone(r.RespLow), orNone(r.RespHigh), orNone(r.P50), orNone(r.P95), orNone(r.P99))
	}
	return b.String()
}
