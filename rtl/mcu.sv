// MCU, the memory control unit: who has the one memory port in this clock (TIMING.md "The memory port").
// It has no state.
module mcu (
    input  emcr_pkg::cfg_t  cfg,
    input  logic            rst,
    // IBU
    input  logic            ibu_request,
    output logic            ibu_port,
    input  logic            ibu_we,
    input  emcr_pkg::addr_t ibu_addr,
    input  emcr_pkg::word_t ibu_wdata,
    // EXU
    input  logic            exu_request, exu_idle,
    output logic            exu_port,
    input  logic            exu_en, exu_we,
    input  emcr_pkg::addr_t exu_addr,
    input  emcr_pkg::word_t exu_wdata,
    // FMU
    output logic            fmu_port,
    input  logic            fmu_en, fmu_we, fmu_tag_we,
    input  emcr_pkg::addr_t fmu_addr,
    input  emcr_pkg::word_t fmu_wdata,
    input  logic [1:0]      fmu_wtag,
    // memory
    output logic            mem_en, mem_we, mem_tag_we,
    output emcr_pkg::addr_t mem_addr,
    output emcr_pkg::word_t mem_wdata,
    output logic [1:0]      mem_wtag
);
  assign ibu_port = ibu_request && (cfg.spill_interrupts || !exu_request || exu_idle);
  assign exu_port = exu_request && !ibu_port;
  assign fmu_port = !ibu_port && !exu_port;

  // Only the FMU writes tags. Nothing is written in reset, when the units' registers have no values yet.
  always_comb begin
    mem_tag_we = 1'b0;
    if (ibu_port) begin
      mem_en    = 1'b1;
      mem_we    = ibu_we;
      mem_addr  = ibu_addr;
      mem_wdata = ibu_wdata;
    end else if (exu_port) begin
      mem_en    = exu_en;
      mem_we    = exu_we;
      mem_addr  = exu_addr;
      mem_wdata = exu_wdata;
    end else begin
      mem_en     = fmu_en;
      mem_we     = fmu_we;
      mem_addr   = fmu_addr;
      mem_wdata  = fmu_wdata;
      mem_tag_we = fmu_en && fmu_tag_we;
    end
    if (rst) begin
      mem_en     = 1'b0;
      mem_we     = 1'b0;
      mem_tag_we = 1'b0;
    end
  end
  assign mem_wtag = fmu_wtag;

  logic unused;
  assign unused = &{1'b0, cfg};
endmodule
