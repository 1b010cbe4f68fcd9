'use client';

import { useState } from 'react';
import { setLockBreak } from '@/components/access/instance-lock';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { useNow } from '@/components/ui/use-now';
import { newLock } from '@/lib/kudo/lock/instance-lock';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { useSetLock } from './use-set-lock';

interface LockDialogProps {
  row: InstanceRow;
  open: boolean;
  onClose: () => void;
}

const MOST_CHARS = 1_000;

/** Locks an Instance with a reason until a time. */
export function LockDialog({ row, open, onClose }: LockDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={`Lock ${row.name}`}>
      <LockForm row={row} onClose={onClose} />
    </Dialog>
  );
}

function LockForm({ row, onClose }: Omit<LockDialogProps, 'open'>) {
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('4h');
  const lock = newLock(reason, until.trim(), useNow(1_000));
  const set = useSetLock(row, onClose);
  const block = reason.trim() === '' ? 'Say why it is locked.' : 'problem' in lock ? `${lock.problem}.` : undefined;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (block === undefined && !('problem' in lock)) set.mutate(lock);
      }}
    >
      <p>
        No plan of the instance starts until then: edits, other versions, plans and schedules are refused with your name
        and this reason. What runs goes on.
      </p>
      <ReasonInput value={reason} onChange={setReason} />
      <Field label="Until" required hint="30m, 4h, 7d from now, or a time: 2026-01-31T18:00:00Z.">
        {(wiring) => <Input {...wiring} value={until} onChange={(event) => setUntil(event.target.value)} />}
      </Field>
      <Buttons word="Lock" block={block} busy={set.isPending} onClose={onClose} />
    </form>
  );
}

/** Asks why the lock is broken; the next start of this page does it. */
export function BreakLockDialog({ row, open, onClose }: LockDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={`Break the lock of ${row.name}?`}>
      <BreakForm row={row} onClose={onClose} />
    </Dialog>
  );
}

function BreakForm({ row, onClose }: Omit<LockDialogProps, 'open'>) {
  const [reason, setReason] = useState('');
  const block = reason.trim() === '' ? 'Say why the lock is broken.' : undefined;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (block !== undefined) return;
        setLockBreak(row.instance, reason.trim());
        onClose();
      }}
    >
      <p>
        The next plan that you start on this page starts although the instance is locked. The lock stays. Your name and
        this reason are kept in the record of the run, and in an event of the instance.
      </p>
      <ReasonInput value={reason} onChange={setReason} />
      <Buttons word="Break the lock" block={block} busy={false} onClose={onClose} />
    </form>
  );
}

function ReasonInput({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <Field label="Reason" required>
      {(wiring) => (
        <Textarea
          {...wiring}
          data-first-focus=""
          maxLength={MOST_CHARS}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface ButtonsProps {
  word: string;
  block: string | undefined;
  busy: boolean;
  onClose: () => void;
}

function Buttons({ word, block, busy, onClose }: ButtonsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" variant="primary" disabledReason={block} busy={busy}>
        {word}
      </Button>
    </div>
  );
}
