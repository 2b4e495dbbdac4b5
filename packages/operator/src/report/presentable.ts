import { cleanText } from '@cro/cdi-core';
import type { ComposableResourceStatus } from '@cro/crd-types';

/** Longest message, in characters. Ours are shorter. */
const LONGEST = 2_048;

/**
 * A status in which no text can break a line, steer a terminal or fill the object, whoever had a hand in it: a fabric, a provider of somebody's
 * own, a node, another part of the cluster. Events tell the same texts.
 */
export function presentable(status: ComposableResourceStatus): ComposableResourceStatus {
  const { error, conditions } = status;
  return {
    ...status,
    ...(error !== undefined && { error: cleanText(error, LONGEST) }),
    ...(conditions !== undefined && {
      conditions: conditions.map((one) => ({ ...one, message: cleanText(one.message, LONGEST) })),
    }),
  };
}
