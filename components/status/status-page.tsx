'use client';

import type { RequestError } from '@/components/live/request';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ProductStatus } from '@/lib/status/product-status';
import { CopyForSupport } from './copy-for-support';
import { ApiServerCard, ConsoleCard, ControllerCard, LeaseCard } from './part-cards';
import { ProblemList } from './problem-list';
import { useStatus } from './use-status';
import { WatchTable } from './watch-table';

/** How console, controller and API server are: what support asks for first. */
export function StatusPage() {
  const { data, error } = useStatus();
  return (
    <>
      <PageHeader
        title="Status"
        note="How this console, the controller and the API server are"
        actions={data !== undefined && <CopyForSupport status={data} />}
      />
      {error !== null && <Failure error={error} isKnown={data !== undefined} />}
      {data !== undefined && <Parts status={data} />}
      {data === undefined && error === null && (
        <Card title="Controller">
          <SkeletonRows rows={4} />
        </Card>
      )}
    </>
  );
}

function Failure({ error, isKnown }: { error: RequestError; isKnown: boolean }) {
  if (error.status === 403)
    return (
      <Notice tone="hold" title="You may not see the status">
        {error.message}
      </Notice>
    );
  const title = error.status === 0 ? 'The console does not answer' : 'The status cannot be read';
  return (
    <Notice tone="wait" title={title} className="mb-4">
      {error.message}
      {isKnown && ' The page shows what was known before.'}
    </Notice>
  );
}

function Parts({ status }: { status: ProductStatus }) {
  const { console: own, controller, problems } = status;
  const caches = (controller.figures?.caches ?? []).map(({ resource, objects, staleMs }) => ({
    name: resource,
    objects,
    staleMs,
  }));
  const topics = own.topics.map(({ topic, ...figures }) => ({ name: topic, ...figures }));
  return (
    <div className="grid gap-4">
      <div className="grid items-start gap-4 md:grid-cols-2">
        <ControllerCard status={status} />
        <LeaseCard status={status} />
        <ApiServerCard status={status} />
        <ConsoleCard status={status} />
      </div>
      <WatchTable title="Watches of the console" rows={topics} empty="No page is open that shows objects." hasReaders />
      {controller.figures !== undefined && (
        <WatchTable title="Copies of the controller" rows={caches} empty="The controller is reading its first lists." />
      )}
      <ProblemList problems={problems} />
    </div>
  );
}
