import { escapedPath, type ParsedUrl, parseRequestUri, queryPairs, splitHost, UrlError } from '@/lib/net/go-url';
import { toBytes, toLooseText } from '@/lib/template/value/bytes';
import { structType } from '../cel-type';
import { CelError, CelOpaque, type CelValue, EntryMap } from '../values';
import type { CelFunction, FunctionTable } from './function';

const TYPE = structType('kubernetes.URL');

/** An absolute URL or path. The parts of `url` are byte strings. */
export class CelUrl extends CelOpaque {
  readonly type = TYPE;

  constructor(
    readonly text: string,
    readonly url: ParsedUrl,
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

/** The error message of Go's url.ParseRequestURI; undefined when it accepts the text. */
export function uriProblem(text: string): string | undefined {
  const url = parse(text);
  return typeof url === 'string' ? url : undefined;
}

function parse(text: string): ParsedUrl | string {
  try {
    return parseRequestUri(toBytes(text));
  } catch (error) {
    if (error instanceof UrlError) return toLooseText(error.message);
    throw error;
  }
}

function read([text]: readonly CelValue[]): CelValue | undefined {
  if (typeof text !== 'string') return undefined;
  const url = parse(text);
  if (typeof url === 'string') throw new CelError(`URL parse error during conversion from string: ${url}`);
  return new CelUrl(text, url);
}

/** A part of the URL as text, from a byte string. */
const part =
  (take: (url: ParsedUrl) => string): CelFunction =>
  ([url]) =>
    url instanceof CelUrl ? toLooseText(take(url.url)) : undefined;

function queryOf([url]: readonly CelValue[]): CelValue | undefined {
  if (!(url instanceof CelUrl)) return undefined;
  const found = new Map<string, string[]>();
  for (const pair of queryPairs(url.url.query)) {
    const [key, value] = [toLooseText(pair[0]), toLooseText(pair[1])];
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  return new EntryMap(found);
}

/** The URL functions of Kubernetes (apiserver cel/library URLs). */
export const URL_FUNCTIONS: FunctionTable = [
  ['url', read],
  ['isURL', ([text]) => (typeof text === 'string' ? uriProblem(text) === undefined : undefined)],
  ['getScheme', part(({ scheme }) => scheme)],
  ['getHost', part(({ host }) => host)],
  ['getHostname', part(({ host }) => splitHost(host).hostname)],
  ['getPort', part(({ host }) => splitHost(host).port)],
  ['getEscapedPath', part(escapedPath)],
  ['getQuery', queryOf],
];
