'use client';

import { ScrollText, SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { objectHref } from '@/components/resources/resource-path';
import { LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { KeyValues } from '@/components/ui/key-values';
import { StatusText } from '@/components/ui/status';
import { Tag } from '@/components/ui/tag';
import { TimeAgo } from '@/components/ui/time-ago';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { type ContainerRole, containersOfPod, type EndedRun, type PodContainer } from '@/lib/kube/pods/pod-containers';
import { topics } from '@/lib/live/topic';
import { UsageOfContainer } from './usage-of-container';

const ROLE_WORDS: { readonly [role in ContainerRole]: string | undefined } = {
  main: undefined,
  sidecar: 'sidecar',
  init: 'init',
  ephemeral: 'debug',
};

/** Every container of a pod: how it is, what it asks for, how it ended. */
export function ContainersCard({ pod, action }: { pod: KubeObject; action: ReactNode }) {
  const containers = containersOfPod(pod);
  return (
    <Card title="Containers" note={String(containers.length)} action={action}>
      <ul className="divide-y divide-line">
        {containers.map((container) => (
          <li key={container.name} className="px-4 py-3" data-container={container.name}>
            <Container pod={pod} container={container} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Container({ pod, container }: { pod: KubeObject; container: PodContainer }) {
  const { name, role, status, word, message, since, restarts, lastEnd, isRunning } = container;
  const roleWord = ROLE_WORDS[role];
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-semibold">{name}</h3>
        {roleWord !== undefined && <Tag>{roleWord}</Tag>}
        <StatusText status={status} word={word} />
        {since !== undefined && (
          <span className="text-ink-3">
            since <TimeAgo at={since} />
          </span>
        )}
        {restarts > 0 && (
          <Tag tone="wait">
            {restarts} {restarts === 1 ? 'restart' : 'restarts'}
          </Tag>
        )}
        <span className="ms-auto flex gap-1">
          <PodLink
            pod={pod}
            container={name}
            tab="logs"
            label="Logs"
            icon={<ScrollText size={14} aria-hidden="true" />}
          />
          {isRunning && (
            <PodLink
              pod={pod}
              container={name}
              tab="terminal"
              label="Terminal"
              icon={<SquareTerminal size={14} aria-hidden="true" />}
            />
          )}
        </span>
      </div>
      {message !== '' && <p className="mt-1 text-ink-2">{message}</p>}
      <div className="mt-2">
        <KeyValues
          entries={[
            ['Image', <Image key="image" image={container.image} />],
            ['Debugs', container.target],
            ['Last end', lastEnd === undefined ? undefined : <LastEnd key="end" end={lastEnd} />],
            ['Resources', <Resources key="resources" container={container} />],
            ['Now', isRunning ? <UsageOfContainer key="usage" pod={pod} container={container} /> : undefined],
            ['Probes', container.probes.length === 0 ? undefined : <Probes key="probes" container={container} />],
            ['Ports', container.ports.length === 0 ? undefined : <Ports key="ports" pod={pod} container={container} />],
          ]}
        />
      </div>
    </>
  );
}

function PodLink(props: { pod: KubeObject; container: string; tab: string; label: string; icon: ReactNode }) {
  const { pod, container, tab, label, icon } = props;
  const namespace = namespaceOf(pod);
  const href = `${objectHref(topics.pods(namespace), namespace, nameOf(pod), tab)}?container=${encodeURIComponent(container)}`;
  return (
    <LinkButton
      href={href}
      size="small"
      variant="quiet"
      icon={icon}
      aria-label={`${label} of ${container}`}
      prefetch={false}
    >
      {label}
    </LinkButton>
  );
}

function Image({ image }: { image: string }) {
  return (
    <span className="flex items-center gap-1">
      <code className="min-w-0 break-all">{image}</code>
      <CopyButton text={image} label="Copy the image" />
    </span>
  );
}

function LastEnd({ end }: { end: EndedRun }) {
  return (
    <>
      <p>
        {end.reason !== '' && <span className="font-medium">{end.reason}, </span>}
        exit code {end.exitCode}
        {end.finishedAt !== undefined && (
          <>
            , <TimeAgo at={end.finishedAt} />
          </>
        )}
      </p>
      <p className="text-ink-2">{end.meaning}</p>
      {end.message !== '' && (
        <pre className="mono mt-1 max-h-32 overflow-auto whitespace-pre-wrap text-xs">{end.message}</pre>
      )}
    </>
  );
}

function Resources({ container: { requests, limits } }: { container: PodContainer }) {
  const amount = (name: string, asked: string | undefined, limit: string | undefined) =>
    asked === undefined && limit === undefined ? [] : [`${name} ${asked ?? 'no request'} – ${limit ?? 'no limit'}`];
  const words = [...amount('CPU', requests.cpu, limits.cpu), ...amount('memory', requests.memory, limits.memory)];
  if (words.length === 0) return <span className="text-ink-3">no requests and no limits</span>;
  return words.join('; ');
}

function Probes({ container: { probes } }: { container: PodContainer }) {
  return (
    <ul>
      {probes.map(({ kind, asks, rhythm }) => (
        <li key={kind}>
          {kind}: <code className="break-all">{asks}</code> <span className="text-ink-3">{rhythm}</span>
        </li>
      ))}
    </ul>
  );
}

function Ports({ pod, container: { ports } }: { pod: KubeObject; container: PodContainer }) {
  return (
    <ul className="flex flex-wrap gap-x-3">
      {ports.map(({ name, port, protocol }) => (
        <li key={`${port}/${protocol}`} className="flex items-center gap-1">
          <code>
            {port}/{protocol}
          </code>
          {name}
          {protocol === 'TCP' && (
            <CopyButton
              text={`kubectl port-forward -n ${namespaceOf(pod)} pod/${nameOf(pod)} ${port}:${port}`}
              label={`Copy the port-forward command of ${port}`}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
