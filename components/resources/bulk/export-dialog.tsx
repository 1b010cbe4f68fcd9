'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { saveFile } from '@/components/ui/save-file';
import type { ExportChoice } from '@/lib/kube/bulk/exported-text';
import { isMaskedKind } from '../secret-mask';
import { type BulkDialogProps, countedTargets } from './bulk-target';
import { OutcomeList } from './outcome-list';
import { readForExport } from './read-for-export';
import { useBulkRun } from './use-bulk-run';

/** Saves the selected objects as one YAML file. */
export function ExportDialog({ targets, onClose }: BulkDialogProps) {
  const [choice, setChoice] = useState<ExportChoice>({ withServerFields: false, withSecrets: false });
  const { phase, outcomes, start, stop } = useBulkRun(targets);
  const [reading] = useState(() => readForExport(targets));
  const failed = outcomes.filter(({ result }) => result !== 'done').length;
  const [first] = targets;
  const hasSecrets = first !== undefined && isMaskedKind(first.type);
  const save = () => saveFile(reading.text(choice), `${first?.type.resource ?? 'objects'}.yaml`, 'application/yaml');
  return (
    <Dialog open onClose={() => onClose()} title={`Export ${countedTargets(targets)} as YAML`}>
      <div className="grid gap-4">
        <p>One file with a document for each object, which kubectl apply takes.</p>
        <Option
          label="With status and the fields that the API server writes"
          checked={choice.withServerFields}
          onChange={(withServerFields) => setChoice({ ...choice, withServerFields })}
        />
        {hasSecrets && (
          <Option
            label="With secret values"
            checked={choice.withSecrets}
            onChange={(withSecrets) => setChoice({ ...choice, withSecrets })}
          />
        )}
        {hasSecrets && choice.withSecrets && (
          <Notice tone="wait" title="The file will have secret values in plain text">
            Keep it where only those read it who may read the Secrets.
          </Notice>
        )}
        {phase !== 'asking' && <OutcomeList outcomes={outcomes} total={targets.length} />}
        {phase === 'over' && failed > 0 && (
          <Notice tone="fail" alert title={`${failed} of ${targets.length} objects could not be read`}>
            The file would be incomplete: it has {targets.length - failed} objects.
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          {phase === 'running' && <Button onClick={stop}>Stop</Button>}
          <Button onClick={() => onClose()}>{phase === 'over' ? 'Close' : 'Cancel'}</Button>
          {phase === 'over' ? (
            <Button variant="primary" onClick={save}>
              Save the file
            </Button>
          ) : (
            <Button variant="primary" busy={phase === 'running'} onClick={() => start(reading.act)}>
              Read the objects
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function Option({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="flex items-center gap-2">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
