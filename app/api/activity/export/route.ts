import { activityMatcher, parseActivityFilter } from '@/lib/audit/activity';
import { ACTIVITY_CSV_HEAD, activityCsvLine, activityJsonLine } from '@/lib/audit/activity-export';
import { activityOfPerson } from '@/server/audit/activity-of-person';
import { Refusal } from '@/server/http/problem';
import { route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

export const dynamic = 'force-dynamic';

const FORMATS = {
  jsonl: { type: 'application/x-ndjson; charset=utf-8', head: '', line: activityJsonLine },
  csv: { type: 'text/csv; charset=utf-8', head: ACTIVITY_CSV_HEAD, line: activityCsvLine },
} as const;

/** `?format=jsonl|csv` and the filter of `/api/activity`: everything that fits, as a file. */
export const GET = route(async ({ session, query }) => {
  const format = query.get('format');
  if (format !== 'jsonl' && format !== 'csv') {
    throw new Refusal(400, 'BadRequest', 'Say as what: format is missing; give jsonl or csv.');
  }
  const nowMs = runtime().clock.now();
  const seen = await activityOfPerson(session);
  const { type, head, line } = FORMATS[format];
  const fitting = (seen?.entries ?? []).filter(activityMatcher(parseActivityFilter(query), nowMs));
  const text = head + fitting.map(line).join('');
  const name = `bravo-activity.${format}`;
  return new Response(text, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  });
});
