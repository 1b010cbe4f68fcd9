import { PreviewRow, PreviewSteps } from '@/components/install/preview-steps';
import { PlanEffects } from '@/components/plans/plan-effects';
import { Card } from '@/components/ui/card';
import { SkeletonRows } from '@/components/ui/skeleton';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { ResourcePreview } from '@/lib/kudo/own-kinds/resource-preview';

/** What comes of a new resource: the Instance with its parameters and objects, or the run of a plan. */
export function ResourcePreviewView({ object, preview }: { object: KubeObject; preview: ResourcePreview | undefined }) {
  if (preview === undefined) {
    return (
      <Card title="What is created">
        <SkeletonRows />
      </Card>
    );
  }
  const { instance, plan, run, tasks, operatorVersion } = preview;
  const parameters = Object.entries(preview.parameters);
  return (
    <>
      <Card title="What is created">
        <ul className="divide-y divide-line">
          <PreviewRow kind={object.kind} name={nameOf(object)} note="now, with your permissions" />
          {run === undefined && instance !== '' && (
            <PreviewRow kind="Instance" name={instance} note={`of ${operatorVersion}, starts plan ${plan}`} />
          )}
        </ul>
      </Card>
      {parameters.length > 0 && (
        <Card title="Parameters" note={`of Instance ${instance}`}>
          <dl className="divide-y divide-line">
            {parameters.map(([name, value]) => (
              <div key={name} className="flex flex-wrap justify-between gap-x-4 px-4 py-1.5">
                <dt className="text-ink-2">
                  <code>{name}</code>
                </dt>
                <dd className="mono min-w-0 whitespace-pre-wrap break-words">
                  {value === '' ? '(empty)' : value.trim()}
                </dd>
              </div>
            ))}
          </dl>
        </Card>
      )}
      {run !== undefined && (
        <Card title={`Plan ${plan}`} note={`of Instance ${instance}`} padded>
          <PlanEffects preview={run} error={null} />
        </Card>
      )}
      <PreviewSteps tasks={tasks} />
    </>
  );
}
