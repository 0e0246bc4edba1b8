package df

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// childEnv holds the arguments for the test's program when it runs as a dataflow program.
const childEnv = "DF_ARGS"

func TestMain(m *testing.M) {
	if args, ok := os.LookupEnv(childEnv); ok {
		os.Args = append(os.Args[:1], strings.Fields(args)...)
		os.Stdout.WriteString(strconv.Itoa(int(Arg(1)) + int(Arg(2))))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A program gets the arguments of its command line; if one is missing, the program ends.
func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args     string
		exit     int
		out, err string
	}{
		{"60 -7", 0, "53", ""},
		{"60", 2, "", "argument 2 is missing: there are 1\n"},
		{"60 x", 2, "", "argument 2 is \"x\": expected a whole number from -2147483648 to 2147483647\n"},
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childEnv+"="+c.args)
		var out, err strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &err
		cmd.Run() //nolint:errcheck // the exit status shows it
		require.Equal(t, c.exit, cmd.ProcessState.ExitCode(), c.args)
		require.Equal(t, []string{c.out, c.err}, []string{out.String(), err.String()}, c.args)
	}
}

// An argument must be a 32-bit integer; otherwise the error says what is wrong.
func TestArg(t *testing.T) {
	list := []string{"pi", "60", "-2147483648", "x", "2147483648"}
	for i, want := range map[int]int32{1: 60, 2: -1 << 31} {
		n, err := arg(list, i)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	for i, want := range map[int]string{
		-1: "argument -1 is missing: there are 4", 0: "argument 0 is missing: there are 4",
		5: "argument 5 is missing: there are 4",
		3: `argument 3 is "x": expected a whole number from -2147483648 to 2147483647`,
		4: `argument 4 is "2147483648": expected a whole number from -2147483648 to 2147483647`,
	} {
		_, err := arg(list, i)
		require.EqualError(t, err, want)
	}
}
