/**
 * Where a device stands, by CM's word for it.
 *
 * - `there`: attached. `removeFailed`: attached still, as its removal failed.
 * - `coming`, `leaving`: under way.
 * - `addFailed`: not attached, and will not be.
 * - `gone`: no longer attached.
 * - `unclear`: a word that is not known. Nothing is built on it.
 */
export type Stage = 'there' | 'coming' | 'addFailed' | 'leaving' | 'removeFailed' | 'gone' | 'unclear';

/**
 * The words that are recorded are ADD_COMPLETE, ADD_FAILED and REMOVE_FAILED (go-operator-tests.md, section 2.2). Those in progress are
 * not, so they are known by how they begin.
 */
export function stageOf(status: string | undefined): Stage {
  switch (status) {
    case 'ADD_COMPLETE':
      return 'there';
    case 'ADD_FAILED':
      return 'addFailed';
    case 'REMOVE_FAILED':
      return 'removeFailed';
    case 'REMOVE_COMPLETE':
      return 'gone';
    default:
      if (/^ADD/.test(status ?? '')) return 'coming';
      return /^REMOV/.test(status ?? '') ? 'leaving' : 'unclear';
  }
}
