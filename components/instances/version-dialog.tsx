'use client';

import { useState } from 'react';
import { ApprovalPanel } from '@/components/access/approval-panel';
import { useRightToStart } from '@/components/access/instance-lock';
import { useBlocks } from '@/components/access/use-access';
import { useSecondPerson } from '@/components/access/use-approvals';
import {
  draftChanges,
  draftedValues,
  draftProblems,
  type ParameterDraft,
} from '@/components/parameters/parameter-draft';
import { ReasonField } from '@/components/parameters/reason-field';
import { useTopicWithin } from '@/components/shell/use-topic-within';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { TypedName } from '@/components/ui/typed-name';
import { useDestroyGuard } from '@/components/ui/use-destroy-guard';
import { accessTo } from '@/lib/kube/access';
import { upgradePlanOf } from '@/lib/kudo/admission/triggers';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { OperatorVersion } from '@/lib/kudo/types';
import { formModel } from '@/lib/kudo/view/form-model';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { planBlock } from '@/lib/kudo/view/plan-availability';
import { parameterMoves, versionLabel } from '@/lib/kudo/view/version-move';
import { topics } from '@/lib/live/topic';
import { usePackages, useVersionChange, useVersionOf, useVersionPreview } from './use-version-change';
import { choiceLabel, compareChoices, type VersionChoice, versionChoices } from './version-choices';
import { newParameterGroups, VersionParameters } from './version-parameters';
import { VersionPreview } from './version-preview';

interface VersionDialogProps {
  row: InstanceRow;
  open: boolean;
  onClose: () => void;
}

/** Moves an Instance to another version of its operator, of the namespace or of the catalogue, after saying what that does. */
export function VersionDialog({ row, open, onClose }: VersionDialogProps) {
  return (
    <Dialog wide open={open} onClose={onClose} title={`Change the version of ${row.name}`}>
      {row.operatorVersionObject !== undefined && (
        <VersionSelection row={row} current={row.operatorVersionObject} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface BodyProps {
  row: InstanceRow;
  current: OperatorVersion;
  onClose: () => void;
}

function VersionSelection({ row, current, onClose }: BodyProps) {
  const installed = useTopicWithin(topics.operatorVersions, row.namespace).objects as readonly OperatorVersion[];
  const packages = usePackages();
  const [chosen, setChosen] = useState('');
  const choices = versionChoices(current, installed, packages ?? []);
  const choice = choices.find(({ name }) => name === chosen) ?? choices[0];
  const target = useVersionOf(choice, row.operator);
  if (choice === undefined) {
    return packages === undefined ? (
      <SkeletonRows rows={3} />
    ) : (
      <p>
        {versionLabel(current)} is the only version of operator {row.operator} in namespace {row.namespace} and in the
        catalogue. Upload a package on the page Operators to add one.
      </p>
    );
  }
  return (
    <div className="grid gap-4">
      <Field label="Version" hint={`Now ${versionLabel(current)}`}>
        {(wiring) => (
          <Select {...wiring} value={choice.name} onChange={(event) => setChosen(event.target.value)}>
            {choices.map((each) => (
              <option key={each.name} value={each.name}>
                {choiceLabel(each)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {target === undefined ? (
        <SkeletonRows rows={3} />
      ) : (
        <VersionForm key={choice.name} row={row} current={current} choice={choice} target={target} onClose={onClose} />
      )}
    </div>
  );
}

function VersionForm({
  row,
  current,
  choice,
  target,
  onClose,
}: BodyProps & { choice: VersionChoice; target: OperatorVersion }) {
  const [draft, setDraft] = useState<ParameterDraft>({});
  const groups = newParameterGroups(formModel(target), parameterMoves(current, target).added);
  const problems = draftProblems(groups, draft);
  const parameters = draftedValues(undefined, draftChanges(groups, draft));
  const [reason, setReason] = useState('');
  const start = { plan: upgradePlanOf(target), parameters, version: target };
  const second = useSecondPerson(row, start);
  const wish = { operatorVersion: choice.name, parameters, ...second.wish };
  const { data: preview, error } = useVersionPreview(row, wish);
  const change = useVersionChange(row, onClose);
  const isOlder = isOlderThan(choice, current);
  const block = useChangeBlock(row, choice);
  const [toFix] = [...problems.keys(), ...(preview?.problems ?? []).map(({ field }) => field)];
  const plan = preview?.plan;
  const confirmation = preview?.confirmation;
  const guard = useDestroyGuard(row.name, confirmation !== undefined);
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const confirmed = confirmation === undefined ? {} : { confirm: confirmation };
        change.mutate({ ...wish, reason, preview: preview?.token ?? '', ...confirmed });
      }}
    >
      {isOlder && (
        <Notice tone="wait" title="This is an older version">
          The operator may not support a downgrade.
        </Notice>
      )}
      <VersionParameters
        from={current}
        to={target}
        groups={groups}
        draft={draft}
        problems={problems}
        onChange={(name, value) => setDraft(withValue(draft, name, value))}
      />
      <VersionPreview preview={preview} error={error} />
      {second.isNeeded && <ApprovalPanel row={row} start={{ ...start, reason }} block={notInstalled(row, choice)} />}
      {plan !== undefined && <ReasonField value={reason} onChange={setReason} />}
      {confirmation !== undefined && plan !== undefined && (
        <>
          <p className="text-fail">
            {planMetadataOf(target, plan).confirm ??
              `Plan ${plan} deletes or replaces data of ${row.name}. This cannot be undone.`}
          </p>
          <TypedName name={row.name} guard={guard} />
        </>
      )}
      {change.isError && (
        <Notice tone="fail" alert title="The version was not changed">
          {change.error.message}
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant={confirmation === undefined ? 'primary' : 'destroy'}
          data-plan={plan}
          busy={change.isPending}
          disabledReason={
            block ??
            (toFix === undefined ? undefined : `Fix ${toFix} to continue.`) ??
            (preview?.outcome === 'refused' ? preview.message : undefined) ??
            guard.block
          }
        >
          {isOlder ? 'Downgrade' : 'Upgrade'}
          {plan !== undefined && plan !== 'upgrade' && ` and run ${plan}`}
        </Button>
      </div>
    </form>
  );
}

/** Why the person cannot change the version now; a version that is not installed takes the right to create it. */
function useChangeBlock(row: InstanceRow, choice: VersionChoice): string | undefined {
  const { missing, block } = useRightToStart(row);
  const create = accessTo('create', topics.operatorVersions, row.namespace);
  const [createBlock] = useBlocks([choice.installed === undefined ? create : undefined]);
  return missing ?? planBlock(row, '', false) ?? block ?? createBlock;
}

/** Nobody can approve a change to a version that does not exist yet; undefined when it does. */
function notInstalled({ namespace }: InstanceRow, { name, installed }: VersionChoice): string | undefined {
  if (installed !== undefined) return undefined;
  return `OperatorVersion ${name} does not exist in namespace ${namespace} yet. Install it first with \`bravo install --skip-instance\`.`;
}

function isOlderThan(choice: VersionChoice, { spec }: OperatorVersion): boolean {
  return compareChoices(choice, { appVersion: spec?.appVersion ?? '', operatorVersion: spec?.version ?? '' }) < 0;
}

function withValue(draft: ParameterDraft, name: string, value: string | null | undefined): ParameterDraft {
  const { [name]: _, ...rest } = draft;
  return value === undefined ? rest : { ...rest, [name]: value };
}
