import { Notice } from '@/components/ui/notice';
import { TypedName } from '@/components/ui/typed-name';
import type { CrdVerdict } from '@/lib/kudo/own-kinds/crd-verdict';
import type { KindsChoice } from './use-kinds-choice';

/** The kinds that an operator brings, whether they are installed, and what that takes from others; nothing for an operator without any. */
export function KindsNotice({ choice }: { choice: KindsChoice }) {
  const { names, isSkipped, skip, foreign, refused, toType, guard } = choice;
  if (names.length === 0) return null;
  return (
    <div className="grid gap-3">
      <Notice tone="hold" title={`The operator brings ${names.join(', ')}`}>
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={!isSkipped} onChange={(event) => skip(!event.target.checked)} />
          Install these kinds for the whole cluster. The instance does not need them.
        </label>
      </Notice>
      {!isSkipped &&
        refused.map((verdict) => (
          <Notice key={verdict.crd} tone="fail" alert title={`CRD ${verdict.crd} cannot be installed`}>
            <p>{verdict.message}</p>
            <Owner verdict={verdict} />
          </Notice>
        ))}
      {!isSkipped && refused.length === 0 && foreign.length > 0 && (
        <Notice tone="wait" alert title={foreignTitle(foreign)}>
          <p>
            Another controller may act on their resources: stop it first. Then Bravo replaces the schemas, and its
            controller acts on every resource that exists.
          </p>
          <ul className="mt-2 grid gap-2">
            {foreign.map((verdict) => (
              <li key={verdict.crd}>
                <p className="break-all font-medium">{verdict.crd}</p>
                <Owner verdict={verdict} />
                <Changes verdict={verdict} />
              </li>
            ))}
          </ul>
          <div className="mt-3 max-w-96">
            <TypedName name={toType} guard={guard} />
          </div>
        </Notice>
      )}
    </div>
  );
}

function foreignTitle(foreign: readonly CrdVerdict[]): string {
  const count = foreign.length;
  return count === 1 ? 'A CRD belongs to somebody else' : `${count} CRDs belong to somebody else`;
}

function Owner({ verdict: { owner } }: { verdict: CrdVerdict }) {
  return (
    <p className="text-ink-2">
      {owner.length === 0 ? 'Nothing says who brought it.' : `Brought by: ${owner.join('; ')}.`}
    </p>
  );
}

function Changes({ verdict: { crd, changes } }: { verdict: CrdVerdict }) {
  if (changes.length === 0) return <p className="text-ink-2">The adoption changes only its labels.</p>;
  return (
    <details>
      <summary>{changes.length === 1 ? '1 change' : `${changes.length} changes`}</summary>
      <ul aria-label={`Changes of ${crd}`} className="mono text-xs">
        {changes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
