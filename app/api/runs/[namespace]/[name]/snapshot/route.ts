import { TerminalError } from '@/lib/errors/errors';
import { snapshotHtml } from '@/lib/kudo/snapshot/snapshot';
import { route } from '@/server/http/route';
import { readSnapshotSource } from '@/server/runs/snapshot-source';
import { runtime } from '@/server/runtime/runtime';

/** A run as one HTML file to keep, read with the rights of the person. */
export const GET = route<{ namespace: string; name: string }>(async ({ session, params }) => {
  const source = await readSnapshotSource(session.api, params, runtime());
  if (source === undefined) {
    throw new TerminalError(`Run ${params.name} does not exist in namespace ${params.namespace}.`, 'NotFound');
  }
  return new Response(snapshotHtml(source), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Disposition': `attachment; filename="${source.run.metadata.name}.html"`,
    },
  });
});
