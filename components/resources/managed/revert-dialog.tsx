'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import { Button, LinkButton } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { messageOf } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { feedingParameters, type ParameterUse } from '@/lib/kudo/inventory/feeding-parameters';
import type { OperatorVersion } from '@/lib/kudo/types';
import { toChange } from '@/lib/kudo/view/action-rights';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { topics } from '@/lib/live/topic';
import type { ChangedField } from './changed-fields';
import { ManagedBy } from './managed-notice';
import { pauseSelfHeal } from './self-heal-switch';
import type { Manager } from './use-manager';

interface RevertDialogProps {
  readonly manager: Manager;
  /** The object before the change. */
  readonly object: KubeObject;
  readonly changed: readonly ChangedField[];
  readonly onClose: () => void;
  readonly onSave: () => void;
}

/** Asks before a change is saved that self-heal would revert: change the parameter instead, pause self-heal, or save all the same. */
export function RevertDialog(props: RevertDialogProps) {
  const { manager, object, changed, onClose, onSave } = props;
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const { block } = useAccess(toChange(manager.namespace));
  const uses = useParameterUses(manager, object);
  const pause = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await pauseSelfHeal(manager.namespace, manager.name);
      onSave();
    } catch (cause) {
      setError(messageOf(cause));
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Self-heal reverts this change"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={onSave}>Save anyway</Button>
          <Button
            variant="primary"
            busy={isBusy}
            disabledReason={manager.namespace === '' ? UNKNOWN : block}
            onClick={() => void pause()}
          >
            Pause self-heal and save
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>
          <ManagedBy manager={manager} what={`${object.kind} ${object.metadata.name ?? ''}`} /> Its self-heal sets the
          fields of its templates again within seconds.
        </p>
        <ul aria-label="Changed fields" className="grid gap-1">
          {changed.slice(0, MOST_FIELDS).map(({ path, key }) => (
            <li key={path}>
              <code>{path}</code> <SetBy uses={uses.filter((use) => use.key === key)} />
            </li>
          ))}
          {changed.length > MOST_FIELDS && <li className="text-ink-2">{changed.length - MOST_FIELDS} more</li>}
        </ul>
        <Parameters manager={manager} uses={uses} />
        <p className="text-ink-2">
          While self-heal is paused, no object of the Instance is repaired. Resume it on the page of the Instance, or
          here.
        </p>
        {error !== undefined && (
          <Notice tone="fail" alert title="Self-heal was not paused">
            {error}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

const MOST_FIELDS = 8;
const UNKNOWN = 'The namespace of the Instance is not known. Pause self-heal on the page of the Instance.';

function SetBy({ uses }: { uses: readonly ParameterUse[] }) {
  const [use] = uses;
  if (use === undefined) return null;
  const names = [...new Set(uses.map(({ parameter }) => parameter))];
  return (
    <span className="text-ink-2">
      is set by {names.length === 1 ? 'parameter' : 'parameters'} {names.join(', ')} ({use.template}, line {use.line})
    </span>
  );
}

function Parameters({ manager, uses }: { manager: Manager; uses: readonly ParameterUse[] }) {
  if (manager.namespace === '') return null;
  const names = [...new Set(uses.map(({ parameter }) => parameter))];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="min-w-0 flex-1 basis-56 text-ink-2">
        {names.length === 0
          ? 'No parameter was found in the templates of this object.'
          : `Its templates use ${names.length === 1 ? 'parameter' : 'parameters'} ${names.join(', ')}.`}
      </p>
      <LinkButton size="small" href={instancePath(manager.namespace, manager.name, 'parameters')}>
        Open parameters
      </LinkButton>
    </div>
  );
}

/** The event stream leaves the templates out: they are read when they are needed. */
function useParameterUses(manager: Manager, object: KubeObject): readonly ParameterUse[] {
  const { version } = manager;
  const { data } = useQuery({
    enabled: version !== undefined,
    queryKey: ['operator-version', version],
    queryFn: ({ signal }) => request<OperatorVersion>(kubePath({ ...topics.operatorVersions, ...version }), { signal }),
  });
  return data === undefined ? [] : feedingParameters(data, object, manager);
}
