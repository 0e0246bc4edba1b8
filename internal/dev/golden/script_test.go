package golden

import (
	"strings"
	"testing"
)

func TestRunScript(t *testing.T) {
	echo := func(c Case) string {
		s := c.Cmd
		for _, a := range c.Args {
			s += " " + a.Key + ":" + a.Value
		}
		return s + "/" + strings.Join(c.Input, "/") + "\n"
	}
	text := "# purpose\nsay a=1 b\nx\n\ny\n----\nold\noutput\n\n\n# next\nsay\n----\n"
	want := "# purpose\nsay a=1 b\nx\n\ny\n----\nsay a:1 b:/x//y\n\n\n# next\nsay\n----\nsay/\n"
	got, err := runScript("f", text, echo)
	if err != nil || got != want {
		t.Fatalf("%v, got:\n%s", err, got)
	}
	again, err := runScript("f", got, echo)
	if err != nil || again != got {
		t.Fatalf("not stable: %v, got:\n%s", err, again)
	}
	if _, err = runScript("f", "say\nx\n", echo); err == nil || !strings.Contains(err.Error(), "f:1") {
		t.Fatal(err)
	}
	if _, err = runScript("f", "say\n----\n", func(Case) string { return "a\n\nb" }); err == nil {
		t.Fatal("a blank line in the output would end it")
	}
}
