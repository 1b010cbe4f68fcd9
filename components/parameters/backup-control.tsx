'use client';

import { useMemo, useState } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useTopic } from '@/components/live/use-topic';
import { Input, Select } from '@/components/ui/input';
import { useNow } from '@/components/ui/use-now';
import { parseTime } from '@/lib/clock/clock';
import { formatAge } from '@/lib/clock/duration';
import { type Backup, backupsOf } from '@/lib/kudo/runs/backups';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { bytesText } from '@/lib/kudo/view/bytes-text';
import { topics } from '@/lib/live/topic';
import type { ParameterControlProps } from './parameter-control-props';

/** An option of the list that no backup can be named like: names hold no space. */
const OTHER = 'another name';

/** The name of a backup: one of those that the runs of the Instance made, the default, or any other text. */
export function BackupControl({ field, value, wiring, onChange }: ParameterControlProps) {
  const backups = useBackups();
  const nowMs = useNow(60_000);
  const { default: standard = '' } = field;
  const isKnown = value === standard || backups.some(({ name }) => name === value);
  const [isOther, setOther] = useState(false);
  const asksText = isOther || !isKnown;
  return (
    <span className="grid w-full max-w-[420px] gap-1.5">
      <Select
        {...wiring}
        mono
        value={asksText ? OTHER : value}
        onChange={(event) => {
          const chosen = event.target.value;
          setOther(chosen === OTHER);
          if (chosen !== OTHER) onChange(chosen);
        }}
      >
        <option value={standard}>{standard === '' ? 'None' : standard}</option>
        {backups
          .filter(({ name }) => name !== standard)
          .map((backup) => (
            <option key={backup.name} value={backup.name}>
              {backupText(backup, nowMs)}
            </option>
          ))}
        <option value={OTHER}>Another name…</option>
      </Select>
      {asksText && (
        <Input
          mono
          autoComplete="off"
          spellCheck={false}
          aria-label={`${field.label}: name of the backup`}
          aria-describedby={wiring['aria-describedby']}
          aria-invalid={wiring['aria-invalid']}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </span>
  );
}

/** Of the Instance of the page, the newest first. */
function useBackups(): readonly Backup[] {
  const { namespace, name, row } = useInstanceView();
  const { objects } = useTopic(topics.planRunRowsOf(namespace, name));
  const uid = row?.instance.metadata.uid;
  return useMemo(
    () => backupsOf((objects as readonly PlanRun[]).filter(({ spec }) => spec?.instanceUid === uid)),
    [objects, uid],
  );
}

/** `pg-20261124T1200 · 3 h ago · 1.2 GiB`. */
function backupText({ name, createdAt, size, isVerified }: Backup, nowMs: number): string {
  const atMs = parseTime(createdAt);
  const parts = [
    name,
    ...(atMs === undefined ? [] : [`${formatAge(nowMs - atMs)} ago`]),
    ...(size === undefined ? [] : [bytesText(size)]),
    ...(isVerified ? ['read back'] : []),
  ];
  return parts.join(' · ');
}
