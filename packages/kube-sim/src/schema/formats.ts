/** Formats that the API server checks (k8s.io/kube-openapi/pkg/validation/strfmt); others are only documentation. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/u,
  date: /^\d{4}-\d{2}-\d{2}$/u,
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/iu,
  ipv4: /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/u,
  mac: /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/iu,
  byte: /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u,
  duration: /^([+-]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+$/u,
  email: /^[^@\s]+@[^@\s]+$/u,
  uri: /^[a-z][a-z0-9+.-]*:\S*$/iu,
  hostname: /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/iu,
};

/** True when `value` has the format, or the format is none that is checked. */
export function hasFormat(value: string, format: string): boolean {
  const pattern = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return pattern === undefined || pattern.test(value);
}
