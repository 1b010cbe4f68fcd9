'use client';

import dynamic from 'next/dynamic';
import { useObject } from '@/components/live/use-topic';
import { Card } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { KeyValues } from '@/components/ui/key-values';
import { Link } from '@/components/ui/link';
import { loadPart } from '@/components/ui/load-part';
import { TimeAgo } from '@/components/ui/time-ago';
import { isJsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { revisionType } from '@/lib/kube/workloads/revisions';
import { ObjectConditions } from './object-conditions';
import { DataCard } from './object-data';
import type { ObjectAddress } from './object-draft';
import { ObjectEventList } from './object-events';
import { OwnedCard, OwnerLinks } from './object-relations';
import { useLastState } from './use-last-state';

const RolloutHistory = dynamic(() =>
  loadPart(() => import('./workloads/rollout-history')).then((module) => module.RolloutHistory),
);
// Pages of other kinds do not load what only pods have.
const PodMainCards = dynamic(() =>
  loadPart(() => import('@/components/pods/pod-cards')).then((cards) => cards.PodMainCards),
);
const PodSideCards = dynamic(() =>
  loadPart(() => import('@/components/pods/pod-cards')).then((cards) => cards.PodSideCards),
);

const DefinitionMainCards = dynamic(() =>
  loadPart(() => import('./definition/definition-cards')).then((cards) => cards.DefinitionMainCards),
);
const DefinitionSideCards = dynamic(() =>
  loadPart(() => import('./definition/definition-cards')).then((cards) => cards.DefinitionSideCards),
);

const ApiServiceMainCards = dynamic(() =>
  loadPart(() => import('./api-service/api-service-cards')).then((cards) => cards.ApiServiceMainCards),
);
const ApiServiceSideCards = dynamic(() =>
  loadPart(() => import('./api-service/api-service-cards')).then((cards) => cards.ApiServiceSideCards),
);

/** An object at a glance: conditions, what it says in words, to whom it belongs, its last events. */
export function ObjectOverview({ address }: { address: ObjectAddress }) {
  const { type, namespace, name } = address;
  const view = useObject({ ...type, namespace: namespace || undefined }, namespace, name);
  const object = useLastState(view.object);
  if (object === undefined) return null;
  const revisions = revisionType(object);
  const isPod = type.group === '' && type.resource === 'pods';
  const isDefinition = type.group === 'apiextensions.k8s.io' && type.resource === 'customresourcedefinitions';
  const isApiService = type.group === 'apiregistration.k8s.io' && type.resource === 'apiservices';
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1.65fr)_minmax(0,1fr)]">
      <div className="grid gap-4">
        {isPod && <PodMainCards pod={object} />}
        {isDefinition && <DefinitionMainCards definition={object} />}
        {isApiService && <ApiServiceMainCards apiService={object} />}
        {!isApiService && <ObjectConditions object={object} />}
        {revisions !== undefined && <RolloutHistory address={address} object={object} type={revisions} />}
        <DataCard address={address} object={object} />
        {!isDefinition && !isApiService && <ScalarCard title="Spec" value={object.spec} />}
        {!isDefinition && <ScalarCard title="Status" value={object.status} />}
        <Card title="Last events">
          <ObjectEventList object={object} limit={5} />
        </Card>
      </div>
      <div className="grid gap-4">
        {isPod && <PodSideCards pod={object} />}
        {isDefinition && <DefinitionSideCards definition={object} />}
        {isApiService && <ApiServiceSideCards apiService={object} />}
        <DetailsCard object={object} />
        <OwnedCard object={object} />
      </div>
    </div>
  );
}

function DetailsCard({ object }: { object: KubeObject }) {
  const { metadata } = object;
  return (
    <Card title="Details" padded>
      <KeyValues
        entries={[
          ['Kind', `${object.kind} (${object.apiVersion})`],
          [
            'Namespace',
            metadata.namespace === undefined ? undefined : <NamespaceLink key="namespace" name={metadata.namespace} />,
          ],
          [
            'Belongs to',
            metadata.ownerReferences === undefined ? undefined : <OwnerLinks key="owners" object={object} />,
          ],
          ['Created', <TimeAgo key="created" at={metadata.creationTimestamp} />],
          ['Version', <code key="version">{metadata.resourceVersion}</code>],
          ['Generation', metadata.generation === undefined ? undefined : String(metadata.generation)],
          ['Finalizers', metadata.finalizers?.join(', ')],
          ['UID', <Uid key="uid" uid={metadata.uid ?? ''} />],
          ['Labels', <Pairs key="labels" pairs={metadata.labels} />],
          ['Annotations', <Pairs key="annotations" pairs={metadata.annotations} />],
        ]}
      />
    </Card>
  );
}

function NamespaceLink({ name }: { name: string }) {
  return (
    <Link className="link text-accent" href={`/resources/core/v1/namespaces/_/${encodeURIComponent(name)}`}>
      {name}
    </Link>
  );
}

function Uid({ uid }: { uid: string }) {
  return (
    <span className="flex items-center gap-1">
      <code className="min-w-0 truncate" title={uid}>
        {uid}
      </code>
      <CopyButton text={uid} label="Copy the UID" />
    </span>
  );
}

const LONG_VALUE = 60;

function Pairs({ pairs }: { pairs: { [key: string]: string } | undefined }) {
  const entries = Object.entries(pairs ?? {});
  if (entries.length === 0) return <span className="text-ink-3">none</span>;
  return (
    <ul className="flex flex-wrap gap-1">
      {entries.map(([key, value]) => (
        <li key={key} className="max-w-full" title={`${key}=${value}`}>
          <code className="block max-w-full truncate rounded-sm border border-line bg-sunken px-[7px] py-px text-ink-2">
            {key}=<bdi>{value.length > LONG_VALUE ? `${value.slice(0, LONG_VALUE)}…` : value}</bdi>
          </code>
        </li>
      ))}
    </ul>
  );
}

/** The plain values of a part of the object; what is nested is for the YAML. */
function ScalarCard({ title, value }: { title: string; value: unknown }) {
  if (!isJsonObject(value)) return null;
  const entries = Object.entries(value).filter(([key]) => key !== 'conditions');
  const plain = entries.flatMap(([key, member]) => {
    const text = plainText(member);
    return text === undefined ? [] : [[key, text] as const];
  });
  if (plain.length === 0) return null;
  const nested = entries.length - plain.length;
  return (
    <Card
      title={title}
      note={nested > 0 ? `${nested} more ${nested === 1 ? 'part' : 'parts'} in the YAML` : undefined}
      padded
    >
      <dl className="grid grid-cols-[minmax(0,45%)_minmax(0,1fr)] gap-x-4 gap-y-[7px] sm:grid-cols-[minmax(88px,240px)_minmax(0,1fr)]">
        {plain.map(([key, text]) => (
          <div key={key} className="contents">
            <dt className="text-ink-3">{key}</dt>
            <dd className="min-w-0">
              <code>{text}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function plainText(value: JsonValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) {
    const texts = value.map(plainText);
    return value.length > 0 && texts.every((text) => text !== undefined) ? texts.join(', ') : undefined;
  }
  const members = Object.entries(value);
  const isFlat =
    members.length > 0 &&
    members.length <= 6 &&
    members.every(([, member]) => member === null || typeof member !== 'object');
  return isFlat ? members.map(([key, member]) => `${key}=${String(member)}`).join(', ') : undefined;
}
