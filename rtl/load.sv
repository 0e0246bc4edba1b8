// The load value, four bits (MACHINE.md "The load value"; paper, figure 3). FIFO and MIB count packets of two
// words; the figure counts words. A packet in execution counts with those in the FIFO, if the strap says so.
module load (
    input  logic [12:0] segs_free,
    input  logic [15:0] strs_free,
    input  logic [7:0]  fifo_count,
    input  logic [16:0] mib_count,
    input  logic        executing,   // FMU or EXU work on a packet, and the load counts it
    output logic [3:0]  value
);
  logic [8:0] packets;
  assign packets = {1'b0, fifo_count} + {8'd0, executing};

  always_comb begin
    if      (segs_free < 13'd8 || strs_free < 16'd22) value = 4'd15;
    else if (mib_count >= 17'd2048)                   value = 4'd15;
    else if (mib_count >= 17'd128)                    value = 4'd12;
    else if (mib_count != 17'd0)                      value = 4'd4 + {1'b0, mib_count[6:4]};
    else if (packets >= 9'd8)                         value = 4'd3;
    else if (packets >= 9'd4)                         value = 4'd2;
    else if (packets != 9'd0)                         value = 4'd1;
    else                                              value = 4'd0;
  end
endmodule
