import { Card } from '@/components/ui/card';
import { StatusText } from '@/components/ui/status';
import { formatAge } from '@/lib/clock/duration';

interface WatchRow {
  readonly name: string;
  readonly objects: number;
  readonly staleMs: number;
  readonly readers?: number;
}

/** A watch is reopened every minute, which takes a moment. */
const LATE_MS = 5_000;

/** Watched copies: how large each is, who reads it, and whether it is out of date. */
export function WatchTable({
  title,
  rows,
  empty,
  hasReaders = false,
}: {
  title: string;
  rows: readonly WatchRow[];
  empty: string;
  hasReaders?: boolean;
}) {
  if (rows.length === 0) {
    return (
      <Card title={title} padded>
        <p className="text-ink-2">{empty}</p>
      </Card>
    );
  }
  return (
    <Card title={title} note={String(rows.length)}>
      <table className="table table-fixed">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Resource</th>
            <th scope="col" className="w-20 sm:w-28">
              Objects
            </th>
            {hasReaders && (
              <th scope="col" className="w-28 max-sm:hidden">
                Readers
              </th>
            )}
            <th scope="col" className="w-28 sm:w-44">
              State
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, objects, staleMs, readers }) => (
            <tr key={name}>
              <td>
                <code className="break-all">{name}</code>
              </td>
              <td className="tabular-nums">{objects}</td>
              {hasReaders && <td className="tabular-nums max-sm:hidden">{readers}</td>}
              <td>
                <StateOf staleMs={staleMs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function StateOf({ staleMs }: { staleMs: number }) {
  if (staleMs < LATE_MS) return <StatusText status="healthy" word="Current" />;
  return <StatusText status="stale" word={`Late ${formatAge(staleMs)}`} />;
}
