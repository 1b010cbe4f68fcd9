import { rowsOfClusters } from '@/server/clusters/cluster-rows';
import { pullStream } from '@/server/http/proxy';
import { route } from '@/server/http/route';

export const dynamic = 'force-dynamic';

/** `GET /api/clusters/instances`: a line of JSON (`ClusterRows`) for each cluster, as soon as it has answered. */
export const GET = route(({ request, signal }) => {
  const headers = {
    'content-type': 'application/x-ndjson; charset=utf-8',
    // no-transform: Next would collect the lines in its compressor otherwise.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  };
  return new Response(
    pullStream(lines(request, signal), () => undefined),
    { headers },
  );
});

async function* lines(request: Request, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const rows of rowsOfClusters(request, signal)) yield encoder.encode(`${JSON.stringify(rows)}\n`);
}
