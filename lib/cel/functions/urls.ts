import { structType } from '../cel-type';
import { CelError, CelOpaque, type CelValue, EntryMap } from '../values';
import type { CelFunction, FunctionTable } from './function';
import { type GoUrl, parseGoUrl, requestUriProblem } from './go-url';

const TYPE = structType('kubernetes.URL');

/** An absolute address or path, as Go's net/url takes it apart. */
export class CelUrl extends CelOpaque {
  readonly type = TYPE;

  constructor(
    readonly text: string,
    readonly url: GoUrl,
  ) {
    super();
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelUrl && other.text === this.text;
  }

  override toString(): string {
    return this.text;
  }
}

/** What Go's url.ParseRequestURI says of a text; undefined when it is fine. */
export const uriProblem = requestUriProblem;

function read([text]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string') return undefined;
  const problem = requestUriProblem(text);
  if (problem !== undefined) throw new CelError(`URL parse error during conversion from string: ${problem}`);
  return new CelUrl(text, parseGoUrl(text));
}

const part =
  (take: (url: GoUrl) => CelValue): CelFunction =>
  ([url]) =>
    url instanceof CelUrl ? take(url.url) : undefined;

function queryOf({ query }: GoUrl): CelValue {
  const found = new Map<string, string[]>();
  for (const [key, value] of query) found.set(key, [...(found.get(key) ?? []), value]);
  return new EntryMap(found);
}

/** Addresses of the web (apiserver cel/library URLs). */
export const URL_FUNCTIONS: FunctionTable = [
  ['url', read],
  ['isURL', ([text]) => (typeof text === 'string' ? requestUriProblem(text) === undefined : undefined)],
  ['getScheme', part(({ scheme }) => scheme)],
  ['getHost', part(({ host }) => host)],
  ['getHostname', part(({ hostname }) => hostname)],
  ['getPort', part(({ port }) => port)],
  ['getEscapedPath', part(({ path }) => path)],
  ['getQuery', part(queryOf)],
];
