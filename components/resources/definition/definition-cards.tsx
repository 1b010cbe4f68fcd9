'use client';

import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { FilterChoice } from '@/components/ui/filter-choice';
import { KeyValues } from '@/components/ui/key-values';
import { Notice } from '@/components/ui/notice';
import { Tag } from '@/components/ui/tag';
import { arrayAt, stringAt } from '@/lib/json/json';
import { type DefinitionVersion, type DefinitionView, definitionProblems, definitionView } from '@/lib/kube/definition';
import type { KubeObject } from '@/lib/kube/object';
import { OWN_KIND_LABEL } from '@/lib/kudo/own-kinds/names';
import { createHref, kindHref, newHref } from '../resource-path';
import { useUrlState } from '../use-url-state';
import { DefinitionFields } from './definition-fields';
import { DefinitionUse } from './definition-use';

/** What a CustomResourceDefinition defines: its problems, its versions, its fields, its columns. */
export function DefinitionMainCards({ definition }: { definition: KubeObject }) {
  const view = useMemo(() => definitionView(definition), [definition]);
  const [chosen, choose] = useUrlState('version');
  const version = view.versions.find(({ name }) => name === (chosen || view.preferred)) ?? view.versions[0];
  const problems = definitionProblems(definition);
  return (
    <>
      {problems.map((problem) => (
        <Notice key={problem} tone="wait" title={problem} />
      ))}
      <Versions view={view} />
      {version !== undefined && (
        <>
          <Card
            title="Fields"
            note={version.name}
            action={
              view.versions.length > 1 && (
                <FilterChoice
                  label="Version of the fields"
                  all={`${view.preferred ?? ''} (preferred)`}
                  value={chosen}
                  values={view.versions.map(({ name }) => [name, name] as const)}
                  onChange={choose}
                />
              )
            }
          >
            <DefinitionFields key={definition.metadata.uid} definition={definition} version={version.name} />
          </Card>
          <Columns version={version} />
        </>
      )}
    </>
  );
}

function Versions({ view }: { view: DefinitionView }) {
  return (
    <Card title="Versions" note={String(view.versions.length)}>
      <ul className="divide-y divide-line">
        {view.versions.map((version) => (
          <li key={version.name} className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2">
            <code className="min-w-16 font-medium">{version.name}</code>
            {version.isServed ? <Tag tone="ok">served</Tag> : <Tag>not served</Tag>}
            {version.isStored && <Tag>storage</Tag>}
            {version.subresources.map((name) => (
              <Tag key={name}>/{name}</Tag>
            ))}
            {version.wasStored && !version.isStored && (
              <span className="text-ink-2">Some objects may still be stored in this version.</span>
            )}
            {version.deprecation !== undefined && (
              <>
                <Tag tone="wait">deprecated</Tag>
                <span className="wrap-anywhere text-ink-2">{version.deprecation}</span>
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Columns({ version: { columns } }: { version: DefinitionVersion }) {
  if (columns.length === 0) return null;
  return (
    <Card title="Printer columns" note={String(columns.length)}>
      <ul className="divide-y divide-line">
        {columns.map(({ name, type, jsonPath, description, isWide }) => (
          <li key={name} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2">
            <span className="basis-36 font-medium">{name}</span>
            <code className="wrap-anywhere min-w-0 text-ink-2">{jsonPath}</code>
            <span className="text-ink-2 text-xs">{isWide ? `${type}, only with more columns` : type}</span>
            {description !== '' && <span className="w-full text-ink-2">{description}</span>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The names of a kind, what uses it, and the way to its objects. */
export function DefinitionSideCards({ definition }: { definition: KubeObject }) {
  const view = useMemo(() => definitionView(definition), [definition]);
  const names = (path: string) => arrayAt(definition, 'spec', 'names', path).map(String).join(', ') || undefined;
  const operator = definition.metadata.labels?.[OWN_KIND_LABEL];
  const type = { group: view.group, version: view.preferred ?? '', resource: view.plural };
  return (
    <>
      {view.preferred !== undefined && (
        <div className="flex flex-wrap gap-2">
          <LinkButton href={kindHref(type)}>All {view.plural}</LinkButton>
          <LinkButton
            href={operator === undefined ? createHref(type, undefined) : newHref(type, undefined)}
            variant="primary"
            icon={<Plus size={16} aria-hidden="true" />}
          >
            Create {view.kind}
          </LinkButton>
        </div>
      )}
      {view.preferred !== undefined && <DefinitionUse view={view} type={type} operator={operator} />}
      <Card title="Kind" padded>
        <KeyValues
          entries={[
            ['Kind', view.kind],
            ['Group', <code key="group">{view.group}</code>],
            ['Scope', view.isNamespaced ? 'each object is in a namespace' : 'objects belong to the cluster'],
            ['Plural', <code key="plural">{view.plural}</code>],
            ['Singular', stringAt(definition, 'spec', 'names', 'singular')],
            ['Short names', names('shortNames')],
            ['Categories', names('categories')],
            ['Conversion', conversionOf(definition)],
          ]}
        />
      </Card>
    </>
  );
}

function conversionOf(definition: KubeObject): string | undefined {
  const strategy = stringAt(definition, 'spec', 'conversion', 'strategy');
  return strategy === 'Webhook' ? 'by a webhook' : strategy === 'None' ? 'only the apiVersion changes' : undefined;
}
