import type { Discovery } from '../discovery/discovery';
import type { OpenApi } from '../discovery/openapi';
import type { SandboxCore } from '../exchange/core';
import { type Exchange, sendJson, sendNoPage, sendText } from '../exchange/exchange';
import { type Conversions, negotiate } from '../exchange/negotiation';
import { metricsText } from '../exchange/request-metrics';

/** What the server says of itself. */
export interface Documents {
  readonly discovery: Discovery;
  readonly openApi: OpenApi;
}

const DISCOVERY_FORMS: Conversions = new Set(['APIGroupDiscoveryList;apidiscovery.k8s.io/v2']);
const PLAIN_TEXT = 'text/plain; charset=utf-8';
const METRICS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const OPENAPI_PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
/** The same as a media type that Go's mime package can read. */
const OPENAPI_PROTOBUF_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const RELEASE = 'v1.36.2';

/**
 * An OpenAPI v2 document in protobuf (gnostic's openapi.v2.Document) that says the version and nothing else. kubectl asks
 * for this form only; without definitions it leaves the checking of fields to the server.
 */
const EMPTY_OPENAPI = Buffer.from(`\n\x032.0\x12\x15\n\nKubernetes\x12\x07${RELEASE}`);

const VERSION = JSON.stringify({
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: `${RELEASE}+bravo`,
  gitCommit: 'unknown',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: `${process.platform}/${process.arch}`,
});

const HEALTH = ['/healthz', '/livez', '/readyz'];

/** Paths that are no resources: discovery, version, health, metrics, OpenAPI. */
export function servePlainPath(core: SandboxCore, documents: Documents, exchange: Exchange): void {
  const path = exchange.info.path.replace(/\/+$/, '');
  if (path.startsWith('/openapi/')) {
    serveOpenApi(documents.openApi, exchange, path);
  } else if (path === '/version') {
    sendJson(exchange, 200, VERSION);
  } else if (HEALTH.some((each) => path === each || path.startsWith(`${each}/`))) {
    sendText(exchange, 200, PLAIN_TEXT, 'ok');
  } else if (path === '/metrics') {
    sendText(exchange, 200, METRICS_TEXT, metricsText(core.metrics, core.registry.store.counts));
  } else if (path === '/api' || path === '/apis') {
    serveRoot(documents.discovery, exchange, path.slice(1) as 'api' | 'apis');
  } else {
    serveGroup(documents.discovery, exchange, path);
  }
}

function serveRoot(discovery: Discovery, exchange: Exchange, root: 'api' | 'apis'): void {
  const accepted = negotiate(exchange.request, DISCOVERY_FORMS);
  if (accepted.as !== 'APIGroupDiscoveryList') {
    sendJson(exchange, 200, root === 'api' ? discovery.versions() : discovery.groups(), accepted);
    return;
  }
  const { json, etag } = discovery.aggregated(root);
  exchange.response.setHeader('etag', etag);
  exchange.response.setHeader('vary', 'Accept');
  if (exchange.request.headers['if-none-match'] === etag) {
    exchange.response.writeHead(304).end();
    return;
  }
  const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  sendText(exchange, 200, type, `${json}\n`);
}

/** `/api/v1`, `/apis/GROUP`, `/apis/GROUP/VERSION`. */
function serveGroup(discovery: Discovery, exchange: Exchange, path: string): void {
  const [, root, first = '', second] = path.split('/');
  let json: string | undefined;
  if (root === 'api' && second === undefined) json = discovery.resources('', first);
  if (root === 'apis') json = second === undefined ? discovery.group(first) : discovery.resources(first, second);
  if (json === undefined) sendNoPage(exchange);
  else sendJson(exchange, 200, json, negotiate(exchange.request));
}

function serveOpenApi(openApi: OpenApi, exchange: Exchange, path: string): void {
  if (path === '/openapi/v3') {
    sendText(exchange, 200, PLAIN_TEXT, openApi.index());
  } else if (path === '/openapi/v2') {
    serveOldOpenApi(openApi, exchange);
  } else {
    const document = path.startsWith('/openapi/v3/') ? openApi.document(path.slice('/openapi/v3/'.length)) : undefined;
    if (document === undefined) exchange.response.writeHead(404, { 'content-length': 0 }).end();
    else sendText(exchange, 200, 'application/json', document);
  }
}

function serveOldOpenApi(openApi: OpenApi, exchange: Exchange): void {
  if (!(exchange.request.headers.accept ?? '').startsWith(OPENAPI_PROTOBUF)) {
    sendText(exchange, 200, 'application/json', openApi.v2());
    return;
  }
  const headers = { 'content-type': OPENAPI_PROTOBUF_TYPE, 'content-length': EMPTY_OPENAPI.length };
  exchange.response.writeHead(200, headers).end(EMPTY_OPENAPI);
}
