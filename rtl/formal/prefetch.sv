// The prefetch register (MACHINE.md "The prefetch register"; paper 003, section 4.1).
module prefetch_bench (
    input logic clk
);
  (* anyseq *) logic            read, write, fill;
  (* anyseq *) emcr_pkg::data_t wdata, fdata;
  emcr_pkg::data_t rdata;
  logic [63:0]     probe;
  logic            rst;

  prefetch unit (.*);

  logic            begun_q = 0;
  emcr_pkg::data_t wanted_q = 0;     // what was written last and not read since
  always_ff @(posedge clk) begun_q <= 1;
  assign rst = !begun_q;
  always_ff @(posedge clk) if (begun_q) begin
    if (fill)       wanted_q <= fdata;
    else if (write) wanted_q <= wdata;
    else if (read) wanted_q <= 0;
  end

  always_comb begin
    assume (!(read && write));       // one instruction a clock
    if (begun_q) begin
      // P: it gives what was written last, once, and otherwise 0; a packet that fills it comes after the instruction of its clock; after reset it is empty [003 §4.1; MACHINE]
      assert (rdata == wanted_q);
      // P: it is full exactly while it has something to give
      assert (probe[0] == (wanted_q != 0));
    end
  end
endmodule
