import './main/small-heap.ts';
export { operatorMain } from './main/operator-main.ts';
export { webhookMain } from './main/webhook-main.ts';
export { endProcess } from './main/end-process.ts';
