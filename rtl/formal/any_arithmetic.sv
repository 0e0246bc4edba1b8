// Arithmetic that gives anything, for the benches of EXU and PE: nothing there depends on the values.
module alu (
    input  logic [5:0]      code,
    input  emcr_pkg::data_t a, b,
    output emcr_pkg::data_t result,
    output logic            taken
);
  (* anyseq *) emcr_pkg::data_t any;
  (* anyseq *) logic            goes;
  assign result = any;
  assign taken  = goes && table_pkg::branches(code);
endmodule

module divider (
    input  logic            clk, start, step,
    input  emcr_pkg::data_t a, b,
    output emcr_pkg::data_t quotient, remainder
);
  (* anyseq *) logic [63:0] any;
  assign {quotient, remainder} = any;
endmodule

module fpu (
    input  logic            enable,
    input  logic [5:0]      code,
    input  emcr_pkg::data_t a, b,
    output emcr_pkg::data_t result,
    output logic            less
);
  (* anyseq *) logic [32:0] any;
  assign {result, less} = any;
endmodule
