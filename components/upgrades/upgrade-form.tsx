'use client';

import { useState } from 'react';
import { useBlocks } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { Instance } from '@/lib/kudo/types';
import type { OperatorSubscription } from '@/lib/kudo/upgrades/operator-subscription';
import type { UpgradePlan } from '@/lib/kudo/upgrades/upgrade-plan';
import { toUpgrade } from '@/lib/kudo/view/action-rights';
import { UpgradePlanView } from './upgrade-plan-view';
import { type UpgradeDraft, useStartUpgrade, useUpgradePlans } from './use-upgrades';
import { WaveFields } from './wave-fields';

interface UpgradeFormProps {
  operator: string;
  namespace: string;
  instances: readonly Instance[];
  /** Keys of versions that the catalogue has, the best first. */
  versions: readonly string[];
  subscriptions: readonly OperatorSubscription[];
}

/** Chooses Instances and a version, shows what the upgrade does, and starts it in waves. */
export function UpgradeForm({ operator, namespace, instances, versions, subscriptions }: UpgradeFormProps) {
  const names = instances.map(({ metadata }) => metadata.name ?? '').sort();
  const [draft, setDraft] = useState<UpgradeDraft>(() => ({
    ...{ namespace, instances: names, parameters: {} },
    ...{ waveSize: 1, pauseOnFailure: true, rollBackWave: false },
    ...(subscriptions[0] === undefined ? {} : { subscription: subscriptions[0].metadata.name ?? '' }),
  }));
  const change = (changes: Partial<UpgradeDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const { data, error } = useUpgradePlans(draft, instances.map(({ spec }) => spec?.operatorVersion?.name ?? '').join());
  const [startBlock] = useBlocks([toUpgrade('create', namespace)]);
  const start = useStartUpgrade(() => setDraft((before) => ({ ...before, reason: '', confirm: '' })));
  const plans = data?.plans ?? [];
  const isDestructive = plans.some(({ steps }) => steps.some((step) => step.isDestructive));
  const block =
    startBlock ??
    blockOf(draft, plans) ??
    (isDestructive && draft.confirm !== operator ? `Type ${operator} to confirm.` : undefined);
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (block === undefined && !start.isPending) start.mutate(draft);
      }}
    >
      <InstanceChoice
        names={names}
        instances={instances}
        chosen={draft.instances}
        onChange={(chosen) => change({ instances: chosen })}
      />
      <VersionFields draft={draft} versions={versions} subscriptions={subscriptions} onChange={change} />
      <MissingValues plans={plans} draft={draft} onChange={(parameters) => change({ parameters })} />
      {error !== null && (
        <Notice tone="fail" alert title="The plan is not available">
          {error.message}
        </Notice>
      )}
      {draft.instances.length > 0 && data === undefined && error === null && <SkeletonRows rows={4} />}
      {plans.length > 0 && <Plans plans={plans} />}
      <WaveFields
        draft={draft}
        confirmLabel={isDestructive ? `A plan deletes or replaces data. Type ${operator} to confirm.` : undefined}
        onChange={change}
      />
      {start.isError && (
        <Notice tone="fail" alert title="The upgrade was not created">
          {start.error.message}
        </Notice>
      )}
      <div className="flex justify-end">
        <Button
          type="submit"
          variant={isDestructive ? 'destroy' : 'primary'}
          busy={start.isPending}
          disabledReason={block}
        >
          {`Upgrade ${draft.instances.length} ${draft.instances.length === 1 ? 'instance' : 'instances'}`}
        </Button>
      </div>
    </form>
  );
}

/** Why the upgrade cannot be created. What blocks an Instance for now only holds it later. */
function blockOf(draft: UpgradeDraft, plans: readonly UpgradePlan[]): string | undefined {
  if (draft.instances.length === 0) return 'Choose at least one instance.';
  if (plans.length === 0) return 'The plan is being made.';
  if (plans.every(({ steps, checks }) => steps.length === 0 && checks.every(({ state }) => state !== 'blocked'))) {
    return 'Every chosen instance has the newest version.';
  }
  const stuck = plans.flatMap(({ instance, checks }) =>
    checks
      .filter(({ check, state }) => state === 'blocked' && (check === 'path' || check === 'parameters'))
      .map(({ message }) => `${instance}: ${message}`),
  );
  return stuck[0];
}

interface InstanceChoiceProps {
  names: readonly string[];
  instances: readonly Instance[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

function InstanceChoice({ names, instances, chosen, onChange }: InstanceChoiceProps) {
  const versionOf = (name: string) =>
    instances.find(({ metadata }) => metadata.name === name)?.spec?.operatorVersion?.name ?? '';
  const toggle = (name: string) =>
    onChange(names.filter((each) => (each === name ? !chosen.includes(each) : chosen.includes(each))));
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium">Instances, in the order of the waves</legend>
      {names.map((name) => (
        <label key={name} className="flex min-h-7 items-center gap-2">
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
          <span className="font-medium">{name}</span>
          <code className="text-ink-2">{versionOf(name)}</code>
        </label>
      ))}
    </fieldset>
  );
}

interface VersionFieldsProps {
  draft: UpgradeDraft;
  versions: readonly string[];
  subscriptions: readonly OperatorSubscription[];
  onChange: (changes: Partial<UpgradeDraft>) => void;
}

function VersionFields({ draft, versions, subscriptions, onChange }: VersionFieldsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label="Versions from">
        {(wiring) => (
          <Select
            {...wiring}
            value={draft.subscription ?? ''}
            onChange={(event) => onChange({ subscription: event.target.value, to: '' })}
          >
            <option value="">the catalogue</option>
            {subscriptions.map(({ metadata: { name = '' }, spec }) => (
              <option key={name} value={name}>
                {`subscription ${name}, channel ${spec?.channel ?? 'stable'}`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Version">
        {(wiring) => (
          <Select {...wiring} value={draft.to ?? ''} onChange={(event) => onChange({ to: event.target.value })}>
            <option value="">the newest one</option>
            {(draft.subscription ?? '') === '' &&
              versions.map((version) => (
                <option key={version} value={version}>
                  {version}
                </option>
              ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

/** A field for each parameter that has no valid value yet, and for those that were filled in. */
function MissingValues({
  plans,
  draft,
  onChange,
}: {
  plans: readonly UpgradePlan[];
  draft: UpgradeDraft;
  onChange: (parameters: UpgradeDraft['parameters']) => void;
}) {
  const wrong = plans.flatMap(({ parameters }) => parameters.filter(({ problem }) => problem !== undefined));
  const names = [...new Set([...Object.keys(draft.parameters), ...wrong.map(({ name }) => name)])];
  if (names.length === 0) return null;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {names.map((name) => (
        <Field key={name} label={name} required error={wrong.find((row) => row.name === name)?.problem}>
          {(wiring) => (
            <Input
              {...wiring}
              mono
              value={draft.parameters[name] ?? ''}
              onChange={(event) => {
                const { [name]: _, ...others } = draft.parameters;
                onChange(event.target.value === '' ? others : { ...others, [name]: event.target.value });
              }}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

function Plans({ plans }: { plans: readonly UpgradePlan[] }) {
  const [shown, setShown] = useState('');
  const plan = plans.find(({ instance }) => instance === shown) ?? plans[0];
  return (
    <div className="grid gap-3 rounded-md border p-4">
      {plans.length > 1 && (
        <fieldset className="flex flex-wrap gap-1.5" aria-label="Instance whose upgrade is shown">
          {plans.map(({ instance }) => (
            <Chip key={instance} pressed={instance === plan?.instance} onClick={() => setShown(instance)}>
              {instance}
            </Chip>
          ))}
        </fieldset>
      )}
      {plan !== undefined && <UpgradePlanView plan={plan} />}
    </div>
  );
}
