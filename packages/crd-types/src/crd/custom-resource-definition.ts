import type { JsonSchemaProps } from './json-schema-props.ts';

/** A column that `kubectl get` shows. `priority` above 0: only with `-o wide`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** JSON path from the object's root, beginning with a dot. */
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

/** One served version of a CustomResourceDefinition. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: JsonSchemaProps };
  readonly subresources?: { readonly status: Readonly<Record<string, never>> };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
}

/** A CustomResourceDefinition of apiextensions.k8s.io/v1, ready to be applied. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
    };
    readonly scope: 'Cluster' | 'Namespaced';
    readonly versions: readonly CrdVersion[];
  };
}
