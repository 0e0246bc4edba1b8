package verify
import ("testing";"context";"fmt";"os";"strings";"emsim/em4";"encoding/csv";"strconv";"time")
func loadGold() [][]string { f,_ := os.Open("/work/shared/golden/003-em4.csv"); defer f.Close(); r,_ := csv.NewReader(f).ReadAll(); return r[1:] }
func rowsOf(s Setup003) string {
	b := newBench003(s); var sb strings.Builder
	ctx := context.Background()
	for _, l := range loadGold() {
		cond := map[string]string{"program": l[2], "policy": l[4], "mlpe": l[5]}
		r, _ := run003(cond)
		res, err := b.best(ctx, r)
		if l[6] == "outcome" { o, _ := outcome003(err); seg := 0; if err==nil {seg=res.SegmentsPeak}; fmt.Fprintf(&sb, " %s=%s/%d", strings.TrimPrefix(l[0],"x."), o, seg); continue }
		if err != nil { fmt.Fprintf(&sb, " %s=ERR(%v)", l[0], err); continue }
		v, _ := quantity003(l[6], res, s.Config.ClockNS)
		p, _ := strconv.ParseFloat(l[8], 64)
		if l[7] == "%" { fmt.Fprintf(&sb, " %s%+.1f", short(l[0]), v-p) } else if l[6]!="calls" { fmt.Fprintf(&sb, " %s*%.2f", short(l[0]), v/p) }
	}
	return sb.String()
}
func short(s string) string { s = strings.ReplaceAll(s, ".time", ""); s=strings.ReplaceAll(s,"static","s"); return strings.ReplaceAll(s, ".util", "u") }
func TestCal(t *testing.T) {
	for _, line := range strings.Split(os.Getenv("CAL"), ";") {
		s := Standard003(); s.Params = map[string]string{}
		for _, kv := range strings.Fields(line) {
			k, v, _ := strings.Cut(kv, "=")
			if strings.HasPrefix(k, "p.") { s.Params[k[2:]] = v } else if k=="seed" { n,_ := strconv.Atoi(v); s.Seed=uint64(n) } else if err := s.Config.Set(k, v); err != nil { t.Fatal(err) }
		}
		t0 := time.Now()
		fmt.Printf("[%s]%s  (%.1fs)\n", line, rowsOf(s), time.Since(t0).Seconds())
	}
	_ = em4.Config{}
}
