'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Select, Textarea } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { nameOf } from '@/lib/kube/object';
import { channelProblem } from '@/lib/kudo/repository/lifecycle';
import { publicKeysIn } from '@/lib/kudo/signatures/public-keys';
import type { OperatorSubscription } from '@/lib/kudo/upgrades/operator-subscription';
import { type SubscriptionEdit, useCreateSubscription, useEditSubscription } from './use-subscriptions';
import { type WaveDraft, WaveFields } from './wave-fields';

interface SubscriptionDialogProps {
  open: boolean;
  onClose: () => void;
  operator: string;
  namespace: string;
  existing?: OperatorSubscription;
}

/** The form of a subscription. */
export function SubscriptionDialog({ open, onClose, ...rest }: SubscriptionDialogProps) {
  const title =
    rest.existing === undefined
      ? `Follow a channel for ${rest.operator}`
      : `Edit subscription ${nameOf(rest.existing)}`;
  return (
    <Dialog wide open={open} onClose={onClose} title={title}>
      <SubscriptionForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

const SECRET_NAME = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;

interface Draft extends WaveDraft {
  readonly name: string;
  readonly repository: string;
  readonly channel: string;
  readonly approval: 'Manual' | 'Automatic';
  /** Public keys in PEM, one after the other. */
  readonly keys: string;
  readonly pullSecret: string;
}

function SubscriptionForm({ operator, namespace, existing, onClose }: Omit<SubscriptionDialogProps, 'open'>) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(operator, existing));
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const create = useCreateSubscription(namespace, onClose);
  const edit = useEditSubscription(existing ?? { apiVersion: '', kind: '', metadata: {} });
  const save = existing === undefined ? create : edit;
  const problems = problemsOf(draft);
  const [problem] = Object.values(problems);
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem !== undefined || save.isPending) return;
        const spec = specOf(operator, draft);
        if (existing === undefined) create.mutate({ name: draft.name, spec });
        else edit.mutate(spec, { onSuccess: onClose });
      }}
    >
      <WhatFields draft={draft} problems={problems} isNew={existing === undefined} onChange={change} />
      <WaveFields
        draft={draft}
        confirmLabel={`Type ${operator} to confirm plans that delete or replace data, or leave it empty`}
        hasReason={false}
        onChange={change}
      />
      {save.isError && (
        <Notice tone="fail" alert title="The subscription was not saved">
          {save.error.message}
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={save.isPending} disabledReason={problem}>
          {existing === undefined ? 'Create subscription' : 'Save subscription'}
        </Button>
      </div>
    </form>
  );
}

interface WhatFieldsProps {
  draft: Draft;
  problems: { readonly [field: string]: string };
  isNew: boolean;
  onChange: (changes: Partial<Draft>) => void;
}

function WhatFields({ draft, problems, isNew, onChange }: WhatFieldsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {isNew && (
        <Field label="Name" required error={problems.name}>
          {(wiring) => (
            <Input {...wiring} mono value={draft.name} onChange={(event) => onChange({ name: event.target.value })} />
          )}
        </Field>
      )}
      <Field
        label="Repository"
        required
        error={problems.repository}
        hint="The address of the folder of index.yaml, or oci:// and the path above the packages."
      >
        {(wiring) => (
          <Input
            {...wiring}
            mono
            value={draft.repository}
            onChange={(event) => onChange({ repository: event.target.value })}
          />
        )}
      </Field>
      <Field label="Channel" error={problems.channel}>
        {(wiring) => (
          <Input
            {...wiring}
            mono
            value={draft.channel}
            onChange={(event) => onChange({ channel: event.target.value })}
          />
        )}
      </Field>
      <Field label="Upgrades start">
        {(wiring) => (
          <Select
            {...wiring}
            value={draft.approval}
            onChange={(event) => onChange({ approval: event.target.value === 'Automatic' ? 'Automatic' : 'Manual' })}
          >
            <option value="Manual">when a person approves the version</option>
            <option value="Automatic">by themselves</option>
          </Select>
        )}
      </Field>
      <TrustFields draft={draft} problems={problems} onChange={onChange} />
    </div>
  );
}

/** Whom the packages must be from, and as whom the registry is asked. */
function TrustFields({ draft, problems, onChange }: Omit<WhatFieldsProps, 'isNew'>) {
  return (
    <>
      <Field
        label="Public keys"
        error={problems.keys}
        hint="In PEM. Only packages that one of them has signed are installed; without a key, all are."
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            rows={3}
            value={draft.keys}
            onChange={(event) => onChange({ keys: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Pull secret"
        error={problems.pullSecret}
        hint="A Secret of type kubernetes.io/dockerconfigjson in this namespace, for an OCI registry that asks for a user."
      >
        {(wiring) => (
          <Input
            {...wiring}
            mono
            value={draft.pullSecret}
            onChange={(event) => onChange({ pullSecret: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

function draftOf(operator: string, existing: OperatorSubscription | undefined): Draft {
  const {
    repository = '',
    channel = 'stable',
    approval = 'Manual',
    waveSize = 1,
    signatureKeys = [],
    pullSecret = '',
    window,
    confirm,
  } = existing?.spec ?? {};
  const { pauseOnFailure = true, rollBackWave = false } = existing?.spec ?? {};
  const { start = '', durationMinutes = 60, timeZone = 'UTC' } = window ?? {};
  return {
    ...{ name: existing === undefined ? operator : nameOf(existing), repository, channel, approval },
    ...{ waveSize, pauseOnFailure, rollBackWave, confirm, keys: signatureKeys.join('\n'), pullSecret },
    window: window === undefined ? undefined : { start, durationMinutes, timeZone },
  };
}

function specOf(operator: string, draft: Draft): SubscriptionEdit {
  const { repository, channel, approval, waveSize, pauseOnFailure, rollBackWave, window, confirm = '' } = draft;
  const keys = publicKeysIn(draft.keys);
  return {
    ...{ operator, repository, channel, approval, waveSize, pauseOnFailure, rollBackWave },
    window: window === undefined ? null : { ...window },
    confirm: confirm === '' ? null : confirm,
    signatureKeys: keys.length === 0 ? null : keys,
    pullSecret: draft.pullSecret === '' ? null : draft.pullSecret,
  };
}

function problemsOf({ name, repository, channel, keys, pullSecret }: Draft): { [field: string]: string } {
  const isAddress = /^(?:https?|oci):\/\/[^@\s]+$/.test(repository) && URL.canParse(repository);
  const inChannel = channelProblem(channel);
  return {
    ...(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) ? {} : { name: 'Use lower case letters, digits and dashes.' }),
    ...(isAddress
      ? {}
      : {
          repository:
            'Write an address such as https://packages.example.org/v1 or oci://registry.example.org/operators.',
        }),
    ...(keys.trim() === '' || publicKeysIn(keys).length > 0
      ? {}
      : { keys: 'Paste public keys, each from -----BEGIN PUBLIC KEY----- on.' }),
    ...(pullSecret === '' || SECRET_NAME.test(pullSecret) ? {} : { pullSecret: 'Write the name of a Secret.' }),
    ...(inChannel === undefined ? {} : { channel: `A channel ${inChannel.replace('must be names', 'is a name')}.` }),
  };
}
