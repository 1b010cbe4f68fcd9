import { setMaxListeners } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { startAggregation } from './aggregation/aggregation';
import type { SandboxApi } from './api';
import { makeAccessControl } from './auth/authority';
import { OidcAuthenticator } from './auth/oidc-authenticator';
import { loadSampleUsers } from './auth/sample-users';
import { parseTokenFile } from './auth/token-file';
import { prepareCluster } from './bootstrap/prepare-cluster';
import { serveDefinitions } from './crds/crd-serving';
import type { SandboxCore } from './exchange/core';
import { RequestMetrics } from './exchange/request-metrics';
import { listenHttps, requestHandler } from './http/server';
import { type InjectedRequest, type InjectedResponse, injectRequest } from './in-process/inject';
import { type ExecRefusal, type InjectedSocket, injectExec } from './in-process/inject-exec';
import { makeSandboxApi } from './in-process/sandbox-api';
import { builtinStrategy, customStrategy } from './kinds/strategies';
import { startParts } from './parts';
import type { UserInfo } from './rbac/user';
import type { Registry } from './registry/registry';
import { ResourceTable } from './registry/resource-table';
import type { SandboxOptions } from './sandbox-options';
import { lockFolder } from './store/folder-lock';
import { memoryLog } from './store/log';
import { makeFolder } from './store/make-folder';
import { ObjectStore } from './store/object-store';
import { openSqliteLog } from './store/sqlite-log';
import { kubeconfigText } from './tls/kubeconfig';
import { loadSecrets, writeSecretFile } from './tls/secrets';

export type { SandboxOptions } from './sandbox-options';

export interface Sandbox {
  readonly url: string;
  readonly caPem: string;
  /** The text of a kubeconfig whose user is in system:masters. */
  readonly kubeconfig: string;
  readonly api: SandboxApi;
  /** The bearer token of the kubeconfig's user. */
  readonly adminToken: string;
  /** A request without a socket, for a run in one process. */
  inject(request: InjectedRequest): Promise<InjectedResponse>;
  /** An exec or attach without a socket. */
  injectExec(request: Omit<InjectedRequest, 'method' | 'body'>): InjectedSocket | ExecRefusal;
  /** Ends watches, connections and parts, and closes the store. */
  stop(): Promise<void>;
}

/** Starts an embedded Kubernetes API on the loopback address. Failures are TerminalErrors of one sentence. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, random, postReview, reportBug = () => {} } = options;
  const unlock = options.dataDir === undefined ? () => {} : prepareFolder(options.dataDir);
  try {
    return await startLocked(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }

  async function startLocked(given: SandboxOptions, free: () => void): Promise<Sandbox> {
    const [store, table] = [openStore(given), new ResourceTable(builtinStrategy)];
    const registry: Registry = { store, table, clock, random, postReview };
    const secrets = given.secrets ?? loadSecrets(given.dataDir, clock, random);
    const stopDefinitions = serveDefinitions(registry, customStrategy);
    prepareCluster(registry, secrets);
    const oidc = given.oidc && new OidcAuthenticator(given.oidc, clock);
    const users = staticUsers(given, secrets.adminToken);
    const authority = makeAccessControl(registry, users, secrets.serviceAccountKeyPem, oidc);
    const api = makeSandboxApi(registry);
    const caPem = secrets.authority.certificatePem;
    const parts = startParts(api, given, { caCertificate: caPem, tokens: authority.tokens });
    const podConsole = () => parts.podConsole;
    const aggregation = startAggregation(registry, { podConsole, certificate: secrets.frontProxy }, reportBug);
    const core: SandboxCore = {
      registry,
      authority,
      aggregation,
      podConsole,
      metrics: new RequestMetrics(),
      reportBug,
    };
    const stopping = new AbortController();
    // Every watch listens: more than ten is no leak.
    setMaxListeners(0, stopping.signal);
    const handler = requestHandler(core, stopping.signal);
    const server = given.port === 'none' ? undefined : await listenHttps(core, given.port, secrets.server);
    const url = server === undefined ? 'https://sandbox.invalid' : `https://127.0.0.1:${server.port}`;
    const kubeconfig = kubeconfigText({ url, caPem, token: secrets.adminToken });
    await store.committed();
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      parts.stop();
      aggregation.stop();
      stopDefinitions();
      stopping.abort();
      await server?.close();
      store.close();
      free();
    };
    try {
      if (given.kubeconfigPath !== undefined) writeKubeconfig(given.kubeconfigPath, kubeconfig);
    } catch (error) {
      await stop();
      throw error;
    }
    return {
      url,
      caPem,
      kubeconfig,
      api,
      adminToken: secrets.adminToken,
      inject: (request) => injectRequest(handler, request),
      injectExec: (request) => injectExec(core, stopping.signal, request),
      stop() {
        stopped ??= stop();
        return stopped;
      },
    };
  }
}

function prepareFolder(folder: string): () => void {
  try {
    makeFolder(folder);
    chmodSync(folder, 0o700);
    return lockFolder(folder);
  } catch (error) {
    if (error instanceof TerminalError) throw error;
    const message = `The data folder ${folder} cannot be written: ${messageOf(error)}. Choose another folder.`;
    throw new TerminalError(message, 'DataFolder', { cause: error });
  }
}

function writeKubeconfig(path: string, text: string): void {
  try {
    writeSecretFile(path, text);
  } catch (error) {
    throw new TerminalError(`The kubeconfig ${path} cannot be written: ${messageOf(error)}.`, 'NoKubeconfig', {
      cause: error,
    });
  }
}

function openStore({ dataDir, log }: SandboxOptions): ObjectStore {
  if (dataDir === undefined) return new ObjectStore({ log: log ?? memoryLog(), schedule: queueMicrotask });
  return new ObjectStore({
    log: openSqliteLog(join(dataDir, 'store.db')),
    // One turn later than it could be: what arrives meanwhile shares the commit, which costs more than all else of a write.
    schedule: (run) => void setImmediate(() => setImmediate(run)),
  });
}

function staticUsers(options: SandboxOptions, adminToken: string): Map<string, UserInfo> {
  const { tokenAuthFile, sampleUsers, dataDir, random } = options;
  const users = tokenAuthFile === undefined ? new Map<string, UserInfo>() : parseTokenFile(readTokens(tokenAuthFile));
  if (sampleUsers === true && dataDir !== undefined) {
    for (const [token, user] of loadSampleUsers(dataDir, random)) users.set(token, user);
  }
  users.set(adminToken, { name: 'bravo-admin', uid: '', groups: ['system:masters'], extra: {} });
  return users;
}

function readTokens(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new TerminalError(`The token file ${path} cannot be read: ${messageOf(error)}.`, 'NoTokenFile', {
      cause: error,
    });
  }
}
