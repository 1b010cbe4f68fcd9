/**
 * The string formats that a CustomResourceDefinition may ask for (kube-openapi strfmt). All patterns are constants of
 * this file and have no nested repetition.
 */

const IPV4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;
const IPV4_STRICT = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/;
/** One label with a hyphen in the second place only, or labels with dots and a name of letters at the end. */
const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}](-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|([a-zA-Z0-9\p{S}\p{L}]([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;
const UUID = (version: string, variant: string) =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i');
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[-+]\d\d:?\d\d)$/;
const DURATION = /^[-+]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))*$/;
const DURATION_WORDS =
  /^\d+\s*(ns|nanos?|us|µs|micros?|ms|millis?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)$/;

const CHECKS: { readonly [format: string]: (value: string) => boolean } = {
  'date-time': isDateTime,
  datetime: isDateTime,
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(value) && isDay(value),
  duration: (value) => value === '0' || DURATION.test(value) || DURATION_WORDS.test(value),
  email: (value) => /^[^\s@<>]+@[^\s@<>]+$/.test(value),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: (value) => isIpv6(value),
  cidr: isCidr,
  uri: isUri,
  uuid: (value) => UUID('[0-9a-f]', '[0-9a-f]').test(value),
  uuid3: (value) => UUID('3', '[0-9a-f]').test(value),
  uuid4: (value) => UUID('4', '[89ab]').test(value),
  uuid5: (value) => UUID('5', '[89ab]').test(value),
  byte: (value) => value !== '' && isBase64(value),
  mac: (value) => /^([0-9a-fA-F]{2}[:-]){5}([0-9a-fA-F]{2})$/.test(value),
  creditcard: (value) => /^[\d -]{13,23}$/.test(value),
  isbn: (value) => /^[\dX -]{10,17}$/.test(value),
  isbn10: (value) => /^[\dX -]{10,13}$/.test(value),
  isbn13: (value) => /^[\d -]{13,17}$/.test(value),
  ssn: (value) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(value),
  hexcolor: (value) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(value),
  rgbcolor: (value) => /^rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\)$/.test(value),
  bsonobjectid: (value) => /^[0-9a-f]{24}$/i.test(value),
  password: () => true,
  'k8s-short-name': (value) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(value),
  'k8s-long-name': (value) =>
    value.length <= 253 && /^[a-z0-9][-a-z0-9.]*$/.test(value) && !/[-.]$|\.[-.]|-\./.test(value),
};

/** False when the value does not have the format. Formats that nobody knows are met by everything. */
export function hasFormat(format: string, value: string): boolean {
  const check = Object.hasOwn(CHECKS, format) ? CHECKS[format] : undefined;
  return check === undefined || check(value);
}

/** True for a format of texts that the API server checks. */
export function hasKnownFormat(format: string): boolean {
  return Object.hasOwn(CHECKS, format);
}

/** True for RFC 3339 text with a real date. */
export function isDateTime(value: string): boolean {
  const match = DATE_TIME.exec(value);
  if (match === null) return false;
  const [, year, month, day, hour, minute, second] = match;
  return (
    isDayOf(Number(year), Number(month), Number(day)) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 61
  );
}

function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return isDayOf(year, month, day);
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDayOf(year: number, month: number, day: number): boolean {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && leap ? 29 : DAYS[month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

/** True for base64 in its standard alphabet, with padding. */
export function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}

/** True for `192.0.2.1`; leading zeros are refused. */
export function isIpv4(value: string): boolean {
  return IPV4_STRICT.test(value) && IPV4.test(value);
}

/** True for every writing of an IPv6 address, with an embedded IPv4 part but without a zone. */
export function isIpv6(value: string): boolean {
  const halves = value.split('::');
  if (halves.length > 2 || !value.includes(':')) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1);
  const embedded = last?.includes('.') === true;
  if (embedded && !isIpv4(last ?? '')) return false;
  const plain = embedded ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  const count = plain.length + (embedded ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

/** True for an address of either family. */
export function isIp(value: string): boolean {
  return isIpv4(value) || isIpv6(value);
}

/** True for `192.0.2.0/24` and its IPv6 likes. */
export function isCidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.split('/');
  if (rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(bits)) return false;
  return (isIpv4(address) && Number(bits) <= 32) || (isIpv6(address) && Number(bits) <= 128);
}

/** strfmt IsHostname, which is stricter than the names of hosts are. */
function isHostname(value: string): boolean {
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  return HOSTNAME.test(value) && bytes(value) <= 255 && value.split('.').every((label) => bytes(label) <= 63);
}

/** Go's url.ParseRequestURI: an absolute URI, or an absolute path. */
function isUri(value: string): boolean {
  if (/[\s\p{Cc}]/u.test(value)) return false;
  return value.startsWith('/') || /^[a-zA-Z][a-zA-Z0-9+.-]*:[^?#]/.test(value);
}
