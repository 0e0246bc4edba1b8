// The 16 registers of the EXU. A block's first instruction is fetched in the clock in which the EXU takes the
// node, so in that clock the operands are read from the node (ISA.md "Registers"; TIMING.md "The EXU").
module registers (
    input  logic             clk,
    input  logic             rst,
    input  logic             fire,       // a block begins: left, right and fp, and 0 in all others
    input  emcr_pkg::data_t  left, right, fp,
    input  logic [3:0]       a, b,
    output emcr_pkg::data_t  ra, rb,
    input  logic             we,
    input  logic [3:0]       d,
    input  emcr_pkg::data_t  wdata,
    output logic [8*64-1:0]  probe
);
  (* mem2reg *) emcr_pkg::data_t r_q [16];  // r_q[0] is always 0

  always_comb begin
    ra = r_q[a];
    rb = r_q[b];
    if (fire) begin
      case (a)
        4'd1:    ra = left;
        4'd2:    ra = right;
        4'd15:   ra = fp;
        default: ra = 32'd0;
      endcase
      case (b)
        4'd1:    rb = left;
        4'd2:    rb = right;
        4'd15:   rb = fp;
        default: rb = 32'd0;
      endcase
    end
  end

  always_ff @(posedge clk) begin
    if (rst || fire) begin
      for (int i = 0; i < 16; i++) r_q[i] <= 32'd0;
      if (!rst) begin
        r_q[1]  <= left;
        r_q[2]  <= right;
        r_q[15] <= fp;
      end
    end
    if (we && !rst && d != 4'd0) r_q[d] <= wdata;
  end

  always_ff @(posedge clk) if (!rst) begin
    assert (r_q[0] == 32'd0);
  end

  for (genvar i = 0; i < 8; i++) begin : pairs
    assign probe[64*i +: 64] = {r_q[2*i+1], r_q[2*i]};
  end
endmodule
