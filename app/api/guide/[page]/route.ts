import { readGuide } from '@/server/guide/read-guide';
import { Refusal } from '@/server/http/problem';
import { json, route } from '@/server/http/route';

export const dynamic = 'force-dynamic';

/** A page of the guide: `{text}`, Markdown. */
export const GET = route<{ page: string }>(async ({ params }) => {
  const text = await readGuide(params.page);
  if (text === undefined)
    throw new Refusal(404, 'NotFound', 'The guide has no such page. All pages are listed under Help.');
  return json({ text });
});
