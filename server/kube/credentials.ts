import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import { pluginAccess } from './credential-plugins';
import { readKubeconfig } from './kubeconfig-files';
import type { RequestCredentials, TlsOptions } from './request-credentials';

/** A cluster and the identity with which it is used. */
export interface Cluster {
  /** The cluster's name in the kubeconfig; `in-cluster` inside a pod. */
  readonly name: string;
  readonly context: string;
  /** `https://host:port`, optionally with a path, without a slash at the end. */
  readonly server: string;
  readonly user: string;
  /** The context's namespace, `default` when it names none. */
  readonly namespace: string;
  /** The same, undefined when the context names none. */
  readonly ownNamespace: string | undefined;
  readonly proxyUrl: string | undefined;
  /** True when the server's certificate is not verified; the console shows that permanently. */
  readonly insecure: boolean;
  /** Headers and certificates; kubeconfig, token files and plug-ins are read again after a minute or {@link forgetAccess}. */
  access(): Promise<RequestCredentials>;
  forgetAccess(): void;
}

export interface LoadOptions {
  /** A kubeconfig file, or several as KUBECONFIG lists them. Absent: the service account inside a pod, else `~/.kube/config`. */
  kubeconfigPath?: string | undefined;
  context?: string | undefined;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Projected service-account tokens are renewed on disk hourly; kubelet's clients read them every minute too. */
const ACCESS_LIFE_MS = 60_000;

/**
 * The cluster of a kubeconfig (see readKubeconfig).
 * Certificates, tokens and token files are read here; exec plug-ins and auth providers through the official client.
 * A file that cannot be used is a TerminalError with one sentence.
 */
export function loadCluster(options: LoadOptions = {}): Cluster {
  if (options.kubeconfigPath === undefined) {
    const pod = inClusterConfig();
    if (pod !== undefined) return pod;
  }
  const paths = options.kubeconfigPath ?? join(homedir(), '.kube', 'config');
  const { config, name } = readKubeconfig(paths);
  return clusterOfContext(config, {
    path: name,
    context: options.context,
    readAgain: () => readKubeconfig(paths).config,
  });
}

/** A kubeconfig that is in memory, with credentials that are all in it. @throws TerminalError for a context that cannot be used */
export function clusterOfConfig(config: JsonObject, name: string): Cluster {
  return clusterOfContext(config, { path: name, context: undefined, readAgain: () => config });
}

/** The names of the contexts of a kubeconfig, in its order; none inside a pod without one. @throws TerminalError */
export function contextNames({ kubeconfigPath }: LoadOptions): string[] {
  if (kubeconfigPath === undefined) return [];
  return arrayAt(readKubeconfig(kubeconfigPath).config, 'contexts').flatMap((entry) => stringAt(entry, 'name') ?? []);
}

/** A cluster from its parts, for the sandbox's own connections and for tests. `ca` is PEM text. */
export function plainCluster(parts: {
  server: string;
  token?: string;
  ca?: string;
  name?: string;
  user?: string;
}): Cluster {
  const access: RequestCredentials = {
    headers: parts.token === undefined ? {} : { authorization: `Bearer ${parts.token}` },
    tls: parts.ca === undefined ? {} : { ca: parts.ca },
  };
  return {
    name: parts.name ?? 'cluster',
    context: parts.name ?? 'cluster',
    server: parts.server.replace(/\/+$/, ''),
    user: parts.user ?? '',
    namespace: 'default',
    ownNamespace: undefined,
    proxyUrl: undefined,
    insecure: false,
    access: async () => access,
    forgetAccess: () => undefined,
  };
}

const MOST_NAMED = 10;

/** The contexts of a kubeconfig, as the end of a sentence. */
function contextChoices(config: JsonObject): string {
  const names = arrayAt(config, 'contexts').flatMap((entry) => stringAt(entry, 'name') ?? []);
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return names.length === 0 ? '' : `. It has ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}

interface ConfigSource {
  readonly path: string;
  readonly context: string | undefined;
  readAgain(): JsonObject;
}

function clusterOfContext(config: JsonObject, from: ConfigSource): Cluster {
  const contextName = from.context ?? stringAt(config, 'current-context') ?? '';
  if (contextName === '')
    throw invalid(`The kubeconfig ${from.path} has no current context. Choose one with --context or BRAVO_CONTEXT.`);
  const parts = partsOf(config, contextName);
  if (parts === undefined) {
    throw invalid(`The kubeconfig ${from.path} has no context ${contextName}${contextChoices(config)}.`);
  }
  const { context, cluster, server } = parts;
  if (!/^https?:\/\//.test(server)) {
    throw invalid(`The kubeconfig ${from.path} has no cluster with an http(s) server for the context ${contextName}.`);
  }
  const ownNamespace = stringAt(context, 'namespace') || undefined;
  return {
    name: stringAt(context, 'cluster') ?? '',
    context: contextName,
    server: server.replace(/\/+$/, ''),
    user: stringAt(context, 'user') ?? '',
    namespace: ownNamespace ?? 'default',
    ownNamespace,
    proxyUrl: stringAt(cluster, 'proxy-url'),
    insecure: cluster['insecure-skip-tls-verify'] === true,
    ...cached(credentialsReader(config, contextName, from)),
  };
}

/** The parts of a context; `server` is empty when its cluster is missing. Undefined when the context does not exist. */
function partsOf(config: JsonObject, contextName: string) {
  const context = named(config, 'contexts', 'context', contextName);
  if (context === undefined) return undefined;
  const cluster = named(config, 'clusters', 'cluster', stringAt(context, 'cluster') ?? '') ?? {};
  const user = named(config, 'users', 'user', stringAt(context, 'user') ?? '') ?? {};
  return { context, cluster, user, server: stringAt(cluster, 'server') ?? '' };
}

/**
 * Reads the credentials again at each call: a token or certificate that was renewed in the kubeconfig takes effect without a
 * restart. A file that is incomplete, has lost the context or now names another server is ignored: credentials of one cluster
 * never go to another.
 */
function credentialsReader(
  first: JsonObject,
  contextName: string,
  from: ConfigSource,
): () => Promise<RequestCredentials> {
  const server = partsOf(first, contextName)?.server;
  let config = first;
  let tls: TlsOptions = {};
  return async () => {
    const fresh = readAgain(from);
    if (fresh !== undefined && partsOf(fresh, contextName)?.server === server) config = fresh;
    const { cluster, user } = partsOf(config, contextName) ?? { cluster: {}, user: {} };
    const read = tlsOf(cluster, user);
    // The transport keeps its connections while this object stays the same.
    if (!isDeepStrictEqual(read, tls)) tls = read;
    return needsPlugin(user) ? pluginAccess(contextName, { cluster, user }, tls) : { headers: headersOf(user), tls };
  };
}

function readAgain(from: ConfigSource): JsonObject | undefined {
  try {
    return from.readAgain();
  } catch (error) {
    if (error instanceof TerminalError) return undefined;
    throw error;
  }
}

function cached(read: () => Promise<RequestCredentials>): Pick<Cluster, 'access' | 'forgetAccess'> {
  let current: { access: Promise<RequestCredentials>; readAtMs: number } | undefined;
  return {
    access() {
      const nowMs = performance.now();
      if (current === undefined || nowMs - current.readAtMs > ACCESS_LIFE_MS) {
        current = { access: read(), readAtMs: nowMs };
        current.access.catch(() => {
          current = undefined;
        });
      }
      return current.access;
    },
    forgetAccess() {
      current = undefined;
    },
  };
}

function needsPlugin(user: JsonObject): boolean {
  return isJsonObject(user.exec) || isJsonObject(user['auth-provider']);
}

function tlsOf(cluster: JsonObject, user: JsonObject): TlsOptions {
  const tls: TlsOptions = {};
  const ca = pemOf(cluster, 'certificate-authority');
  const cert = pemOf(user, 'client-certificate');
  const key = pemOf(user, 'client-key');
  const servername = stringAt(cluster, 'tls-server-name');
  if (ca !== undefined) tls.ca = ca;
  if (cert !== undefined) tls.cert = cert;
  if (key !== undefined) tls.key = key;
  if (servername !== undefined) tls.servername = servername;
  if (cluster['insecure-skip-tls-verify'] === true) tls.rejectUnauthorized = false;
  return tls;
}

/** `<field>-data` in base64, else the file that `<field>` names. */
function pemOf(part: JsonObject, field: string): string | undefined {
  const inline = stringAt(part, `${field}-data`);
  if (inline !== undefined && inline !== '') return Buffer.from(inline, 'base64').toString('utf8');
  const file = stringAt(part, field);
  return file === undefined || file === '' ? undefined : readFileNamed(file, field);
}

function headersOf(user: JsonObject): { [name: string]: string } {
  const headers: { [name: string]: string } = {};
  const tokenFile = stringAt(user, 'tokenFile');
  const token =
    tokenFile === undefined || tokenFile === ''
      ? stringAt(user, 'token')
      : readFileNamed(tokenFile, 'tokenFile').trim();
  const username = stringAt(user, 'username');
  if (token !== undefined && token !== '') headers.authorization = `Bearer ${token}`;
  else if (username !== undefined) {
    headers.authorization = `Basic ${Buffer.from(`${username}:${stringAt(user, 'password') ?? ''}`).toString('base64')}`;
  }
  const as = stringAt(user, 'as');
  if (as !== undefined && as !== '') headers['impersonate-user'] = as;
  return headers;
}

function readFileNamed(path: string, field: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(`The file ${path} (${field} in the kubeconfig) cannot be read: ${messageOf(error)}.`);
  }
}

function named(config: JsonObject, list: string, member: string, name: string): JsonObject | undefined {
  const found = arrayAt(config, list).find((item) => stringAt(item, 'name') === name);
  return found === undefined ? undefined : objectAt(found, member);
}

function inClusterConfig(): Cluster | undefined {
  // The two variables are what Kubernetes itself sets in every pod.
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  if (host === undefined || port === undefined) return undefined;
  const address = host.includes(':') ? `[${host}]` : host;
  const ca = readFileNamed(join(SERVICE_ACCOUNT, 'ca.crt'), 'certificate authority');
  const tls: TlsOptions = { ca };
  const ownNamespace = readFileNamed(join(SERVICE_ACCOUNT, 'namespace'), 'namespace').trim();
  const read = async (): Promise<RequestCredentials> => ({
    headers: headersOf({ tokenFile: join(SERVICE_ACCOUNT, 'token') }),
    tls,
  });
  return {
    name: 'in-cluster',
    context: 'in-cluster',
    server: `https://${address}:${port}`,
    user: 'service account',
    namespace: ownNamespace,
    ownNamespace,
    proxyUrl: undefined,
    insecure: false,
    ...cached(read),
  };
}

function invalid(message: string): TerminalError {
  return new TerminalError(message, 'InvalidKubeconfig');
}
