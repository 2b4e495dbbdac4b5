/**
 * A field selector for one value. What of the value would end it, and begin another requirement, is escaped (k8s.io/apimachinery/pkg/fields,
 * `EscapeValue`).
 */
export function fieldIs(path: string, value: string): string {
  return `${path}=${value.replaceAll(/[\\,=]/g, '\\$&')}`;
}
