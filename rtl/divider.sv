// Divides one bit a clock (TIMING.md "Instructions": div and rem take 32 clocks). The first step is made in the
// clock in which the instruction is fetched, the last one in the clock in which the result is written.
module divider (
    input  logic            clk,
    input  logic            start,
    input  emcr_pkg::data_t a, b,         // in the clock of start
    input  logic            step,
    output emcr_pkg::data_t quotient,     // after this clock's step, as an instruction wants it
    output emcr_pkg::data_t remainder
);
  emcr_pkg::data_t rest_q, bits_q;        // bits of the dividend to come, above those of the quotient
  emcr_pkg::data_t divisor_q;
  logic            negate_quotient_q, negate_remainder_q;

  emcr_pkg::data_t rest, bits, divisor;
  always_comb begin
    if (start) begin
      rest    = 32'd0;
      bits    = a[31] ? -a : a;
      divisor = b[31] ? -b : b;
    end else begin
      rest    = rest_q;
      bits    = bits_q;
      divisor = divisor_q;
    end
  end

  logic [32:0]     tried, difference;
  emcr_pkg::data_t rest_d, bits_d;
  assign tried      = {rest, bits[31]};
  assign difference = tried - {1'b0, divisor};
  assign rest_d     = difference[32] ? tried[31:0] : difference[31:0];
  assign bits_d     = {bits[30:0], !difference[32]};

  always_ff @(posedge clk) begin
    if (start || step) begin
      rest_q <= rest_d;
      bits_q <= bits_d;
    end
    if (start) begin
      divisor_q <= divisor;
      // By 0 all bits of the quotient are 1, which is the -1 that is wanted whatever the dividend's sign.
      negate_quotient_q  <= a[31] != b[31] && b != 32'd0;
      negate_remainder_q <= a[31];
    end
  end

  assign quotient  = negate_quotient_q ? -bits_d : bits_d;
  assign remainder = negate_remainder_q ? -rest_d : rest_d;
endmodule
