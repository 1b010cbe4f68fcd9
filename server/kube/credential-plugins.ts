import type { ServerResponse } from 'node:http';
import type { RequestOptions } from 'node:https';
import { messageOf, TransientError } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import type { Access, TlsOptions } from './access';

/**
 * Headers and certificates from a kubeconfig's exec plug-in or auth provider, made by the official client. It is loaded
 * only here and only when such a user is chosen: the import costs half a second and 90 MB.
 */
export async function pluginAccess(kubeconfig: JsonObject, context: string, plainTls: TlsOptions): Promise<Access> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromString(JSON.stringify(kubeconfig));
  config.setCurrentContext(context);
  const options: RequestOptions = { headers: {} };
  try {
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

function textHeaders(headers: RequestOptions['headers']): { [name: string]: string } {
  const result: { [name: string]: string } = {};
  for (const [name, value] of Object.entries((headers ?? {}) as ReturnType<ServerResponse['getHeaders']>)) {
    if (value !== undefined) result[name.toLowerCase()] = String(value);
  }
  return result;
}
