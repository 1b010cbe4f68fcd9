/**
 * What names, labels and annotations may look like, with the API server's own words for what is wrong (apimachinery
 * util/validation). Each check gives undefined when all is well.
 */

const NAME_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const DNS_LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_1035_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const NAME_PART_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** Everything wrong with a lowercase RFC 1123 subdomain (≤ 253 characters). */
export function subdomainProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > 253) problems.push('must be no more than 253 characters');
  if (!DNS_SUBDOMAIN.test(value)) problems.push(SUBDOMAIN_TEXT);
  return problems;
}

/** Everything wrong with a lowercase RFC 1123 label (≤ 63 characters). */
export function dnsLabelProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push('must be no more than 63 characters');
  if (!DNS_LABEL.test(value)) problems.push(value.includes('.') ? 'must not contain dots' : LABEL_TEXT);
  return problems;
}

/** Everything wrong with an RFC 1035 label (≤ 63 characters, first a letter). */
export function dnsLabel1035Problems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push('must be no more than 63 characters');
  if (!DNS_LABEL_1035.test(value)) problems.push(LABEL_1035_TEXT);
  return problems;
}

/** Everything wrong with a name that is one segment of a path (roles, bindings). */
export function pathSegmentProblems(value: string): string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].filter((char) => value.includes(char)).map((char) => `may not contain '${char}'`);
}

/** Everything wrong with `prefix/name`, the form of label keys, annotation keys and finalizers. */
export function qualifiedNameProblems(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name ${NAME_PART_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems: string[] = [];
  const name = parts.length === 2 ? (parts[1] ?? '') : (parts[0] ?? '');
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') problems.push('prefix part must be non-empty');
    else problems.push(...subdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 bytes');
  if (!NAME_PART.test(name)) problems.push(`name part ${NAME_PART_TEXT}`);
  return problems;
}

export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push('must be no more than 63 bytes');
  if (!LABEL_VALUE.test(value)) problems.push(LABEL_VALUE_TEXT);
  return problems;
}

/** The problems of a label key in one text, or undefined. */
export function labelKeyProblem(key: string): string | undefined {
  return joined(qualifiedNameProblems(key));
}

/** The problems of a label value in one text, or undefined. */
export function labelValueProblem(value: string): string | undefined {
  return joined(labelValueProblems(value));
}

function joined(problems: readonly string[]): string | undefined {
  return problems.length === 0 ? undefined : problems.join('; ');
}
