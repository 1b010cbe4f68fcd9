'use client';

import dynamic from 'next/dynamic';
import { useCallback, useRef, useState } from 'react';
import { request } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { loadPart } from '@/components/ui/load-part';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusText } from '@/components/ui/status';
import { systemClock } from '@/lib/clock/clock';
import { accessTo, formatQuestion } from '@/lib/kube/access';
import type { StatusKey } from '@/lib/kudo/view/status-words';
import type { TerminalNotice } from '@/lib/terminal/channels';
import { formatCommand, type TerminalTarget } from '@/lib/terminal/target';
import { TerminalConnection, type TerminalState } from './terminal-connection';
import type { ScreenHandle } from './terminal-screen';

const TerminalScreen = dynamic(() => loadPart(() => import('./terminal-screen')), {
  ssr: false,
  loading: () => (
    <div className="p-4">
      <Skeleton className="w-1/2" />
    </div>
  ),
});

const LOOKS: { readonly [state in TerminalState]: readonly [status: StatusKey, word: string] } = {
  connecting: ['PENDING', 'Connecting'],
  open: ['healthy', 'Connected'],
  lost: ['stale', 'Connection lost, connecting again'],
  closed: ['NEVER_RUN', 'Closed'],
};

/** What is typed keeps the person's session alive, as other work on the page does; said this often at most. */
const USED_MS = 120_000;

interface Shown {
  readonly state: TerminalState;
  readonly message: string;
  readonly notice: TerminalNotice | undefined;
}

/** A terminal with what is to be said of its connection. It is closed when it leaves the page. */
export function TerminalPanel({ target }: { target: TerminalTarget }) {
  const { namespace, pod, container, command } = target;
  const [shown, setShown] = useState<Shown>({ state: 'connecting', message: '', notice: undefined });
  const connection = useRef<TerminalConnection>(undefined);
  const screen = useRef<ScreenHandle>(undefined);
  const usedMs = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a panel is for one target
  const onReady = useCallback((handle: ScreenHandle) => {
    const made = new TerminalConnection(target, {
      output: (data) => handle.write(data),
      notice: (notice) => setShown((old) => ({ ...old, notice })),
      checkSession: () => askRight(namespace),
      state(state, message) {
        setShown((old) => ({ ...old, state, message }));
        if (state === 'open') handle.focus();
        if (message !== '') handle.write(`\r\n\x1b[2m[${message}]\x1b[0m\r\n`);
      },
    });
    screen.current = handle;
    connection.current = made;
    made.open();
    return () => made.close();
  }, []);
  const onInput = useCallback(
    (data: Uint8Array) => {
      connection.current?.type(data);
      if (systemClock.monotonic() - usedMs.current < USED_MS) return;
      usedMs.current = systemClock.monotonic();
      askRight(namespace);
    },
    [namespace],
  );
  const onSize = useCallback((columns: number, rows: number) => connection.current?.resize(columns, rows), []);
  const [status, word] = LOOKS[shown.state];
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2">
        <span role="status" className="min-w-0">
          <StatusText status={status} word={word} />
          {shown.message !== '' && <span className="ms-2 text-ink-2">{shown.message}</span>}
        </span>
        {shown.notice?.isRecorded === true && <StatusText status="ERROR" word="This terminal is recorded" />}
        <span className="ms-auto flex gap-1">
          {shown.state === 'closed' ? (
            <Button size="small" onClick={() => connection.current?.reopen()}>
              Connect again
            </Button>
          ) : (
            <Button size="small" onClick={() => closeBy(connection.current, setShown)}>
              Close
            </Button>
          )}
        </span>
      </div>
      <TerminalScreen
        label={`Terminal in ${pod}, container ${container}: ${formatCommand(command)}`}
        onReady={onReady}
        onInput={onInput}
        onSize={onSize}
      />
      <p className="border-t px-4 py-1.5 text-ink-3 text-xs">
        Shift+Tab leaves the terminal. Ctrl+C copies what is selected, otherwise it interrupts; Ctrl+Shift+V pastes.
        {shown.notice !== undefined && ` It is closed after ${shown.notice.idleMs / 60_000} minutes without a key.`}
      </p>
    </div>
  );
}

function closeBy(connection: TerminalConnection | undefined, show: (shown: Shown) => void): void {
  connection?.close();
  show({ state: 'closed', message: '', notice: undefined });
}

/** A request of the page: it finds out that the session has ended, and says that the person is here. */
function askRight(namespace: string): void {
  const ask = formatQuestion(accessTo('create', { group: '', resource: 'pods/exec' }, namespace));
  void request(`/api/access?${new URLSearchParams({ ask })}`).catch(() => undefined);
}
