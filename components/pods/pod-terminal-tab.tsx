'use client';

import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import type { ObjectAddress } from '@/components/resources/object-draft';
import { useLiveObject } from '@/components/resources/use-live-object';
import { useUrlState } from '@/components/resources/use-url-state';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { accessTo } from '@/lib/kube/access';
import { containersOfPod } from '@/lib/kube/pods/pod-containers';
import { BEST_SHELL } from '@/lib/terminal/target';
import { DebugButton } from './debug-button';
import { TerminalPanel } from './terminal-panel';

const SHELLS: readonly (readonly [key: string, label: string, command: readonly string[]])[] = [
  ['best', 'bash, else sh', BEST_SHELL],
  ['sh', 'sh', ['sh']],
  ['bash', 'bash', ['bash']],
];

/** A terminal in a container of a pod. Nothing is opened until the person presses the button. */
export function PodTerminalTab({ address }: { address: ObjectAddress }) {
  const { namespace, name } = address;
  const pod = useLiveObject(address);
  const [named, choose] = useUrlState('container');
  const [shell, setShell] = useState('best');
  const [words, setWords] = useState('');
  const [open, setOpen] = useState<{ container: string; command: readonly string[]; at: number }>();
  const { missing, block } = useAccess(accessTo('create', { group: '', resource: 'pods/exec' }, namespace));
  if (pod === undefined) return null;
  const running = containersOfPod(pod).filter(({ isRunning }) => isRunning);
  const container = (running.find((each) => each.name === named) ?? running[0])?.name ?? '';
  const command = SHELLS.find(([key]) => key === shell)?.[2] ?? words.split(/\s+/).filter(Boolean);
  if (running.length === 0 && open === undefined) {
    return (
      <Card>
        <EmptyState title="No container runs">
          A terminal needs a container that runs. This page offers it when one does.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card title="Terminal" action={<DebugButton pod={pod} onAdded={choose} />}>
      <form
        className="grid items-end gap-3 border-b px-4 py-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          if (block === undefined && command.length > 0) setOpen({ container, command, at: (open?.at ?? 0) + 1 });
        }}
      >
        <Field label="Container">
          {(wiring) => (
            <Select {...wiring} value={container} onChange={(event) => choose(event.target.value)}>
              {running.map((each) => (
                <option key={each.name}>{each.name}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Shell">
          {(wiring) => (
            <Select {...wiring} value={shell} onChange={(event) => setShell(event.target.value)}>
              {SHELLS.map(([key, label]) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
              <option value="other">another command…</option>
            </Select>
          )}
        </Field>
        <Button type="submit" variant={open === undefined ? 'primary' : 'default'} disabledReason={block}>
          {open === undefined ? 'Open terminal' : 'Open another one'}
        </Button>
        {shell === 'other' && (
          <div className="sm:col-span-3">
            <Field label="Command" hint="Words are separated by blanks; nothing is expanded.">
              {(wiring) => (
                <Input
                  {...wiring}
                  mono
                  value={words}
                  placeholder="psql -U postgres"
                  onChange={(event) => setWords(event.target.value)}
                />
              )}
            </Field>
          </div>
        )}
      </form>
      {missing !== undefined && (
        <div className="p-4">
          <Notice tone="hold" title="You may not open terminals here">
            {missing}
          </Notice>
        </div>
      )}
      {open === undefined ? (
        missing === undefined && (
          <p className="px-4 py-3 text-ink-2">
            The command runs in the container with your permissions. Who opened a terminal, where and when is in the
            audit log; what is typed is not.
          </p>
        )
      ) : (
        <TerminalPanel
          key={open.at}
          target={{ namespace, pod: name, container: open.container, command: open.command }}
        />
      )}
    </Card>
  );
}
