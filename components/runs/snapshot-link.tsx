import { Download } from 'lucide-react';
import { withBasePath } from '@/components/live/base-path';
import type { RunRow } from '@/lib/kudo/view/run-row';

/** Everything of a run as one HTML file, for a ticket. */
export function SnapshotLink({ row: { namespace, name } }: { row: RunRow }) {
  return (
    <a
      className="btn"
      data-size="small"
      href={withBasePath(`/api/runs/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}/snapshot`)}
      download={`${name}.html`}
    >
      <Download size={14} aria-hidden="true" />
      Download
    </a>
  );
}
