/** Suffixes of Kubernetes quantities: decimal, binary, and `n`, `u`, `m` for parts of one. */
const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const QUANTITY = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/;

/** The number that a Kubernetes quantity (`500m`, `16Gi`, `1e3`) stands for; 0 for a text that is none. */
export function parseQuantity(text: string | undefined): number {
  const match = text === undefined ? null : QUANTITY.exec(text);
  if (match === null) return 0;
  const value = Number(match[1]) * (FACTORS[match[2] ?? ''] ?? 1);
  return Number.isFinite(value) ? value : 0;
}
