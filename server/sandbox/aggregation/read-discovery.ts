import { request } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { arrayAt, getAt, type JsonObject, type JsonValue, parseJsonObject, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import type { RemoteResource } from '../discovery/remote-versions';

/**
 * Asks an API server what it serves of one group and version; the connection ends with the answer. Rejects with one sentence.
 *
 * @param path `/apis/GROUP/VERSION`
 */
export function readDiscovery(socket: TLSSocket, path: string, host: string): Promise<RemoteResource[]> {
  return new Promise((resolve, reject) => {
    const finish = (error: Error | undefined, resources: RemoteResource[] = []): void => {
      socket.destroy();
      if (error === undefined) resolve(resources);
      else reject(error);
    };
    const asked = request({
      createConnection: () => socket,
      path,
      headers: { ...DISCOVERY_USER, host, accept: 'application/json' },
      signal: AbortSignal.timeout(limits.aggregation.discoveryMs),
    });
    asked.once('error', (error) => finish(error.name === 'AbortError' ? new Error(TIMED_OUT) : error));
    asked.once('response', (answer) => {
      const status = answer.statusCode ?? 0;
      if (status < 200 || status > 299) return finish(new Error(`bad status: ${status}`));
      const chunks: Buffer[] = [];
      let sizeBytes = 0;
      answer.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length;
        if (sizeBytes > limits.aggregation.discoveryBytes) finish(new Error('the answer is too large'));
        else chunks.push(chunk);
      });
      answer.once('error', (error) => finish(error));
      answer.once('end', () => {
        const list = parseJsonObject(Buffer.concat(chunks).toString('utf8'));
        if (list === undefined) finish(new Error('the answer is no JSON object'));
        else finish(undefined, remoteResourcesOf(list));
      });
    });
    asked.end();
  });
}

const TIMED_OUT = 'context deadline exceeded';

/** As whom kube-aggregator asks for discovery. */
const DISCOVERY_USER = { 'x-remote-user': 'system:kube-aggregator', 'x-remote-group': 'system:masters' };

/** An APIResourceList as aggregated discovery says it: subresources belong to their resource. */
export function remoteResourcesOf(list: JsonObject): RemoteResource[] {
  const entries = arrayAt(list, 'resources').slice(0, limits.aggregation.resources);
  const [group = '', version = ''] = (stringAt(list, 'groupVersion') ?? '').split('/');
  const kindOf = (entry: JsonValue) => ({
    group: stringAt(entry, 'group') || group,
    version: stringAt(entry, 'version') || version,
    kind: stringAt(entry, 'kind') ?? '',
  });
  const nameOf = (entry: JsonValue) => stringAt(entry, 'name') ?? '';
  return entries
    .filter((entry) => nameOf(entry) !== '' && !nameOf(entry).includes('/'))
    .map((entry) => {
      const prefix = `${nameOf(entry)}/`;
      const subresources = entries
        .filter((each) => nameOf(each).startsWith(prefix))
        .map((each) => ({
          subresource: nameOf(each).slice(prefix.length),
          responseKind: kindOf(each),
          verbs: texts(each, 'verbs'),
        }));
      const [shortNames, categories] = [texts(entry, 'shortNames'), texts(entry, 'categories')];
      return {
        resource: nameOf(entry),
        responseKind: kindOf(entry),
        scope: getAt(entry, 'namespaced') === true ? ('Namespaced' as const) : ('Cluster' as const),
        singularResource: stringAt(entry, 'singularName') ?? '',
        verbs: texts(entry, 'verbs'),
        ...(shortNames.length > 0 ? { shortNames } : {}),
        ...(categories.length > 0 ? { categories } : {}),
        ...(subresources.length > 0 ? { subresources } : {}),
      };
    });
}

function texts(value: JsonValue, key: string): string[] {
  return arrayAt(value, key).filter((each) => typeof each === 'string');
}
