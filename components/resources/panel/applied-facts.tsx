'use client';

import { KeyValues } from '@/components/ui/key-values';
import { Link } from '@/components/ui/link';
import { TimeAgo } from '@/components/ui/time-ago';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import { managingInstance } from '@/lib/kudo/inventory/managing-instance';
import { EXECUTION_UID_ANNOTATION, INSTANCE_LABEL } from '@/lib/kudo/names';
import type { AppliedBy } from '@/lib/kudo/tree/applied-by';
import { instancePath } from '@/lib/kudo/view/instance-path';

/** The Instance of an object, and the task that applied it, as the object says itself. Nothing for an object of no Instance. */
export function AppliedFacts({ object }: { object: KubeObject }) {
  const managing = managingInstance(object);
  const labelled = object.metadata.labels?.[INSTANCE_LABEL];
  const namespace = namespaceOf(object);
  if (managing !== undefined) {
    const { plan, phase, step } = managing;
    const run = object.metadata.annotations?.[EXECUTION_UID_ANNOTATION] ?? '';
    return <AppliedByTask place={managing} by={{ plan, phase, step, task: '', run, at: '' }} />;
  }
  if (labelled === undefined || namespace === '') return null;
  return (
    <KeyValues
      entries={[
        ['Instance', <InstanceLink key="instance" namespace={namespace} name={labelled} />],
        ['Applied by', 'Not applied by a task'],
      ]}
    />
  );
}

/** Which task of an Instance applied an object, in which run, when. */
export function AppliedByTask({
  place,
  by,
  drift,
}: {
  /** The Instance; its namespace is empty when the object does not say it. */
  place: { readonly namespace: string; readonly name: string };
  by: AppliedBy | undefined;
  /** What was changed outside of plans. */
  drift?: string | undefined;
}) {
  if (by === undefined)
    return (
      <KeyValues
        entries={[
          ['Applied by', 'Not applied by a task'],
          ['Changed outside', drift],
        ]}
      />
    );
  const { plan, phase, step, task, run, at } = by;
  const path = [phase, step].filter((part) => part !== '').join(' / ');
  return (
    <KeyValues
      entries={[
        ['Instance', <InstanceLink key="instance" {...place} />],
        ['Applied by', <AppliedText key="task" task={task} plan={plan} path={path} />],
        [
          'In run',
          run === '' || place.namespace === '' ? undefined : (
            <Link
              key="run"
              className="link text-accent"
              href={instancePath(place.namespace, place.name, `runs/${run}`)}
            >
              {plan} {at !== '' && <TimeAgo at={at} />}
            </Link>
          ),
        ],
        ['Changed outside', drift],
      ]}
    />
  );
}

function AppliedText({ task, plan, path }: { task: string; plan: string; path: string }) {
  return (
    <>
      {task !== '' && (
        <>
          task <b className="font-semibold">{task}</b>,{' '}
        </>
      )}
      plan {plan}, step {path}
    </>
  );
}

function InstanceLink({ namespace, name }: { namespace: string; name: string }) {
  if (namespace === '') return name;
  return (
    <Link className="link text-accent" href={instancePath(namespace, name, 'resources')}>
      {name}
    </Link>
  );
}
