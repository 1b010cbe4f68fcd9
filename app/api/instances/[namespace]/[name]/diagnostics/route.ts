import { collectArchive } from '@/server/diagnostics/collect-archive';
import { route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

export const dynamic = 'force-dynamic';

/** The archive of `bravo diagnostics collect --archive`, collected with the authority of the person. */
export const GET = route<{ namespace: string; name: string }>(async ({ session, params }) => {
  const { namespace, name } = params;
  const { clock } = runtime();
  const ignore = () => undefined;
  const source = { api: session.api, clock, namespace, printLine: ignore, warn: ignore };
  const { bytes } = await collectArchive(source, { instance: name });
  return new Response(Buffer.from(bytes), {
    headers: {
      'content-type': 'application/gzip',
      'content-disposition': `attachment; filename="diagnostics-${name}.tgz"`,
    },
  });
});
