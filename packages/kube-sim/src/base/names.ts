const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/u;
const LABEL_VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const NAME_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/u;
const NAME_PART_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/** What is wrong with a DNS subdomain, in the words of k8s.io/apimachinery/pkg/util/validation. */
export function subdomainFaults(name: string): readonly string[] {
  return [...tooLong(name, 253), ...(SUBDOMAIN.test(name) ? [] : [SUBDOMAIN_TEXT])];
}

/** What is wrong with the prefix of a generated name: it may end with a dash, as something follows. */
export function prefixFaults(prefix: string): readonly string[] {
  return subdomainFaults(prefix.replace(/-$/u, 'a'));
}

/** What is wrong with a label's value. */
export function labelValueFaults(value: string): readonly string[] {
  return [...tooLong(value, 63), ...(LABEL_VALUE.test(value) ? [] : [LABEL_VALUE_TEXT])];
}

/** What is wrong with the key of a label or an annotation, or with a finalizer: `name`, or `prefix/name`. */
export function qualifiedNameFaults(value: string): readonly string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name ${NAME_PART_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [prefix, name = ''] = parts.length === 2 ? parts : [undefined, value];
  const ofPrefix = prefix === undefined ? [] : prefix === '' ? ['must be non-empty'] : subdomainFaults(prefix);
  const ofName = name === '' ? ['must be non-empty'] : tooLong(name, 63);
  return [
    ...ofPrefix.map((text) => `prefix part ${text}`),
    ...[...ofName, ...(NAME_PART.test(name) ? [] : [NAME_PART_TEXT])].map((text) => `name part ${text}`),
  ];
}

function tooLong(text: string, max: number): readonly string[] {
  return text.length > max ? [`must be no more than ${String(max)} characters`] : [];
}
