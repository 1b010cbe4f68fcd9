import { Download } from 'lucide-react';
import { serverPath } from '@/components/live/address';
import { type ActivityFilter, formatActivityFilter } from '@/lib/audit/activity';

const FORMATS = [
  ['jsonl', 'JSON lines'],
  ['csv', 'CSV'],
] as const;

/** Everything that the filter shows, as a file. */
export function ExportLinks({ filter }: { filter: ActivityFilter }) {
  return FORMATS.map(([format, words]) => {
    const query = formatActivityFilter(filter);
    query.set('format', format);
    return (
      <a
        key={format}
        className="btn"
        data-size="small"
        href={serverPath(`/api/activity/export?${query}`)}
        download={`bravo-activity.${format}`}
        aria-label={`Export as ${words}`}
      >
        <Download size={14} aria-hidden="true" />
        {words}
      </a>
    );
  });
}
