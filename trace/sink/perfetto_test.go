package sink

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"slices"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"emsim/internal/dev/vcdread"
	"emsim/trace"
)

// fields is a decoded message: varints and fixed64s as numbers, other values as bytes.
type fields struct {
	number map[protowire.Number][]uint64
	bytes  map[protowire.Number][][]byte
}

// whole fails the test if n shows that the bytes were not a field or a value. (It does not use require, which is slow:
// whole is called a million times.)
func whole(t *testing.T, n int) {
	if n < 0 {
		t.Fatal(protowire.ParseError(n))
	}
}

func decode(t *testing.T, b []byte) fields {
	t.Helper()
	f := fields{map[protowire.Number][]uint64{}, map[protowire.Number][][]byte{}}
	for len(b) > 0 {
		field, kind, n := protowire.ConsumeTag(b)
		whole(t, n)
		b = b[n:]
		switch kind {
		case protowire.VarintType:
			v, n := protowire.ConsumeVarint(b)
			whole(t, n)
			f.number[field], b = append(f.number[field], v), b[n:]
		case protowire.Fixed64Type:
			v, n := protowire.ConsumeFixed64(b)
			whole(t, n)
			f.number[field], b = append(f.number[field], v), b[n:]
		case protowire.BytesType:
			v, n := protowire.ConsumeBytes(b)
			whole(t, n)
			f.bytes[field], b = append(f.bytes[field], v), b[n:]
		default:
			t.Fatalf("field %d has type %d", field, kind)
		}
	}
	return f
}

func (f fields) one(n protowire.Number) uint64 {
	if len(f.number[n]) != 1 {
		return 0
	}
	return f.number[n][0]
}

func (f fields) text(n protowire.Number) string {
	if len(f.bytes[n]) != 1 {
		return ""
	}
	return string(f.bytes[n][0])
}

// pfEvent is a track event of a file.
type pfEvent struct {
	at      uint64
	kind    uint64
	track   uint64
	name    string
	value   uint64
	packet  string   // annotation
	through []uint64 // flows
	ending  []uint64
}

// inflate returns the file with its packets uncompressed.
func inflate(t *testing.T, file []byte) (plain []byte) {
	t.Helper()
	for _, p := range decode(t, file).bytes[tracePacket] {
		require.Less(t, len(p), 512_000) // the limit in perfetto/trace/trace_packet.proto
		group := decode(t, p)
		require.Len(t, group.bytes[packetCompressed], 1)
		r, err := zlib.NewReader(bytes.NewReader(group.bytes[packetCompressed][0]))
		require.NoError(t, err)
		b, err := io.ReadAll(r)
		require.NoError(t, err)
		plain = append(plain, b...)
	}
	return plain
}

// readPerfetto parses a file. It returns the names of tracks with their process in front, and the events in the order
// in which a viewer sorts them.
func readPerfetto(t *testing.T, data []byte) (tracks map[uint64]string, list []pfEvent) {
	t.Helper()
	tracks = map[uint64]string{}
	interned := map[protowire.Number]map[uint64]string{internedNames: {}, internedAnnotations: {}, internedStrings: {}}
	for i, p := range decode(t, inflate(t, data)).bytes[tracePacket] {
		f := decode(t, p)
		if f.one(packetSequence) != 1 || (i == 0) != (f.one(packetFlags) == stateCleared) {
			t.Fatal(i, f)
		}
		for _, n := range f.bytes[packetInterned] {
			for kind, list := range decode(t, n).bytes {
				for _, b := range list {
					entry := decode(t, b)
					require.NotContains(t, interned[kind], entry.one(internedIID))
					interned[kind][entry.one(internedIID)] = entry.text(internedText)
				}
			}
		}
		for _, d := range f.bytes[packetTrack] {
			track := decode(t, d)
			name := track.text(trackName)
			if process := track.bytes[trackProcess]; len(process) > 0 {
				name = decode(t, process[0]).text(processName)
			} else {
				parent := tracks[track.one(trackParent)]
				require.NotEmpty(t, parent)
				name = parent + " " + name
			}
			require.NotContains(t, tracks, track.one(trackUUID))
			tracks[track.one(trackUUID)] = name
		}
		for _, e := range f.bytes[packetTrackEvent] {
			g := decode(t, e)
			x := pfEvent{
				at: f.one(packetTimestamp), kind: g.one(eventType), track: g.one(eventTrack),
				name:  interned[internedNames][g.one(eventNameIID)],
				value: g.one(eventCounter), through: g.number[eventFlow], ending: g.number[eventFlowEnd],
			}
			for _, b := range g.bytes[eventAnnotations] {
				if a := decode(t, b); len(a.number) > 0 {
					require.Equal(t, "packet", interned[internedAnnotations][a.one(annotationNameIID)])
					x.packet = interned[internedStrings][a.one(annotationStringIID)]
				}
			}
			if packets, named := len(x.through)+len(x.ending) > 0, x.kind == sliceBegin ||
				x.kind == instant; tracks[x.track] == "" || packets != (x.packet != "") || named != (x.name != "") {
				t.Fatalf("%+v", x)
			}
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b pfEvent) int { return int(a.at) - int(b.at) })
	return tracks, list
}

// processes returns the number of processes that the tracks belong to.
func processes(tracks map[uint64]string) int {
	n := 0
	for _, name := range tracks {
		if regexp.MustCompile(`^PE \[\d+,\d+\]$`).MatchString(name) {
			n++
		}
	}
	return n
}

// The file is read back. It has one process per PE, slices that nest and close, counters with the levels, and flows
// from the send to the block.
func TestPerfettoReadsBack(t *testing.T) {
	jobs(t, func(t *testing.T, all *events, info trace.Info) {
		tracks, list := readPerfetto(t, write(t, "perfetto", all, info))
		whole := len(info.Traced) == len(info.PEs)
		require.Equal(t, len(info.Traced), processes(tracks))

		open := map[uint64]int{}
		blocks := map[string]int{}     // by name: number of the EXU's blocks
		flows := map[uint64][]uint64{} // tracks through which a flow leads
		ended := map[uint64]bool{}
		counts := map[string][]vcdread.Change{}
		for _, e := range list {
			switch e.kind {
			case sliceBegin:
				if open[e.track] == 0 && e.track%uuidStep == uint64(trackEXU) && len(e.ending) > 0 {
					blocks[e.name]++
				}
				open[e.track]++
			case sliceEnd:
				open[e.track]--
				require.GreaterOrEqual(t, open[e.track], 0, "%s at %d", tracks[e.track], e.at)
			case counter:
				counts[tracks[e.track]] = append(counts[tracks[e.track]],
					vcdread.Change{At: e.at, Value: string(rune(e.value))})
			}
			for _, f := range append(e.through, e.ending...) {
				require.False(t, ended[f], "a flow goes on behind its end")
				flows[f] = append(flows[f], e.track%uuidStep)
			}
			for _, f := range e.ending {
				ended[f] = true
			}
		}
		for track, n := range open {
			require.Zero(t, n, tracks[track])
		}
		want := map[string]int{}
		for i := range all.list {
			e := &all.list[i]
			switch {
			case e.Kind == trace.Begun && e.Packet.Seq != 0:
				want[info.Where(e.PC)]++
			case e.Kind == trace.Levelled:
				name := "PE " + info.PEs[e.PE].String() + " " + levelTracks[e.Level][0]
				require.NotEmpty(t, counts[name])
				require.Equal(t, vcdread.Change{At: e.Clock, Value: string(rune(e.Value))}, counts[name][0])
				counts[name] = counts[name][1:]
			case e.Kind == trace.Made && whole:
				way := flows[flowID(trace.IDOf(&e.Packet))]
				require.EqualValues(t, trackEXU, way[0])
				require.EqualValues(t, trackSlot+trace.OwnSlot, way[1])
				require.True(t, ended[flowID(trace.IDOf(&e.Packet))])
				if e.Packet.FillsPrefetch() {
					require.EqualValues(t, trackIBU, way[len(way)-1])
				} else if !e.Packet.ToHost {
					require.Contains(t, way, uint64(trackIBU))
					require.Contains(t, way, uint64(trackFMU))
					require.EqualValues(t, trackEXU, way[len(way)-1])
				}
			}
		}
		require.Equal(t, want, blocks)
		for name, rest := range counts {
			require.Empty(t, rest, name)
		}
	})
}

// Instants show the packet as it is at that clock, even after a switch has rewritten it.
func TestPerfettoShowsPackets(t *testing.T) {
	jobs(t, func(t *testing.T, all *events, info trace.Info) {
		_, list := readPerfetto(t, write(t, "perfetto", all, info))
		var got, want []string
		for _, e := range list {
			if e.kind == instant {
				got = append(got, e.packet)
			}
		}
		for i := range all.list {
			switch e := &all.list[i]; e.Kind {
			case trace.Made, trace.Queued, trace.Spilled, trace.Refilled, trace.Filled, trace.Rewritten, trace.Left:
				want = append(want, info.PacketName(trace.IDOf(&e.Packet))+" "+content(&e.Packet))
			}
		}
		require.Equal(t, want, got)
	})
}

// The outer slices of EXU and FMU last as long as their blocks and operands.
func TestPerfettoSlices(t *testing.T) {
	for _, j := range []job{add(t), fib(t)} {
		all, info := j.record(t)
		_, list := readPerfetto(t, write(t, "perfetto", all, info))
		got, depth, since := map[uint64][][2]uint64{}, map[uint64]int{}, map[uint64]uint64{}
		counted := map[uint64]bool{}
		for _, e := range list {
			switch e.kind {
			case sliceBegin:
				if len(e.through)+len(e.ending) > 0 { // neither a wait nor an instruction
					require.Zero(t, depth[e.track])
					since[e.track], counted[e.track] = e.at, true
				}
				depth[e.track]++
			case sliceEnd:
				if depth[e.track]--; depth[e.track] == 0 && counted[e.track] {
					got[e.track] = append(got[e.track], [2]uint64{since[e.track], e.at})
					counted[e.track] = false
				}
			}
		}
		want, begun := map[uint64][][2]uint64{}, map[uint64]uint64{}
		for i := range all.list {
			e := &all.list[i]
			track := uuid(e.PE, 1+int(e.Unit))
			switch {
			case e.Kind == trace.Taken || e.Kind == trace.Begun:
				begun[track] = e.Clock
			case e.Kind == trace.Stored || e.Kind == trace.Ended || e.Kind == trace.Changed && e.Status == trace.Fire:
				want[track] = append(want[track], [2]uint64{begun[track], e.Clock + 1})
			}
		}
		require.NotEmpty(t, want)
		for track := range want {
			require.Equal(t, want[track], got[track], "track %d", track)
		}
	}
}

// An independent protobuf library reads the file with the messages in testdata, and finds no unknown fields.
func TestPerfettoDecodes(t *testing.T) {
	compiler := protocompile.Compiler{Resolver: &protocompile.SourceResolver{ImportPaths: []string{"testdata"}}}
	files, err := compiler.Compile(t.Context(), "perfetto.proto")
	require.NoError(t, err)
	message := files[0].FindDescriptorByName("perfetto.protos.Trace").(protoreflect.MessageDescriptor)

	all, info := fib(t).record(t)
	file := write(t, "perfetto", all, info)
	require.NoError(t, proto.Unmarshal(file, dynamicpb.NewMessage(message)))
	read := dynamicpb.NewMessage(message)
	info.Recipe = "how it was made"
	about, ok := bytes.CutSuffix(write(t, "perfetto", all, info), file)
	require.True(t, ok, "a packet in front of the others")
	require.NoError(t, proto.Unmarshal(about, read))
	require.Regexp(t, `^packet:\{chrome_events:\{metadata:\{name:"recipe" +string_value:"how it was made"\}\}\}$`,
		prototext.MarshalOptions{}.Format(read))
	require.NoError(t, proto.Unmarshal(inflate(t, file), read))
	require.NoError(t, protorange.Range(read, func(v protopath.Values) error {
		if m, ok := v.Index(-1).Value.Interface().(protoreflect.Message); ok {
			require.Empty(t, m.GetUnknown(), "an unknown field in %v", v.Path)
		}
		return nil
	}))
	out := prototext.MarshalOptions{Multiline: true}.Format(read)
	require.Regexp(t, `process_name: +"PE \[3,2\]"`, out)
	require.Contains(t, out, "TYPE_SLICE_BEGIN")
	require.Contains(t, out, "terminating_flow_ids")
}
