import type { ServerResponse } from 'node:http';
import type { RequestOptions } from 'node:https';
import { messageOf, TransientError } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, type JsonObject, stringAt } from '@/lib/json/json';
import type { RequestCredentials, TlsOptions } from './request-credentials';

/** The `cluster` and the `user` of a context, as the kubeconfig has them, with absolute file names. */
export interface ContextParts {
  readonly cluster: JsonObject;
  readonly user: JsonObject;
}

/**
 * Headers and certificates from a kubeconfig's exec plug-in or auth provider, made by the official client. It is loaded
 * only here and only when such a user is chosen: the import costs 0.4 s and 90 MB.
 *
 * @param plainTls what the kubeconfig itself says; a plug-in may replace the client certificate
 * @throws TransientError when the plug-in fails
 */
export async function pluginAccess(
  context: string,
  parts: ContextParts,
  plainTls: TlsOptions,
): Promise<RequestCredentials> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const options: RequestOptions = { headers: {} };
  try {
    config.loadFromString(JSON.stringify(kubeconfigOf(context, parts, plainTls)));
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    throw new TransientError(
      `The credential plug-in of the context ${context} failed: ${messageOf(error)}.`,
      'CredentialPluginFailed',
      { cause: error },
    );
  }
  const tls: TlsOptions = { ...plainTls };
  if (options.cert !== undefined) tls.cert = String(options.cert);
  if (options.key !== undefined) tls.key = String(options.key);
  return { headers: textHeaders(options.headers), tls };
}

/** A kubeconfig of this context alone: the official client refuses a file because of a wrong entry that is not used. */
function kubeconfigOf(name: string, { cluster, user }: ContextParts, tls: TlsOptions): JsonObject {
  const exec = isJsonObject(user.exec) ? { exec: withExecInfo(user.exec, cluster, tls) } : {};
  return {
    clusters: [{ name, cluster }],
    users: [{ name, user: { ...user, ...exec } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
}

/** Adds `KUBERNETES_EXEC_INFO`, in which kubectl tells a plug-in what is asked for; the official client leaves it out. */
function withExecInfo(exec: JsonObject, cluster: JsonObject, tls: TlsOptions): JsonObject {
  const info = {
    apiVersion: stringAt(exec, 'apiVersion') ?? 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, ...(exec.provideClusterInfo === true ? { cluster: clusterInfo(cluster, tls) } : {}) },
  };
  const variable = { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) };
  return { ...exec, env: [...arrayAt(exec, 'env'), variable] };
}

/** The Cluster of client.authentication.k8s.io/v1. */
function clusterInfo(cluster: JsonObject, { ca }: TlsOptions): JsonObject {
  const info: JsonObject = {};
  for (const field of ['server', 'tls-server-name', 'insecure-skip-tls-verify', 'proxy-url']) {
    const value = cluster[field];
    if (value !== undefined) info[field] = value;
  }
  if (ca !== undefined) info['certificate-authority-data'] = Buffer.from(ca).toString('base64');
  return info;
}

function textHeaders(headers: RequestOptions['headers']): { [name: string]: string } {
  const result: { [name: string]: string } = {};
  for (const [name, value] of Object.entries((headers ?? {}) as ReturnType<ServerResponse['getHeaders']>)) {
    if (value !== undefined) result[name.toLowerCase()] = String(value);
  }
  return result;
}
