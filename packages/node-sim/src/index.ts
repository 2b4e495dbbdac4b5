export type { Api, ApiRequest, ApiResponse } from './api.ts';
export type { Delays } from './driver.ts';
export type { NodeSpec } from './node-object.ts';
export { createNodeSim, type NodeSim, type NodeSimOptions } from './node-sim.ts';
export type { Problem } from './retry.ts';
export { DRIVER, sliceName } from './slice-object.ts';
