'use client';

import { useInstanceView } from '@/components/instance-view/instance-context';
import { objectHref } from '@/components/resources/resource-path';
import { Link } from '@/components/ui/link';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ChainLink } from '@/lib/kudo/runs/failure-explanation';
import { topics } from '@/lib/live/topic';

const WORDS: { readonly [kind in ChainLink['kind']]: string } = {
  step: 'Step',
  object: 'Object',
  pod: 'Pod',
  event: 'Event',
  log: 'Log',
};

/** The way from a step to what keeps it: a line each for step, object, pod, event and log, as far as they are known. */
export function FailureChain({ chain }: { chain: readonly ChainLink[] }) {
  return (
    <dl className="grid grid-cols-[56px_minmax(0,1fr)] gap-x-3 gap-y-1.5 break-words">
      {chain.map((link) => (
        <div key={link.kind} className="contents">
          <dt className="text-ink-3">{WORDS[link.kind]}</dt>
          <dd className="min-w-0">
            <LinkText link={link} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function LinkText({ link }: { link: ChainLink }) {
  const { namespace } = useInstanceView();
  const { kind, text, name, at } = link;
  if (kind === 'log') return <code>{text}</code>;
  if (kind === 'pod' && name !== undefined) {
    const title = `Pod ${name}`;
    return (
      <>
        <Link href={objectHref(topics.pods(namespace), namespace, name)} className="link">
          <code>{title}</code>
        </Link>
        {text.slice(title.length)}
      </>
    );
  }
  if (at === undefined) return text;
  return (
    <>
      {text}{' '}
      <span className="text-ink-3">
        <TimeAgo at={at} />
      </span>
    </>
  );
}
