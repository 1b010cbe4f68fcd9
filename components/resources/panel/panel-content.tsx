'use client';

import { type ReactNode, useMemo } from 'react';
import { type ObjectView, useObject } from '@/components/live/use-topic';
import { LinkButton } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code';
import { CopyButton } from '@/components/ui/copy-button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { TopicState } from '@/components/ui/topic-state';
import { ViewTabs } from '@/components/ui/view-tabs';
import type { KubeObject } from '@/lib/kube/object';
import type { Topic } from '@/lib/live/topic';
import { draftText } from '../object-draft';
import { ObjectEventList } from '../object-events';
import { objectHref } from '../resource-path';
import { useLastState } from '../use-last-state';
import { PanelLogs } from './panel-logs';
import { PanelSummary } from './panel-summary';

/** The parts of an object in the panel. */
export type PanelView = 'summary' | 'events' | 'yaml' | 'logs';

const LABELS: { readonly [view in PanelView]: string } = {
  summary: 'Summary',
  events: 'Events',
  yaml: 'YAML',
  logs: 'Logs',
};

/** What the panel shows of an object, live; its last state when it was deleted meanwhile. Secret values are masked. */
export function PanelContent({
  topic,
  facts,
  view,
  onView,
}: {
  topic: Topic;
  facts: ReactNode;
  view: PanelView;
  onView: (view: PanelView) => void;
}) {
  const { group, version, resource, namespace = '', name = '' } = topic;
  const type = { group, version, resource };
  const live = useObject({ ...type, namespace: namespace || undefined }, namespace, name);
  const object = useLastState(live.object ?? live.last);
  const isPod = group === '' && resource === 'pods';
  const views = (Object.keys(LABELS) as PanelView[]).filter((each) => each !== 'logs' || isPod);
  const shown = views.includes(view) ? view : 'summary';
  if (object === undefined) return <NoObject view={live} topic={topic} facts={facts} />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {live.deleted && (
        <Notice tone="hold" title={`${object.kind} ${name} was deleted`} className="m-3 mb-0">
          This is its last known state.
        </Notice>
      )}
      <ViewTabs
        label={`Parts of ${name}`}
        tabs={views.map((each) => ({ key: each, label: LABELS[each] }))}
        chosen={shown}
        onChoose={(each) => onView(views.find((known) => known === each) ?? 'summary')}
      >
        {shown === 'summary' && <PanelSummary object={object} isGone={live.deleted} facts={facts} />}
        {shown === 'events' && <ObjectEventList object={object} />}
        {shown === 'yaml' && <ObjectText object={object} href={objectHref(type, namespace, name, 'yaml')} />}
        {shown === 'logs' && <PanelLogs pod={object} />}
      </ViewTabs>
    </div>
  );
}

/** To read; the page of the object edits. */
function ObjectText({ object, href }: { object: KubeObject; href: string }) {
  const text = useMemo(() => draftText(object), [object]);
  return (
    <>
      <p className="flex items-center gap-2 border-b px-4 py-2 text-ink-2 text-xs">
        {object.kind === 'Secret' ? 'Secret values are masked.' : 'As stored in the cluster, without managedFields.'}
        <span className="ms-auto flex items-center gap-2">
          <CopyButton text={text} label="Copy the YAML" />
          <LinkButton size="small" href={href}>
            Edit
          </LinkButton>
        </span>
      </p>
      <CodeBlock text={text} label={`YAML of ${object.metadata.name ?? ''}`} />
    </>
  );
}

function NoObject({ view, topic, facts }: { view: ObjectView; topic: Topic; facts: ReactNode }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {facts !== undefined && <div className="border-b p-4">{facts}</div>}
      <TopicState view={view} what={topic.resource} />
      {view.deleted && (
        <EmptyState title={`${topic.name ?? ''} does not exist`}>It was deleted, or the address is wrong.</EmptyState>
      )}
    </div>
  );
}
