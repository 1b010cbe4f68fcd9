import { TextVersions } from '@/components/resources/text-versions';
import { StatusText } from '@/components/ui/status';
import { Tag } from '@/components/ui/tag';
import type { ObjectChange } from '@/lib/kudo/parameters/parameter-edit';
import { advisoryWords } from '@/lib/kudo/upgrades/advisory-words';
import { releaseName } from '@/lib/kudo/upgrades/find-path';
import type { ParameterRow } from '@/lib/kudo/upgrades/parameter-rows';
import type { PlanDifference } from '@/lib/kudo/upgrades/plan-differences';
import { CHECK_TITLES, type UpgradePlan } from '@/lib/kudo/upgrades/upgrade-plan';
import { checkLooks } from './upgrade-words';

/** What an upgrade of one Instance does: its path, checks, parameters, plans and objects. */
export function UpgradePlanView({ plan }: { plan: UpgradePlan }) {
  return (
    <section className="grid gap-4" aria-label={`Upgrade of ${plan.instance}`}>
      <Path plan={plan} />
      <Checks plan={plan} />
      {plan.parameters.length > 0 && <Parameters rows={plan.parameters} />}
      {plan.plans.length > 0 && <Plans plans={plan.plans} />}
      {plan.steps.length > 0 && <Objects plan={plan} />}
    </section>
  );
}

function Path({ plan: { installed, steps, withdrawn, advisories } }: { plan: UpgradePlan }) {
  return (
    <div className="grid gap-1">
      <h3 className="font-semibold">Path</h3>
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <li>
          <code>{releaseName(installed)}</code>
        </li>
        {steps.map((step) => (
          <li key={step.name} className="flex flex-wrap items-center gap-2">
            <span aria-hidden="true">→</span>
            <code>{releaseName(step)}</code>
            <span className="text-ink-3">{step.plan === undefined ? 'no plan starts' : `plan ${step.plan}`}</span>
            {step.isDestructive && <Tag tone="fail">deletes or replaces data</Tag>}
          </li>
        ))}
        {steps.length === 0 && <li className="text-ink-2">there is no newer version to move to</li>}
      </ol>
      {withdrawn !== undefined && <p className="text-fail">The installed version was withdrawn: {withdrawn}</p>}
      {advisories.map((advisory) => (
        <p key={advisory.id} className="text-fail">
          {advisoryWords(advisory)}
        </p>
      ))}
    </div>
  );
}

function Checks({ plan: { checks } }: { plan: UpgradePlan }) {
  return (
    <div className="grid gap-1">
      <h3 className="font-semibold">Checks</h3>
      <ul className="grid gap-1">
        {checks.map(({ check, state, message }) => (
          <li
            key={`${check} ${message}`}
            className="grid grid-cols-[92px_minmax(0,1fr)] gap-x-3"
            data-check={check}
            data-state={state}
          >
            <StatusText status={checkLooks[state][0]} word={checkLooks[state][1]} />
            <span>
              {CHECK_TITLES[check]}
              {message !== '' && <span className="block text-ink-2">{message}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Parameters({ rows }: { rows: readonly ParameterRow[] }) {
  const cell = (text: string | undefined) =>
    text === undefined ? <span className="text-ink-3">not set</span> : text === '' ? '""' : text;
  return (
    <div className="grid gap-1">
      <h3 className="font-semibold">Parameters</h3>
      <div className="overflow-hidden rounded-md border">
        <table className="table">
          <caption className="sr-only">Parameters that the upgrade changes</caption>
          <thead>
            <tr>
              <th scope="col">Parameter</th>
              <th scope="col">Default</th>
              <th scope="col">Now</th>
              <th scope="col">New</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, change, defaultBefore, now, next, notes, problem }) => (
              <tr key={name} data-parameter={name}>
                <td>
                  <code>{name}</code>{' '}
                  {change !== 'changed' && <Tag tone={change === 'added' ? 'ok' : 'fail'}>{change}</Tag>}
                  {notes.length > 0 && <div className="text-ink-3 text-xs">{notes.join('; ')}</div>}
                  {problem !== undefined && <div className="text-fail text-xs">{problem}</div>}
                </td>
                <td className="mono">{cell(defaultBefore)}</td>
                <td className="mono">{cell(now)}</td>
                <td className="mono">{cell(next)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Plans({ plans }: { plans: readonly PlanDifference[] }) {
  return (
    <div className="grid gap-1">
      <h3 className="font-semibold">Plans</h3>
      {plans.map(({ plan, change, added, removed, changed, isReordered }) => (
        <details key={plan} className="rounded-md border">
          <summary className="px-3 py-2">
            <code>{plan}</code> <Tag>{change}</Tag>
          </summary>
          <ul className="mono grid gap-0.5 border-t px-3 py-2">
            {removed.map((line) => (
              <li key={`- ${line}`} className="text-fail">
                − {line}
              </li>
            ))}
            {added.map((line) => (
              <li key={`+ ${line}`} className="text-ok">
                + {line}
              </li>
            ))}
            {changed.map((line) => (
              <li key={line}>~ {line}</li>
            ))}
            {isReordered && <li>The order or the strategy of the steps changes.</li>}
          </ul>
        </details>
      ))}
    </div>
  );
}

const CHANGES = { create: ['new', 'ok'], change: ['changed', 'run'], delete: ['deleted', 'fail'] } as const;

function Objects({ plan: { objects, unchanged, leftOver, restarts } }: { plan: UpgradePlan }) {
  return (
    <div className="grid gap-1">
      <h3 className="font-semibold">
        Objects{' '}
        <span className="font-normal text-ink-2">{`${objects.length} change, ${unchanged} stay as they are`}</span>
      </h3>
      {restarts.map((text) => (
        <p key={text} className="text-wait">
          {text}
        </p>
      ))}
      {objects.map((object) => (
        <ChangedObject key={`${object.kind}/${object.name}`} object={object} />
      ))}
      {leftOver.length > 0 && (
        <p className="text-ink-2">Not part of the new version, and not deleted: {leftOver.join(', ')}.</p>
      )}
    </div>
  );
}

function ChangedObject({ object }: { object: ObjectChange }) {
  const [word, tone] = CHANGES[object.change];
  return (
    <details className="rounded-md border">
      <summary className="flex flex-wrap items-center gap-2 px-3 py-2">
        <code className="font-medium">
          {object.kind} {object.name}
        </code>
        <Tag tone={tone}>{word}</Tag>
      </summary>
      <div className="border-t p-3">
        <TextVersions
          left={object.before}
          right={object.after}
          leftTitle="Installed version"
          rightTitle="New version"
        />
      </div>
    </details>
  );
}
