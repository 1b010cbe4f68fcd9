import { Link } from '@/components/ui/link';
import { Notice } from '@/components/ui/notice';
import type { ResourcePreview } from '@/lib/kudo/own-kinds/resource-preview';
import type { FieldCause } from '@/lib/kudo/own-kinds/spec-problems';
import type { OwnKindView } from './use-own-kind';

/** What the API server and the operator say of a new resource, as far as no field is about it. */
export function ResourceNotices({
  kind,
  own: { isKnown, operator, behind, namespace },
  preview,
  others,
  error,
}: {
  kind: string;
  own: OwnKindView;
  preview: ResourcePreview | undefined;
  /** Causes of no field. */
  others: readonly FieldCause[];
  error: Error | null;
}) {
  const isMissing = isKnown && behind === undefined;
  // With causes the sentence says the same again.
  const refused = preview?.causes.length === 0 ? preview.refused : undefined;
  return (
    <>
      {isMissing && (
        <Notice tone="wait" title={`The operator is not installed in namespace ${namespace}`}>
          {operator === undefined ? `No operator brings kind ${kind} there.` : <InstallFirst operator={operator} />}
        </Notice>
      )}
      {(others.length > 0 || refused !== undefined) && (
        <Notice tone="fail" alert title="The API server refuses it">
          {refused}
          <ul>
            {others.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {!isMissing && preview?.waitsFor !== undefined && (
        <Notice tone="wait" title="The operator would not act on it">
          {preview.waitsFor.message}
        </Notice>
      )}
      {preview?.noted !== undefined && <Notice tone="hold" title={preview.noted.message} />}
      {(error !== null || preview?.problem !== undefined) && (
        <Notice tone="wait" title="The preview is not available">
          {error?.message ?? preview?.problem}
        </Notice>
      )}
    </>
  );
}

function InstallFirst({ operator }: { operator: string }) {
  return (
    <>
      The resource waits until it is.{' '}
      <Link className="link" href="/install">
        Install {operator}
      </Link>
    </>
  );
}
