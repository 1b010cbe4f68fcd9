'use client';

import { useState } from 'react';
import { PlanDrawings } from '@/components/operators/plan-drawing';
import { ParameterForm } from '@/components/parameters/parameter-form';
import { EmptyState } from '@/components/ui/empty-state';
import { type ViewTab, ViewTabs } from '@/components/ui/view-tabs';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { ChangesPanel } from './changes-panel';
import type { DraftOrigin } from './draft-db';
import { RenderingPanel } from './rendering-panel';
import type { Checks } from './use-checks';
import type { FormValues } from './use-values';

/** What is beside the text. */
export type SideView = 'rendered' | 'values' | 'plans' | 'changes';

interface SidePanelProps {
  readonly view: SideView;
  readonly onView: (view: SideView) => void;
  readonly checks: Checks;
  readonly form: FormValues;
  readonly files: PackageFiles;
  readonly packages: readonly PackageSummary[];
  readonly origin: DraftOrigin | undefined;
  readonly name: string;
  /** The open file. */
  readonly path: string;
  readonly plan: string;
  readonly onPlan: (plan: string) => void;
  readonly onGo: (template: string, line: number) => void;
}

/** Beside the text: what the package gives with which values, its plans, and how it differs from a published version. */
export function SidePanel(props: SidePanelProps) {
  const { view, onView } = props;
  const changed = Object.keys(props.form.values).length;
  const tabs: readonly (ViewTab & { readonly key: SideView })[] = [
    { key: 'rendered', label: 'Rendered' },
    { key: 'values', label: 'Values', note: changed === 0 ? undefined : String(changed) },
    { key: 'plans', label: 'Plans' },
    { key: 'changes', label: 'Changes' },
  ];
  return (
    <section aria-label="Preview" className="card h-full min-h-[50dvh] overflow-y-auto">
      <h2 className="sr-only">Preview</h2>
      <ViewTabs label="Preview" tabs={tabs} chosen={view} onChoose={(key) => onView(key as SideView)}>
        <ShownView {...props} />
      </ViewTabs>
    </section>
  );
}

function ShownView(props: SidePanelProps) {
  const { view, checks, form, files, packages, origin, name, path, plan } = props;
  const [isAll, setIsAll] = useState(false);
  const version = checks.objects?.operatorVersion;
  if (view === 'changes') return <ChangesPanel files={files} name={name} origin={origin} packages={packages} />;
  if (version === undefined) {
    return (
      <EmptyState title={checks.checked === undefined ? 'Reading the package…' : 'The package cannot be read yet'}>
        {checks.checked !== undefined && 'Fix the errors in operator.yaml and params.yaml first.'}
      </EmptyState>
    );
  }
  if (view === 'plans')
    return (
      <div className="@container p-3 [&>div]:grid-cols-1 [&_section]:col-span-1!">
        <PlanDrawings version={version} />
      </div>
    );
  if (view === 'values') {
    return (
      <div className="grid gap-3 p-3 [&_[data-parameter]]:grid-cols-1!">
        <p className="text-ink-2">Values are used for the preview and for a run. They are not stored.</p>
        <ParameterForm isNew groups={form.groups} draft={form.draft} problems={form.problems} onChange={form.change} />
      </div>
    );
  }
  return (
    <RenderingPanel
      rendered={checks.rendered}
      plans={Object.keys(version.spec?.plans ?? {})}
      plan={plan}
      onPlan={props.onPlan}
      template={path.startsWith('templates/') ? path.slice('templates/'.length) : undefined}
      isAll={isAll}
      onAll={setIsAll}
      onGo={props.onGo}
    />
  );
}
