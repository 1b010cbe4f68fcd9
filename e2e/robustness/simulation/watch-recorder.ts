import type { RawResponse } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';
import type { Delivery } from '../invariants/fact';
import { isWatch } from './requests';

type WatchFacts = Pick<Delivery, 'watch' | 'resource' | 'labelSelector' | 'from'>;

/** Records what the server sends on every watch (I9). It matches the bytes by pattern: parsing the JSON twice would take too long. */
export function recordWatches(
  transport: Transport,
  take: (delivery: Delivery) => void,
  nextId: () => number,
): Transport {
  return {
    ...transport,
    async request(request) {
      const response = await transport.request(request);
      if (!isWatch(request) || response.status !== 200) return response;
      return recorded(response, factsOf(request.path, nextId()), take);
    },
  };
}

function recorded(response: RawResponse, facts: WatchFacts, take: (delivery: Delivery) => void): RawResponse {
  return { ...response, body: record(response.body, facts, take) };
}

/** The sandbox sends whole lines. */
async function* record(body: AsyncIterable<Uint8Array>, facts: WatchFacts, take: (delivery: Delivery) => void) {
  for await (const chunk of body) {
    const text = Buffer.from(chunk).toString('latin1');
    for (const line of text.split('\n')) {
      const type = /^\{"type":"(ADDED|MODIFIED|DELETED|BOOKMARK)"/.exec(line)?.[1];
      const revision = /"resourceVersion":"(\d+)"/.exec(line)?.[1];
      if (type !== undefined && revision !== undefined)
        take({ fact: 'delivery', ...facts, type: type as Delivery['type'], revision: Number(revision) });
    }
    yield chunk;
  }
}

/** `/apis/apps/v1/deployments?…` → `apps/deployments`; `/api/v1/pods?…` → `/pods`. */
function factsOf(path: string, watch: number): WatchFacts {
  const [route = '', query = ''] = path.split('?');
  const parts = route.split('/').filter((part) => part !== '');
  const group = parts[0] === 'apis' ? parts[1] : '';
  const parameters = new URLSearchParams(query);
  return {
    watch,
    resource: `${group}/${parts.at(-1)}`,
    labelSelector: parameters.get('labelSelector') ?? '',
    from: Number(parameters.get('resourceVersion') ?? '0'),
  };
}
