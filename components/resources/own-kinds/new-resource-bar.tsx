import { useAccess } from '@/components/access/use-access';
import { fixText } from '@/components/parameters/parameter-draft';
import { BottomBar } from '@/components/ui/bottom-bar';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { TypedName } from '@/components/ui/typed-name';
import type { DestroyGuard } from '@/components/ui/use-destroy-guard';
import { accessTo } from '@/lib/kube/access';
import type { KindSummary } from '@/lib/kube/kinds';
import type { ResourcePreview } from '@/lib/kudo/own-kinds/resource-preview';
import type { SaveProblem } from '../use-object-draft';
import type { NewResource, NewResourceProblems } from './use-resource-draft';

/** The bar under the form: what comes of the resource, what keeps it from being created, and the two ways on. */
export function NewResourceBar({
  kind,
  resource: { draft, fields },
  preview,
  problems,
  problem,
  guard,
  isPreview,
  isBusy,
  onPreview,
  onCreate,
}: {
  kind: KindSummary;
  resource: NewResource;
  preview: ResourcePreview | undefined;
  problems: NewResourceProblems;
  /** Why the last attempt was refused. */
  problem: SaveProblem | undefined;
  /** Of a run that deletes or replaces data. */
  guard: DestroyGuard | undefined;
  isPreview: boolean;
  isBusy: boolean;
  onPreview: () => void;
  onCreate: () => void;
}) {
  const { namespace, name } = draft;
  const { block } = useAccess(accessTo('create', kind, namespace));
  const wrong = problems.ofName === undefined ? fixText(problems.byField, fields) : 'Fix Name to continue.';
  const refused = preview?.refused === undefined ? undefined : 'The API server refuses the resource.';
  return (
    <BottomBar>
      {problem !== undefined && problem.causes.length === 0 && (
        <Notice tone="fail" alert title="Not created" className="basis-full">
          {problem.message}
        </Notice>
      )}
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">
          {kind.kind} {name || '…'} in {namespace || '…'}
        </p>
        <p className="text-ink-2">{preview === undefined ? 'Checked while you type' : comesOf(preview)}</p>
      </div>
      {guard !== undefined && <TypedName name={preview?.instance ?? ''} guard={guard} />}
      <div className="flex gap-2">
        <Button onClick={onPreview} disabledReason={isPreview ? undefined : wrong}>
          {isPreview ? 'Back to the form' : 'Preview'}
        </Button>
        <Button
          variant={guard === undefined ? 'primary' : 'danger'}
          busy={isBusy}
          disabledReason={wrong ?? refused ?? block ?? guard?.block}
          onClick={onCreate}
        >
          Create
        </Button>
      </div>
    </BottomBar>
  );
}

function comesOf({ instance, plan, run, refused }: ResourcePreview): string {
  if (refused !== undefined) return 'The API server refuses it';
  if (instance === '') return 'Nothing is known of what comes of it';
  return run === undefined
    ? `Becomes Instance ${instance} → plan ${plan}`
    : `Runs plan ${plan} of Instance ${instance}`;
}
