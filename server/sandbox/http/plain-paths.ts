import type { Discovery } from '../discovery/discovery';
import type { OpenApi } from '../discovery/openapi';
import { type Exchange, sendJson, sendNoPage, sendText } from './exchange';
import { emptyOpenApiDocument } from '../protobuf/openapi-document';
import { type Conversions, negotiate } from './negotiation';

/** What the server says of itself. */
export interface Documents {
  readonly discovery: Discovery;
  readonly openApi: OpenApi;
}

const DISCOVERY_FORMS: Conversions = new Set(['APIGroupDiscoveryList;apidiscovery.k8s.io/v2']);

const VERSION = JSON.stringify({
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.2+bravo',
  gitCommit: 'unknown',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: `${process.platform}/${process.arch}`,
});

/** Paths that are no resources: discovery, version, health, OpenAPI. */
export function servePlainPath({ discovery, openApi }: Documents, exchange: Exchange): void {
  const path = exchange.info.path.replace(/\/+$/, '');
  const [, root, group, version] = path.split('/');
  if (root === 'openapi') return serveOpenApi(openApi, exchange, path);
  if (path === '/version') return sendJson(exchange, 200, VERSION);
  if (path === '/healthz' || path === '/livez' || path === '/readyz')
    return sendText(exchange, 200, 'text/plain; charset=utf-8', 'ok');
  if (path === '/api' || path === '/apis') return serveRoot(discovery, exchange, path.slice(1) as 'api' | 'apis');
  if (root === 'api' && group === 'v1' && version === undefined)
    return sendFound(exchange, discovery.resources('', 'v1'));
  if (root === 'apis' && group !== undefined) {
    if (version === undefined) return sendFound(exchange, discovery.group(group));
    return sendFound(exchange, discovery.resources(group, version));
  }
  sendNoPage(exchange);
}

function serveRoot(discovery: Discovery, exchange: Exchange, root: 'api' | 'apis'): void {
  const { headers } = exchange.request;
  const accepted = negotiate(exchange.request, DISCOVERY_FORMS);
  if (accepted.as !== 'APIGroupDiscoveryList') {
    sendJson(exchange, 200, root === 'api' ? discovery.versions() : discovery.groups(), accepted);
    return;
  }
  const { json, etag } = discovery.aggregated(root);
  exchange.response.setHeader('etag', etag);
  exchange.response.setHeader('vary', 'Accept');
  if (headers['if-none-match'] === etag) {
    exchange.response.writeHead(304).end();
    return;
  }
  sendText(exchange, 200, 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', `${json}\n`);
}

function sendFound(exchange: Exchange, json: string | undefined): void {
  if (json === undefined) sendNoPage(exchange);
  else sendJson(exchange, 200, json, negotiate(exchange.request));
}

const OPENAPI_PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const OPENAPI_PROTOBUF_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

function serveOpenApi(openApi: OpenApi, exchange: Exchange, path: string): void {
  if (path === '/openapi/v3') return sendText(exchange, 200, 'text/plain; charset=utf-8', openApi.index());
  if (path === '/openapi/v2' && (exchange.request.headers.accept ?? '').startsWith(OPENAPI_PROTOBUF)) {
    const document = emptyOpenApiDocument('v1.36.2');
    exchange.response.writeHead(200, { 'content-type': OPENAPI_PROTOBUF_TYPE, 'content-length': document.length }).end(document);
    return;
  }
  if (path === '/openapi/v2') return sendText(exchange, 200, 'application/json', openApi.v2());
  const document = path.startsWith('/openapi/v3/') ? openApi.document(path.slice('/openapi/v3/'.length)) : undefined;
  if (document === undefined) {
    exchange.response.writeHead(404, { 'content-length': 0 }).end();
    return;
  }
  sendText(exchange, 200, 'application/json', document);
}
