const FORM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NIL = /^[0-]+$/;

/**
 * Whether two texts are the same UUID, in whatever case. Firmware before SMBIOS 2.6 writes the first three fields with their
 * bytes the other way round, and Linux shows them as they stand: that counts as the same. A UUID of zeros is none.
 */
export function sameUuid(one: string, other: string): boolean {
  const a = one.trim().toLowerCase();
  const b = other.trim().toLowerCase();
  if (!FORM.test(a) || NIL.test(a)) return false;
  return a === b || swapped(a) === b;
}

function swapped(uuid: string): string {
  const [first = '', second = '', third = '', ...rest] = uuid.split('-');
  return [first, second, third].map(reversed).concat(rest).join('-');
}

function reversed(hex: string): string {
  return (hex.match(/../g) ?? []).reverse().join('');
}
