import { isMonth, usageCsv } from '@/lib/kudo/usage/rows';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';
import { readUsage } from '@/server/usage/read-usage';

export const dynamic = 'force-dynamic';

/** Namespaces that are read one by one. */
const MOST = 200;

/** `?month=2026-11&in=NAMESPACE&namespace=a&namespace=b&format=csv`: usage, of namespaces `a` and `b` for who may not read all. */
export const GET = route(async ({ session, query }) => {
  const month = query.get('month') ?? '';
  if (month !== '' && !isMonth(month)) {
    throw new Refusal(400, 'BadRequest', `month: "${month}" is not a month; write it as 2026-11.`);
  }
  const { rows, notes } = await readUsage(session.api, {
    namespace: query.get('in') ?? undefined,
    known: query.getAll('namespace').slice(0, MOST),
    nowMs: runtime().clock.now(),
  });
  const shown = month === '' ? rows : rows.filter((row) => row.month === month);
  if (query.get('format') !== 'csv')
    return json({ rows: shown, notes, months: [...new Set(rows.map((row) => row.month))] });
  return new Response(usageCsv(shown), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="bravo-usage${month === '' ? '' : `-${month}`}.csv"`,
    },
  });
});
