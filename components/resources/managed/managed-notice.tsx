'use client';

import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import { messageOf } from '@/lib/errors/errors';
import { toChange } from '@/lib/kudo/view/action-rights';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { pauseSelfHeal, resumeSelfHeal } from './self-heal-switch';
import type { Manager } from './use-manager';

/** Says above an object who manages it, and what becomes of a change that is made here. */
export function ManagedNotice({ manager, what }: { manager: Manager; what: string }) {
  if (manager.selfHeal === 'paused') return <SelfHealPaused namespace={manager.namespace} name={manager.name} />;
  return (
    <Notice
      tone={manager.selfHeal === 'on' ? 'wait' : 'idle'}
      title={<ManagedBy manager={manager} what={what} />}
      className="mb-3"
      action={
        manager.selfHeal === 'on' &&
        manager.namespace !== '' && <SelfHealButton to="pause" namespace={manager.namespace} name={manager.name} />
      }
    >
      {manager.selfHeal === 'off'
        ? 'The next plan that applies it sets the fields of its templates again. To change them for good, change a parameter.'
        : 'Self-heal reverts changes of the fields that its templates set. To change them for good, change a parameter.'}
    </Notice>
  );
}

/** One sentence with links: the Instance and the operator that manage an object. */
export function ManagedBy({ manager, what }: { manager: Manager; what: string }) {
  const { namespace, name, operator } = manager;
  return (
    <>
      {namespace === '' ? (
        <>Instance {name}</>
      ) : (
        <Link className="link text-accent underline" href={instancePath(namespace, name)}>
          Instance {name}
        </Link>
      )}
      {operator !== '' && ` (operator ${operator})`} manages {what}.
    </>
  );
}

/** Says that self-heal of an Instance is switched off, and switches it on again. */
export function SelfHealPaused({ namespace, name }: { namespace: string; name: string }) {
  return (
    <Notice
      tone="hold"
      title={`Self-heal of Instance ${name} is paused`}
      className="mb-3"
      action={<SelfHealButton to="resume" namespace={namespace} name={name} />}
    >
      Changes of its objects stay until you resume self-heal, or a plan applies the objects again.
    </Notice>
  );
}

const SWITCHES = {
  pause: { label: 'Pause self-heal', run: pauseSelfHeal, done: 'is paused', failed: 'was not paused' },
  resume: { label: 'Resume self-heal', run: resumeSelfHeal, done: 'is on', failed: 'is still paused' },
} as const;

function SelfHealButton({ to, namespace, name }: { to: keyof typeof SWITCHES; namespace: string; name: string }) {
  const [isBusy, setIsBusy] = useState(false);
  const { block } = useAccess(toChange(namespace));
  const { label, run, done, failed } = SWITCHES[to];
  const onClick = async () => {
    setIsBusy(true);
    try {
      await run(namespace, name);
      showToast({ tone: 'ok', title: `Self-heal of ${name} ${done}` });
    } catch (error) {
      showToast({ tone: 'fail', title: `Self-heal of ${name} ${failed}`, detail: messageOf(error) });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button size="small" busy={isBusy} disabledReason={block} onClick={() => void onClick()}>
      {label}
    </Button>
  );
}
