'use client';

import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAccess } from '@/components/access/use-access';
import { useAsk } from '@/components/instances/use-ask';
import { useObject } from '@/components/live/use-topic';
import { StarButton } from '@/components/places/star-button';
import { useNoteSeen } from '@/components/places/use-places';
import { Button, LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { StatusPill } from '@/components/ui/status';
import { LinkTabs } from '@/components/ui/tabs';
import { TimeAgo } from '@/components/ui/time-ago';
import { TopicState } from '@/components/ui/topic-state';
import { accessTo } from '@/lib/kube/access';
import { kubeHealthOf } from '@/lib/kube/health/health';
import type { Health } from '@/lib/kube/health/verdict';
import { resourceName } from '@/lib/kube/kinds';
import type { KubeObject } from '@/lib/kube/object';
import { instanceOfResource } from '@/lib/kudo/own-kinds/own-resource';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { StatusKey } from '@/lib/kudo/view/status-words';
import { DeleteDialog } from './delete-dialog';
import type { ObjectAddress } from './object-draft';
import { OwnerBadges } from './ownership/owner-badge';
import { kindHref, objectHref } from './resource-path';
import { useLastState } from './use-last-state';
import { WorkloadActions } from './workloads/workload-actions';

/** What the address asks for to open the dialog of a deletion. */
const DELETE = 'delete';

const PARTS_OF_POD = [
  ['Logs', 'logs'],
  ['Terminal', 'terminal'],
] as const;

/** The frame of an object's pages: what it is, how it is, its actions, its tabs. */
export function ObjectShell({ address, children }: { address: ObjectAddress; children: ReactNode }) {
  const { type, namespace, name } = address;
  const view = useObject({ ...type, namespace: namespace || undefined }, namespace, name);
  const object = useLastState(view.object);
  const isPod = type.group === '' && type.resource === 'pods';
  const isInstance = type.group === 'kudo.dev' && type.resource === 'instances';
  const place = {
    href: objectHref(type, namespace, name),
    label: name,
    note: `${object?.kind ?? type.resource}${namespace === '' ? '' : ` in ${namespace}`}`,
  };
  useNoteSeen(object === undefined ? undefined : place);
  const instance = isInstance || object === undefined ? undefined : instanceOfResource(object);
  return (
    <>
      <PageHeader
        title={name}
        crumbs={[
          { label: 'Resources', href: '/resources' },
          { label: resourceName(type), href: kindHref(type) },
          ...(namespace === '' ? [] : [{ label: namespace }]),
        ]}
        note={object?.kind}
        actions={
          <>
            <StarButton place={place} />
            {isInstance && <LinkButton href={instancePath(namespace, name)}>Open instance</LinkButton>}
            {instance !== undefined && (
              <LinkButton href={instancePath(namespace, instance)}>Open instance {instance}</LinkButton>
            )}
            <ActionsOf address={address} object={object} isGone={view.deleted} />
            <DeleteAction address={address} object={object} isGone={view.deleted} />
          </>
        }
      >
        {object !== undefined && <StateLine object={object} isGone={view.deleted} />}
        <LinkTabs
          label={`Parts of ${name}`}
          tabs={[
            { label: 'Overview', href: objectHref(type, namespace, name) },
            { label: 'Form', href: objectHref(type, namespace, name, 'form') },
            ...(isPod ? PARTS_OF_POD : []).map(([label, tab]) => ({
              label,
              href: objectHref(type, namespace, name, tab),
            })),
            { label: 'Events', href: objectHref(type, namespace, name, 'events') },
            { label: 'YAML', href: objectHref(type, namespace, name, 'yaml') },
          ]}
        />
      </PageHeader>
      {view.deleted && object !== undefined && (
        <Notice tone="hold" title="This object was deleted" className="mb-4">
          This page shows its last state.
        </Notice>
      )}
      {object === undefined ? (
        <Card>
          {view.deleted ? (
            <EmptyState
              title={`${name} does not exist among the ${type.resource}${namespace === '' ? '' : ` of namespace ${namespace}`}`}
              action={<LinkButton href={kindHref(type)}>All {type.resource}</LinkButton>}
            >
              It was deleted, or it never existed. If it is created, this page shows it.
            </EmptyState>
          ) : (
            <TopicState view={view} what={type.resource} />
          )}
        </Card>
      ) : (
        children
      )}
    </>
  );
}

interface ActionsOfProps {
  readonly address: ObjectAddress;
  readonly object: KubeObject | undefined;
  readonly isGone: boolean;
}

/** Before the object is known there is nothing to ask about: what the address asks for must not be lost. */
function DeleteAction({ address, object, isGone }: ActionsOfProps) {
  if (object === undefined) return <DeleteButton block="The object does not exist." onClick={() => undefined} />;
  return <DeleteKnown address={address} object={object} isGone={isGone} />;
}

function DeleteKnown({ address, object, isGone }: ActionsOfProps & { readonly object: KubeObject }) {
  const [asked, ask] = useAsk();
  const access = useAccess(accessTo('delete', address.type, address.namespace));
  const block = whyNotDelete(object, isGone) ?? access.block;
  return (
    <>
      <DeleteButton block={block} onClick={() => ask(DELETE)} />
      <DeleteDialog
        address={address}
        object={object}
        open={asked === DELETE && block === undefined}
        onClose={() => ask(undefined)}
      />
    </>
  );
}

function DeleteButton({ block, onClick }: { block: string | undefined; onClick: () => void }) {
  return (
    <Button variant="danger" icon={<Trash2 size={15} aria-hidden="true" />} disabledReason={block} onClick={onClick}>
      Delete
    </Button>
  );
}

function ActionsOf({ address, object, isGone }: ActionsOfProps) {
  return object === undefined || isGone ? null : <WorkloadActions address={address} object={object} />;
}

function whyNotDelete(object: KubeObject | undefined, isGone: boolean): string | undefined {
  if (object === undefined || isGone) return 'The object does not exist.';
  return object.metadata.deletionTimestamp === undefined ? undefined : 'The object is already being deleted.';
}

const KEY_BY_HEALTH: { readonly [state in Health['state']]: StatusKey } = {
  healthy: 'healthy',
  progressing: 'waiting',
  failed: 'FATAL_ERROR',
  unknown: 'unknown',
};

const NOT_SAID: Health = { state: 'unknown', message: '' };

function StateLine({ object, isGone }: { object: KubeObject; isGone: boolean }) {
  // How an Instance is, its own page says; a kind without status has none.
  const isSaid = object.status !== undefined && !object.apiVersion.startsWith('kudo.dev/');
  const health = isSaid ? kubeHealthOf(object) : NOT_SAID;
  const isLeaving = object.metadata.deletionTimestamp !== undefined;
  const finalizers = object.metadata.finalizers ?? [];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2">
      {isLeaving ? (
        <StatusPill
          status="deleting"
          reason={
            finalizers.length > 0
              ? `waiting for ${finalizers.length === 1 ? 'finalizer' : 'finalizers'} ${finalizers.join(', ')}`
              : undefined
          }
        />
      ) : (
        !isGone &&
        health.state !== 'unknown' && <StatusPill status={KEY_BY_HEALTH[health.state]} reason={health.message} />
      )}
      <span>
        Created <TimeAgo at={object.metadata.creationTimestamp} />
      </span>
      <OwnerBadges object={object} />
    </div>
  );
}
