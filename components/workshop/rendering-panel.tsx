'use client';

import { memo, useId, useMemo } from 'react';
import { apiVersionsIn, useSchemas } from '@/components/resources/use-schemas';
import { Chip } from '@/components/ui/chip';
import { CodeBlock } from '@/components/ui/code';
import { EmptyState } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Tag } from '@/components/ui/tag';
import type { RenderedDraft, RenderedTemplate } from '@/lib/workshop/render-draft';
import { lintYaml, type SchemaOf } from '@/lib/yaml/lint-yaml';

export interface RenderingPanelProps {
  readonly rendered: RenderedDraft | undefined;
  /** Names of plans, and the one that is rendered. */
  readonly plans: readonly string[];
  readonly plan: string;
  readonly onPlan: (plan: string) => void;
  /** The key of the open template; undefined for other files. */
  readonly template: string | undefined;
  readonly isAll: boolean;
  readonly onAll: (isAll: boolean) => void;
  readonly onGo: (template: string, line: number) => void;
}

/** What the templates give with the values of the form: of the open template, or of every task of the plan. */
export function RenderingPanel(props: RenderingPanelProps) {
  const { rendered, plans, plan, onPlan, template, isAll, onAll } = props;
  const id = useId();
  const isOne = template !== undefined && !isAll;
  const schemaOf = useSchemas(useMemo(() => apiVersionsOf(rendered), [rendered]));
  const shown = (rendered?.templates ?? []).filter((each) => !isOne || each.template === template);
  return (
    <div className="grid gap-3 p-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="flex items-center gap-2">
          <label htmlFor={id} className="text-ink-2">
            Plan
          </label>
          <Select id={id} mono className="w-auto" value={plan} onChange={(event) => onPlan(event.target.value)}>
            {plans.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </span>
        {template !== undefined && (
          <Chip pressed={!isAll} onClick={() => onAll(!isAll)}>
            Only this template
          </Chip>
        )}
      </div>
      {rendered === undefined && <SkeletonRows />}
      {(rendered?.problems ?? []).map(({ field, message }) => (
        <Notice key={`${field} ${message}`} tone="fail" title={field === '' ? 'The plan cannot be rendered' : field}>
          {message}
        </Notice>
      ))}
      {rendered !== undefined && rendered.problems.length === 0 && shown.length === 0 && (
        <EmptyState title={isOne ? 'The plan does not use this template' : 'The plan has no tasks'}>
          {isOne && 'Choose another plan, or use the template in a task.'}
        </EmptyState>
      )}
      {shown.map((each) => (
        <Rendered
          key={`${each.phase}/${each.step}/${each.task}/${each.template}`}
          rendered={each}
          onGo={props.onGo}
          schemaOf={schemaOf}
        />
      ))}
    </div>
  );
}

function Rendered({
  rendered,
  onGo,
  schemaOf,
}: { rendered: RenderedTemplate; schemaOf: SchemaOf } & Pick<RenderingPanelProps, 'onGo'>) {
  const { phase, step, task, kind, template, objects, warnings, problem } = rendered;
  return (
    <section className="overflow-hidden rounded-md border" aria-label={`Task ${task}, ${template || kind}`}>
      <h3 className="flex flex-wrap items-baseline gap-x-2 border-b bg-sunken px-3 py-1.5">
        <Tag>{kind}</Tag>
        <span className="font-medium">{task}</span>
        {template !== '' && <code className="text-ink-2">{template}</code>}
        <span className="ms-auto text-2xs text-ink-3">
          {phase} / {step}
        </span>
      </h3>
      {warnings.map((warning) => (
        <p key={warning} className="px-3 py-1.5 text-wait">
          {warning}
        </p>
      ))}
      {problem !== undefined && (
        <div className="px-3 py-2 text-fail">
          <p className="break-words">{problem.message}</p>
          {problem.line > 0 && (
            <button type="button" className="link min-h-6 font-medium" onClick={() => onGo(template, problem.line)}>
              Go to line {problem.line}
            </button>
          )}
        </div>
      )}
      {problem?.text !== undefined && (
        <CodeBlock
          text={numbered(problem.text, problem.textLine)}
          label={`Rendered text of ${template}`}
          className="max-h-[60vh] border-t"
        />
      )}
      {problem === undefined && objects.length === 0 && (
        <p className="px-3 py-2 text-ink-3">{template === '' ? taskWords(kind) : 'No objects with these values.'}</p>
      )}
      {objects.map(({ kind: object, name, yaml }) => (
        <ObjectYaml key={`${object} ${name}`} title={`${object} ${name}`} yaml={yaml} schemaOf={schemaOf} />
      ))}
    </section>
  );
}

function apiVersionsOf(rendered: RenderedDraft | undefined): string[] {
  return (rendered?.templates ?? []).flatMap(({ objects }) => objects.flatMap(({ yaml }) => apiVersionsIn(yaml)));
}

/** One object; what the API server would refuse in it is said below. */
const ObjectYaml = memo(function ObjectYaml({
  title,
  yaml,
  schemaOf,
}: {
  title: string;
  yaml: string;
  schemaOf: SchemaOf;
}) {
  const findings = useMemo(() => lintYaml(yaml, schemaOf), [yaml, schemaOf]);
  return (
    <div className="border-b last:border-b-0">
      <CodeBlock text={yaml} label={title} className="max-h-[60vh]" />
      {findings.length > 0 && (
        <ul aria-label={`Problems of ${title}`} className="border-t px-3 py-1.5">
          {findings.map(({ from, message, severity }) => (
            <li key={`${from} ${message}`} className={severity === 'error' ? 'text-fail' : 'text-wait'}>
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
});

/** The lines with their numbers, the wrong one with a mark. */
function numbered(text: string, wrong: number | undefined): string {
  const lines = text.replace(/\n$/, '').split('\n');
  const width = String(lines.length).length;
  const numberOf = (index: number) => `${index + 1 === wrong ? '→' : ' '}${String(index + 1).padStart(width)}`;
  return lines.map((line, index) => `${numberOf(index)}  ${line}`).join('\n');
}

function taskWords(kind: string): string {
  if (kind === 'KudoOperator') return 'The task installs another operator.';
  return kind === 'Dummy' ? 'The task changes nothing.' : 'The task has no template.';
}
