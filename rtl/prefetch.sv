// The special register mlpe: the continuation of one operand segment that is held ready for the next call
// (MACHINE.md "The prefetch register"; paper, section 4.1).
module prefetch (
    input  logic            clk,
    input  logic            rst,
    input  logic            read,     // rds: takes it out
    input  logic            write,    // wrs: 0 empties it
    input  emcr_pkg::data_t wdata,
    input  logic            fill,     // by a packet: after the instruction of the same clock
    input  emcr_pkg::data_t fdata,
    output emcr_pkg::data_t rdata,
    output logic [63:0]     probe
);
  logic            full_q;
  emcr_pkg::data_t value_q;

  assign rdata = full_q ? value_q : 32'd0;

  always_ff @(posedge clk) begin
    if (read)  full_q <= 1'b0;
    if (write) begin
      full_q  <= wdata != 32'd0;
      value_q <= wdata;
    end
    if (fill) begin
      full_q  <= fdata != 32'd0;
      value_q <= fdata;
    end
    if (rst) full_q <= 1'b0;
  end

  always_ff @(posedge clk) if (!rst) begin
    assert (!full_q || value_q != 32'd0);    // 0 says that there is nothing
  end

  assign probe = {31'd0, rdata, full_q};
endmodule
