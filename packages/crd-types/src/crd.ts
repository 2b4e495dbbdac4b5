export { CrdError } from './crd/crd-error.ts';
export type { CrdVersion, CustomResourceDefinition, PrinterColumn } from './crd/custom-resource-definition.ts';
export { defineCrd, type CrdDefinition } from './crd/define-crd.ts';
export type { JsonSchemaProps } from './crd/json-schema-props.ts';
export { composabilityRequestCrd, composableResourceCrd, crds } from './crd/manifests.ts';
export { toStructural } from './crd/structural.ts';
