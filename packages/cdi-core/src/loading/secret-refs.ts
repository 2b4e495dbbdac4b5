import type { SecretRef } from '../contract/host.ts';

const MARK = 'x-cro-secret';

/** Every key of a Secret that a configuration refers to: what the host has to watch. */
export function secretRefs(schema: unknown, config: unknown): readonly SecretRef[] {
  if (!isRecord(schema)) return [];
  if (schema[MARK] === true) return isSecretRef(config) ? [{ name: config.name, key: config.key }] : [];
  const properties = schema['properties'];
  if (!isRecord(properties) || !isRecord(config)) return [];
  return Object.entries(properties).flatMap(([name, property]) => secretRefs(property, config[name]));
}

function isSecretRef(value: unknown): value is SecretRef {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['key'] === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
