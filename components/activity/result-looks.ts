import type { AuditResult } from '@/lib/audit/audit-entry';
import type { StatusKey } from '@/lib/kudo/view/status-words';

/** Word and icon of each result. */
export const resultLooks: { readonly [result in AuditResult]: { readonly word: string; readonly status: StatusKey } } =
  {
    ok: { word: 'Done', status: 'COMPLETE' },
    refused: { word: 'Refused', status: 'cancelled' },
    failed: { word: 'Failed', status: 'FATAL_ERROR' },
  };
