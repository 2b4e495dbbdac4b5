/** A random UUID (version 4) in the form that object uids have. */
export function newUid(random: () => number): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replaceAll(/[xy]/gu, (mark) => {
    const digit = Math.floor(random() * 16);
    return (mark === 'x' ? digit : (digit & 3) | 8).toString(16);
  });
}

/** Letters and digits that spell no words, as the API server uses them (k8s.io/apimachinery/pkg/util/rand). */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** The five characters that complete a generateName. */
export function randomSuffix(random: () => number): string {
  return Array.from({ length: 5 }, () => LETTERS.charAt(Math.floor(random() * LETTERS.length))).join('');
}
