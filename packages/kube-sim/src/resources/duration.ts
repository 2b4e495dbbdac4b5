const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** How long ago, in the short form of kubectl (k8s.io/apimachinery/pkg/util/duration.HumanDuration). */
export function humanDuration(ms: number): string {
  const whole = (unit: number) => Math.floor(ms / unit);
  const pair = (unit: number, name: string, smaller: number, smallerName: string) => {
    const rest = Math.floor((ms % unit) / smaller);
    return `${String(whole(unit))}${name}${rest === 0 ? '' : `${String(rest)}${smallerName}`}`;
  };
  if (ms < -2 * SECOND) return '<invalid>';
  if (ms < 0) return '0s';
  if (ms < 2 * MINUTE) return `${String(whole(SECOND))}s`;
  if (ms < 10 * MINUTE) return pair(MINUTE, 'm', SECOND, 's');
  if (ms < 3 * HOUR) return `${String(whole(MINUTE))}m`;
  if (ms < 8 * HOUR) return pair(HOUR, 'h', MINUTE, 'm');
  if (ms < 2 * DAY) return `${String(whole(HOUR))}h`;
  if (ms < 8 * DAY) return pair(DAY, 'd', HOUR, 'h');
  if (ms < 2 * YEAR) return `${String(whole(DAY))}d`;
  if (ms < 8 * YEAR) return pair(YEAR, 'y', DAY, 'd');
  return `${String(whole(YEAR))}y`;
}

/** The age of a timestamp. */
export function age(time: string | undefined, now: number): string {
  const then = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now - then);
}
