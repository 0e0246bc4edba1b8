package verify

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/ensemble"
)

// Every row of the MNC computer is ok.
func TestPaper000(t *testing.T) {
	rows := measured(t, "000")
	allOK(t, rows)
	var ids, want []string
	for _, r := range rows {
		require.Nil(t, r.Gap)
		ids = append(ids, r.ID)
	}
	for i := range 9 {
		want = append(want, fmt.Sprintf("000.exact.%d", i+1))
	}
	for i := range 12 {
		want = append(want, fmt.Sprintf("000.rel.%d", i+1))
	}
	require.Equal(t, want, ids)
}

// The rows can fail, and errors are returned.
func TestPaper000Fails(t *testing.T) {
	measure := paper000().New(context.Background(), ensemble.New(1), nil)
	v, err := measure(context.Background(), Claim{ID: "000.exact.4", Cond: map[string]string{
		"topology": "mnc", "pes": "16", "loops": "100", "items": "1999", "policy": "auto",
	}})
	require.NoError(t, err)
	require.False(t, Compare(Claim{Paper: "84901/8138", Rule: Exact}, v).OK)

	_, err = measure(context.Background(), Claim{ID: "000.exact.4", Cond: map[string]string{"pes": "x"}})
	require.ErrorContains(t, err, "column pes")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = measure(ctx, Claim{ID: "000.rel.7"})
	require.True(t, errors.Is(err, context.Canceled))
}
