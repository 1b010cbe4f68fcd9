import {
  dnsLabel1035Problems,
  dnsLabelProblems,
  labelValueProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from '@/lib/kube/label-syntax';
import { hasFormat } from '@/lib/schema/formats';
import { structType } from '../cel-type';
import { CelOpaque, CelOptional, type CelValue } from '../values';
import type { FunctionTable } from './function';
import { uriProblem } from './urls';

const TYPE = structType('kubernetes.NamedFormat');

/** A named format of strings. */
export class CelFormat extends CelOpaque {
  readonly type = TYPE;

  /** @param patternSize the length of the pattern that the cost is calculated with */
  constructor(
    readonly name: string,
    readonly patternSize: number,
    readonly problems: (text: string) => readonly string[],
  ) {
    super();
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelFormat && other.name === this.name;
  }
}

/** A prefix may end with a dash. */
const asPrefix = (problems: (text: string) => string[]) => (text: string) =>
  problems(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

const known = (format: string, problem: string) => (text: string) => (hasFormat(format, text) ? [] : [problem]);

const FORMATS: readonly (readonly [string, string, number, (text: string) => readonly string[]])[] = [
  ['dns1123Label', 'DNS1123Label', 30, dnsLabelProblems],
  ['dns1123Subdomain', 'DNS1123Subdomain', 60, subdomainProblems],
  ['dns1035Label', 'DNS1035Label', 30, dnsLabel1035Problems],
  ['qualifiedName', 'QualifiedName', 60, qualifiedNameProblems],
  ['dns1123LabelPrefix', 'DNS1123LabelPrefix', 30, asPrefix(dnsLabelProblems)],
  ['dns1123SubdomainPrefix', 'DNS1123SubdomainPrefix', 60, asPrefix(subdomainProblems)],
  ['dns1035LabelPrefix', 'DNS1035LabelPrefix', 30, asPrefix(dnsLabel1035Problems)],
  ['labelValue', 'LabelValue', 40, labelValueProblems],
  [
    ...(['uri', 'URI', 6644] as const),
    (text) => {
      const problem = uriProblem(text);
      return problem === undefined ? [] : [problem];
    },
  ],
  ['uuid', 'uuid', 104, known('uuid', 'does not match the UUID format')],
  ['byte', 'byte', 85, known('byte', 'invalid base64')],
  ['date', 'date', 204, known('date', 'invalid date')],
  ['datetime', 'datetime', 204, known('date-time', 'invalid datetime')],
];

const BY_NAME = new Map(FORMATS.map(([key, name, size, problems]) => [key, new CelFormat(name, size, problems)]));

function validate([format, text]: readonly CelValue[]): CelValue | undefined {
  if (!(format instanceof CelFormat) || typeof text !== 'string') return undefined;
  const problems = format.problems(text);
  return new CelOptional(problems.length === 0 ? undefined : problems);
}

/** `format.dns1123Label().validate(x)` and its siblings (apiserver cel/library Format). */
export const FORMAT_FUNCTIONS: FunctionTable = [
  ...[...BY_NAME].map(([key, format]) => [`format.${key}`, () => format] as const),
  ['format.named', ([name]) => (typeof name === 'string' ? new CelOptional(BY_NAME.get(name)) : undefined)],
  ['validate', validate],
];
