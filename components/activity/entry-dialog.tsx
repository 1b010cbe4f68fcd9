'use client';

import { Dialog } from '@/components/ui/dialog';
import { KeyValues } from '@/components/ui/key-values';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { useExactTime } from '@/components/ui/use-time-zone';
import type { ActivityEntry } from '@/lib/audit/activity';
import { objectLink, runLink } from './entry-links';
import { resultLooks } from './result-looks';

/** All that is known of an entry. */
export function EntryDialog({ entry, onClose }: { entry: ActivityEntry | undefined; onClose: () => void }) {
  const exact = useExactTime();
  return (
    <Dialog open={entry !== undefined} onClose={onClose} title={entry?.summary || entry?.verb || ''}>
      {entry !== undefined && <KeyValues entries={factsOf(entry, exact)} />}
    </Dialog>
  );
}

function factsOf(entry: ActivityEntry, exact: (at: string) => string) {
  const { person, object, result, status, reason, source, run } = entry;
  const { word, status: look } = resultLooks[result];
  const isRequest = source === 'console';
  const answer = [isRequest && `HTTP ${status}`, reason].filter(Boolean).join(', ');
  const type = [object.resource, object.group].filter((part) => part !== '').join('.');
  return [
    ['Result', <StatusText key="result" status={look} word={word} />],
    ['Answer', answer || undefined],
    ['Time', exact(entry.time)],
    ['Person', person.name === '' ? 'not known' : person.name],
    ['Groups', person.groups.length === 0 ? undefined : person.groups.join(', ')],
    ['Address', entry.address || undefined],
    ['Verb', entry.verb],
    ['Object', <Linked key="object" href={objectLink(entry)} text={object.name || type} />],
    ['Kind', object.subresource === '' ? type : `${type}, ${object.subresource}`],
    ['Namespace', object.namespace || undefined],
    ['Run', run === undefined ? undefined : <Linked key="run" href={runLink(entry)} text={run.name} />],
    ['Cluster', entry.cluster],
    ['Duration', isRequest ? `${entry.durationMs} ms` : undefined],
    ['Recorded by', isRequest ? 'this console' : 'the cluster: done through another replica, or with kubectl or bravo'],
    ['Request', isRequest ? <code key="id">{entry.id}</code> : undefined],
  ] as const;
}

function Linked({ href, text }: { href: string | undefined; text: string }) {
  if (href === undefined) return <span className="break-words">{text}</span>;
  return (
    <Link className="link break-words" href={href} prefetch={false}>
      {text}
    </Link>
  );
}
