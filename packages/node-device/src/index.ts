export * from './no-node-actions.ts';
export * from './node-actions.ts';
export * from './outcomes.ts';
export * from './resource-slice.ts';
export * from './slice-index.ts';
export * from './slice-visibility.ts';
export * from './visibility.ts';
