import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface OciRegistryOptions {
  /** A user who must sign in: by Basic, or for a token of a server of its own. */
  readonly user?: { readonly name: string; readonly password: string; readonly by: 'basic' | 'token' };
  /** It has the referrers API of distribution specification 1.1. */
  readonly hasReferrers?: boolean;
  /** Blobs are given by another server, to which the registry redirects. */
  readonly redirectsBlobs?: boolean;
  /** Entries of one page of a list. */
  readonly pageSize?: number;
}

/** A request that a server of the registry saw. */
export interface SeenRequest {
  readonly server: 'registry' | 'token' | 'storage';
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
}

interface StoredManifest {
  readonly bytes: Buffer;
  readonly type: string;
}

/** What the registry keeps; tests may change it. */
export interface OciRegistry {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  readonly blobs: Map<string, Buffer>;
  /** By `REPOSITORY@DIGEST`. */
  readonly manifests: Map<string, StoredManifest>;
  /** By `REPOSITORY:TAG`: the digest. */
  readonly tags: Map<string, string>;
  readonly seen: SeenRequest[];
  /** Answers in place of the registry when it returns true. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  stop(): Promise<void>;
}

const TOKEN = 'token-of-the-test';

/** Starts an OCI registry in this process: the part of the distribution specification 1.1 that clients of packages use. */
export async function startOciRegistry(options: OciRegistryOptions = {}): Promise<OciRegistry> {
  const seen: SeenRequest[] = [];
  const blobs = new Map<string, Buffer>();
  const manifests = new Map<string, StoredManifest>();
  const tags = new Map<string, string>();
  const servers: Server[] = [];
  const listen = async (
    server: SeenRequest['server'],
    handle: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<string> => {
    const made = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      seen.push({ server, method, url, authorization: headers.authorization });
      handle(request, response);
    });
    servers.push(made);
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
    const address = made.address();
    return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  };
  const storage = await listen('storage', (request, response) => {
    response.end(blobs.get((request.url ?? '').slice(1)) ?? '');
  });
  const { user } = options;
  const basic = user === undefined ? '' : `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
  const tokens = await listen('token', (request, response) => {
    if (request.headers.authorization !== basic) response.writeHead(401).end();
    else response.end(JSON.stringify({ token: TOKEN }));
  });
  const registry: OciRegistry = {
    host: '',
    ...{ blobs, manifests, tags, seen, intercept: undefined },
    stop: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
  const host = await listen('registry', (request, response) => {
    if (registry.intercept?.(request, response) === true) return;
    const wanted = user?.by === 'token' ? `Bearer ${TOKEN}` : basic;
    if (user === undefined || request.headers.authorization === wanted) {
      answer(registry, { ...options, storage }, request, response).catch(() => response.writeHead(500).end());
      return;
    }
    const challenge =
      user.by === 'basic' ? 'Basic realm="lab"' : `Bearer realm="http://${tokens}/token",service="lab",scope="x"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
  });
  return Object.assign(registry, { host });
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** A request that was read, and where its answer goes. */
interface Asked {
  readonly registry: OciRegistry;
  readonly options: OciRegistryOptions & { readonly storage: string };
  readonly url: URL;
  readonly method: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** Repository, and what is after the kind of the path. */
  readonly name: string;
  readonly rest: string;
  readonly response: ServerResponse;
}

async function answer(
  registry: OciRegistry,
  options: Asked['options'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://registry');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const [, name = '', kind = '_catalog', rest = ''] =
    /^\/v2\/(.+)\/(manifests|blobs|tags|referrers)\/(.*)$/.exec(url.pathname) ?? [];
  const handle = HANDLERS[kind] ?? missing;
  const contentType = request.headers['content-type'] ?? '';
  const method = request.method ?? '';
  handle({ registry, options, url, method, contentType, body: Buffer.concat(chunks), name, rest, response });
}

const HANDLERS: { readonly [kind: string]: (asked: Asked) => void } = {
  _catalog(asked) {
    const repositories = [...asked.registry.tags.keys()].map((each) => each.slice(0, each.lastIndexOf(':')));
    page(asked, 'repositories', [...new Set(repositories)].sort());
  },
  tags(asked) {
    const own = [...asked.registry.tags.keys()].filter((each) => each.startsWith(`${asked.name}:`));
    if (own.length === 0) missing(asked);
    else page(asked, 'tags', own.map((each) => each.slice(asked.name.length + 1)).sort());
  },
  referrers(asked) {
    const { registry, name, rest, options, response } = asked;
    if (options.hasReferrers !== true) missing(asked);
    else response.end(JSON.stringify({ schemaVersion: 2, manifests: referrersOf(registry, name, rest) }));
  },
  blobs(asked) {
    const { registry, options, method, url, name, rest, body, response } = asked;
    if (method === 'POST') {
      response.writeHead(202, { location: `/v2/${name}/blobs/uploads/1?state=x` }).end();
      return;
    }
    if (method === 'PUT') {
      const digest = url.searchParams.get('digest') ?? '';
      const isRight = digest === digestOf(body);
      if (isRight) registry.blobs.set(digest, body);
      response.writeHead(isRight ? 201 : 400).end('{"errors":[{"message":"digest invalid"}]}');
      return;
    }
    const blob = registry.blobs.get(rest);
    if (blob === undefined) missing(asked);
    else if (method === 'HEAD') response.writeHead(200, { 'content-length': blob.length }).end();
    else if (options.redirectsBlobs !== true) response.end(blob);
    else response.writeHead(307, { location: `http://${options.storage}/${rest}` }).end();
  },
  manifests(asked) {
    const { registry, options, method, name, rest, body, contentType, response } = asked;
    if (method === 'PUT') {
      const stored = digestOf(body);
      registry.manifests.set(`${name}@${stored}`, { bytes: body, type: contentType });
      if (!rest.startsWith('sha256:')) registry.tags.set(`${name}:${rest}`, stored);
      const isLinked = options.hasReferrers === true && JSON.parse(body.toString()).subject !== undefined;
      response.writeHead(201, isLinked ? { 'oci-subject': stored } : {}).end();
      return;
    }
    const digest = rest.startsWith('sha256:') ? rest : (registry.tags.get(`${name}:${rest}`) ?? '');
    const manifest = registry.manifests.get(`${name}@${digest}`);
    if (manifest === undefined) missing(asked);
    else response.writeHead(200, { 'content-type': manifest.type }).end(manifest.bytes);
  },
};

function missing({ response }: Asked): void {
  response.writeHead(404).end(JSON.stringify({ errors: [{ code: 'NAME_UNKNOWN', message: 'unknown' }] }));
}

function referrersOf(registry: OciRegistry, name: string, subject: string): object[] {
  return [...registry.manifests].flatMap(([key, { bytes, type }]) => {
    const manifest = JSON.parse(bytes.toString());
    if (!key.startsWith(`${name}@`) || manifest.subject?.digest !== subject) return [];
    return [{ mediaType: type, digest: digestOf(bytes), size: bytes.length, artifactType: manifest.artifactType }];
  });
}

function page({ url, response, options: { pageSize = 1_000 } }: Asked, field: string, names: readonly string[]): void {
  const from = names.indexOf(url.searchParams.get('last') ?? '') + 1;
  const part = names.slice(from, from + pageSize);
  const more = from + pageSize < names.length;
  const next = `<${url.pathname}?n=${pageSize}&last=${encodeURIComponent(part.at(-1) ?? '')}>; rel="next"`;
  response.writeHead(200, more ? { link: next } : {}).end(JSON.stringify({ [field]: part }));
}
