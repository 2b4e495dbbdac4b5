export * from './composability-request.ts';
export * from './composable-resource.ts';
export * from './conditions.ts';
export * from './device-type.ts';
export * from './failure.ts';
export * from './names.ts';
export * from './object-meta.ts';
export * from './operation.ts';
