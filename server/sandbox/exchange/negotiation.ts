import { failure } from '../errors/status';

/** What the client wants to read. */
export interface Accepted {
  readonly mediaType: 'application/json' | 'application/yaml';
  /** Another form of the object: a Table, or its metadata alone. */
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | 'APIGroupDiscoveryList' | undefined;
  readonly asVersion: string;
  readonly pretty: boolean;
}

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** What a kind of answer can be converted to, by the `as` of the Accept header. */
export type Conversions = ReadonlySet<string>;

export const objectConversions: Conversions = new Set([
  'Table;meta.k8s.io/v1',
  'Table;meta.k8s.io/v1beta1',
  'PartialObjectMetadata;meta.k8s.io/v1',
  'PartialObjectMetadataList;meta.k8s.io/v1',
]);

/** The first clause of the Accept header that can be served, by quality; 406 when there is none. */
export function negotiate(request: Asking, conversions: Conversions = new Set()): Accepted {
  const { accept } = request.headers;
  const plain: Accepted = { mediaType: 'application/json', as: undefined, asVersion: '', pretty: wantsPretty(request) };
  if (accept === undefined || accept === 'application/json' || accept.trim() === '') return plain;
  for (const clause of parseAccept(accept)) {
    const mediaType = MADE[clause.type];
    if (mediaType === undefined) continue;
    const pretty = plain.pretty || clause.parameters.get('pretty') === '1';
    const as = clause.parameters.get('as');
    if (as === undefined) return { ...plain, mediaType, pretty };
    const group = clause.parameters.get('g') ?? '';
    const version = clause.parameters.get('v') ?? '';
    if (conversions.has(`${as};${group}/${version}`)) {
      return { mediaType, as: as as Exclude<Accepted['as'], undefined>, asVersion: version, pretty };
    }
  }
  throw notAcceptable();
}

/** The parts of a request that say the form of the answer. */
export interface Asking {
  readonly headers: { readonly accept?: string | undefined; readonly 'user-agent'?: string | undefined };
  readonly url?: string | undefined;
}

/** `?pretty` decides; without it people with curl or a browser get lines. */
function wantsPretty({ headers, url = '' }: Asking): boolean {
  const given = /[?&]pretty=([^&]*)/.exec(url)?.[1];
  if (given !== undefined) return given !== 'false' && given !== '0';
  return /^(curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}

/** What an answer is written in, by what is asked for. */
const MADE: { readonly [type: string]: Accepted['mediaType'] | undefined } = {
  'application/json': 'application/json',
  '*/*': 'application/json',
  'application/yaml': 'application/yaml',
};
/** What bodies and answers can be written in. */
export const MEDIA_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
/** What a watch can be framed in. */
export const STREAM_MEDIA_TYPES = [
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
] as const;

export function notAcceptable(accepted: readonly string[] = MEDIA_TYPES): Error {
  return failure(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`);
}

export function unsupportedMediaType(accepted: readonly string[]): Error {
  return failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}

/** The clauses of an Accept header, those of higher quality first; equal ones in the order of the header. */
function parseAccept(header: string): Clause[] {
  return header
    .split(',')
    .map(parseClause)
    .sort((a, b) => b.quality - a.quality);
}

function parseClause(text: string): Clause {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map((part) => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']));
  return { type: type.toLowerCase(), parameters, quality: Number(parameters.get('q') ?? '1') || 0 };
}

/** The media type of a Content-Type header, lower case, without parameters; JSON when there is none. */
export function contentTypeOf(header: string | undefined): string {
  return (header ?? 'application/json').split(';')[0]?.trim().toLowerCase() || 'application/json';
}
