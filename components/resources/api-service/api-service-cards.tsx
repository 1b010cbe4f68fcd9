'use client';

import { useMemo } from 'react';
import { useTopic } from '@/components/live/use-topic';
import { Card } from '@/components/ui/card';
import { KeyValues } from '@/components/ui/key-values';
import { Link } from '@/components/ui/link';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusText } from '@/components/ui/status';
import { TopicState } from '@/components/ui/topic-state';
import { numberAt } from '@/lib/json/json';
import {
  type ApiServiceTarget,
  type ApiServiceView,
  apiServiceView,
  endpointsOf,
  kindsServedBy,
  type ServiceEndpoint,
} from '@/lib/kube/api-services';
import { resourceName } from '@/lib/kube/kinds';
import { formatApiVersion, type KubeObject } from '@/lib/kube/object';
import { ObjectConditions } from '../object-conditions';
import { kindHref, objectHref } from '../resource-path';
import { useKinds } from '../use-kinds';

const SERVICES = { group: '', version: 'v1', resource: 'services' };
const PODS = { group: '', version: 'v1', resource: 'pods' };
const ENDPOINT_SLICES = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };

/** How an APIService is, the kinds that it serves, and who answers for it. */
export function ApiServiceMainCards({ apiService }: { apiService: KubeObject }) {
  const view = useMemo(() => apiServiceView(apiService), [apiService]);
  return (
    <>
      {view.available === 'True' ? <ObjectConditions object={apiService} /> : <Unavailable view={view} />}
      <ServedKinds view={view} />
      {view.service !== undefined && <Endpoints service={view.service} />}
    </>
  );
}

/** What its condition says, and what to do. */
function Unavailable({ view: { available, reason, message, advice } }: { view: ApiServiceView }) {
  const title = available === 'False' ? `Not available: ${reason || 'no reason given'}` : 'Not checked yet';
  return (
    <Notice tone="wait" title={title}>
      <span className="wrap-anywhere">
        {message !== '' && `${/[.!?]$/.test(message) ? message : `${message}.`} `}
        {advice}
      </span>
    </Notice>
  );
}

function ServedKinds({ view }: { view: ApiServiceView }) {
  const kinds = useKinds();
  const served = kinds === undefined ? undefined : kindsServedBy(kinds, view);
  return (
    <Card title="Kinds" note={served === undefined ? undefined : String(served.length)}>
      {served === undefined && (
        <div className="px-4 py-3">
          <Skeleton className="w-2/3" />
        </div>
      )}
      {served?.length === 0 && <p className="px-4 py-3 text-ink-2">{noKinds(view)}</p>}
      <ul className={served?.length ? 'divide-y divide-line' : 'hidden'}>
        {served?.map((kind) => (
          <li key={resourceName(kind)} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
            <Link className="link text-accent" href={kindHref(kind)} prefetch={false}>
              {kind.kind}
            </Link>
            <span className="text-ink-2">{resourceName(kind)}</span>
            {!kind.verbs.includes('watch') && <span className="text-ink-2">read again every 15 s</span>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function noKinds({ group, version, available }: ApiServiceView): string {
  const name = formatApiVersion(group, version);
  return available === 'True'
    ? `${name} has no kinds that can be listed, or they are shown in another version of the group.`
    : `The kinds of ${name} are not known while it is not available.`;
}

/** The pods behind a Service, and addresses that no pod has. */
function Endpoints({ service: { namespace, name } }: { service: ApiServiceTarget }) {
  const view = useTopic({ ...ENDPOINT_SLICES, namespace });
  const endpoints = useMemo(() => endpointsOf(view.objects, name), [view.objects, name]);
  return (
    <Card title={`Endpoints of Service ${name}`} note={view.status === 'ready' ? String(endpoints.length) : undefined}>
      {view.status !== 'ready' && <TopicState view={view} what="EndpointSlices" />}
      {view.status === 'ready' && endpoints.length === 0 && (
        <p className="px-4 py-3 text-ink-2">
          No EndpointSlice of Service {name} in namespace {namespace} has an endpoint.
        </p>
      )}
      <ul className={endpoints.length > 0 ? 'divide-y divide-line' : 'hidden'}>
        {endpoints.map((endpoint) => (
          <li key={endpoint.address} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
            <StatusText
              className="basis-28"
              status={endpoint.isReady ? 'healthy' : 'waiting'}
              word={endpoint.isReady ? 'Ready' : 'Not ready'}
            />
            <EndpointName endpoint={endpoint} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function EndpointName({ endpoint: { address, pod } }: { endpoint: ServiceEndpoint }) {
  return (
    <>
      {pod !== undefined && (
        <Link className="link text-accent" href={objectHref(PODS, pod.namespace, pod.name)}>
          {pod.name}
        </Link>
      )}
      <code className="text-ink-2">{address}</code>
    </>
  );
}

/** Which Service answers for an APIService, and how it is verified. */
export function ApiServiceSideCards({ apiService }: { apiService: KubeObject }) {
  const { group, version, service, verification } = useMemo(() => apiServiceView(apiService), [apiService]);
  const priority = (field: string) => {
    const value = numberAt(apiService, 'spec', field);
    return value === undefined ? undefined : String(value);
  };
  return (
    <Card title="Served by" padded>
      <KeyValues
        entries={[
          ['API', <code key="api">{formatApiVersion(group, version)}</code>],
          [
            'Service',
            service === undefined ? (
              'none: the API server answers itself'
            ) : (
              <Link
                key="service"
                className="link text-accent"
                href={objectHref(SERVICES, service.namespace, service.name)}
              >
                {service.namespace}/{service.name}
              </Link>
            ),
          ],
          ['Port', service === undefined ? undefined : String(service.port)],
          ['Certificate', verification],
          ['Group priority', priority('groupPriorityMinimum')],
          ['Version priority', priority('versionPriority')],
        ]}
      />
    </Card>
  );
}
