package inorder

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
)

// Many runs a test with n random cases instead of rapid's usual number.
func Many(t *testing.T, n string, test func(t *testing.T)) {
	usual := flag.Lookup("rapid.checks").Value.String()
	require.NoError(t, flag.Set("rapid.checks", n))
	defer func() { require.NoError(t, flag.Set("rapid.checks", usual)) }()
	test(t)
}
