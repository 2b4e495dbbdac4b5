/** 64 bits of `random` as 16 hexadecimal digits: unique enough to find the log lines of one run. */
export function reconcileId(random: () => number): string {
  return hex32(random) + hex32(random);
}

function hex32(random: () => number): string {
  return Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
