'use client';

import dynamic from 'next/dynamic';
import { useMemo, useState } from 'react';
import { Card } from '@/components/ui/card';
import { classNames } from '@/components/ui/class-names';
import { Kbd } from '@/components/ui/kbd';
import { DEPLOY_PLAN } from '@/lib/kudo/names';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import { titleOfFiles } from '@/lib/workshop/draft-version';
import type { DraftKeeper } from './draft-keeper';
import { EditorHeader } from './editor-header';
import { FileDialogs } from './file-dialogs';
import { FilesCard } from './files-card';
import { ProblemPanel } from './problem-panel';
import type { RunTarget } from './run-dialog';
import { SidePanel } from './side-panel';
import { useChecks } from './use-checks';
import { useKept } from './use-draft';
import { useFileActions } from './use-file-actions';
import { useKnowledge } from './use-knowledge';
import { useFormValues } from './use-values';
import { type WorkshopPart, WorkshopParts } from './workshop-parts';

const PackageEditor = dynamic(() => import('./package-editor'), {
  ssr: false,
  loading: () => <p className="p-4 text-ink-3">Opening the editor…</p>,
});

/** A draft, open: its files, the text of one, its problems, and what the package does. */
export function WorkshopEditor({
  keeper,
  packages,
  target,
}: {
  keeper: DraftKeeper;
  packages: readonly PackageSummary[];
  target: RunTarget;
}) {
  const kept = useKept(keeper);
  const { files, origin } = kept.draft;
  const actions = useFileActions(keeper, files);
  const [part, setPart] = useState<WorkshopPart>('editor');
  const [plan, setPlan] = useState(DEPLOY_PLAN);
  const [values, setValues] = useState<{ readonly [name: string]: string }>({});
  const title = useMemo(() => titleOfFiles(files), [files]);
  const name = title.name || 'package';
  const wish = useMemo(
    () => ({ plan, instance: name, namespace: 'default', parameters: values }),
    [plan, name, values],
  );
  const checks = useChecks(files, wish);
  const form = useFormValues(checks.objects?.operatorVersion);
  if (form.values !== values) setValues(form.values);
  const text = files.get(actions.path) ?? '';
  const knowledge = useKnowledge(files, text, checks);
  const problems = checks.checked?.problems ?? NOTHING;
  const own = useMemo(() => problems.filter(({ file }) => file === actions.path), [problems, actions.path]);
  const show = (path: string, line?: number) => {
    actions.open(path, line);
    setPart('editor');
  };
  const hiddenUnless = (each: WorkshopPart) => classNames('min-h-0 min-w-0', part !== each && 'max-lg:hidden');
  return (
    <div className="flex max-w-none! flex-col lg:h-[calc(100dvh-96px)] lg:min-h-[560px]">
      <EditorHeader
        keeper={keeper}
        kept={kept}
        title={title}
        problems={checks.checked?.problems}
        target={target}
        values={values}
      />
      <WorkshopParts part={part} onPart={setPart} problems={problems.length} />
      <div className="grid min-h-0 flex-1 gap-3 lg:grid-cols-[208px_minmax(0,1fr)_minmax(340px,38%)]">
        <div className={hiddenUnless('files')}>
          <FilesCard
            files={files}
            problems={problems}
            chosen={actions.path}
            onChoose={(path) => actions.open(path)}
            onOpen={() => show(actions.path, 1)}
            onAsk={actions.ask}
          />
        </div>
        <div className={hiddenUnless('editor')}>
          <Card className="flex h-full min-h-[60dvh] flex-col [&>div]:flex [&>div]:min-h-0 [&>div]:flex-1 [&>div]:flex-col">
            <h2 className="flex items-center gap-2 border-b px-3 py-1.5 font-medium">
              <code>{actions.path}</code>
              <span id="workshop-keys" className="ms-auto text-2xs text-ink-3 max-sm:hidden">
                <Kbd>Ctrl Space</Kbd> completes, <Kbd>Tab</Kbd> indents, <Kbd>Esc</Kbd> <Kbd>Tab</Kbd> leaves the editor
              </span>
            </h2>
            <div className="min-h-0 flex-1 max-lg:h-[50dvh] max-lg:flex-none">
              <PackageEditor
                path={actions.path}
                text={text}
                problems={own}
                knowledge={knowledge}
                target={actions.target}
                onChange={actions.change}
                onFix={actions.fix}
              />
            </div>
            <ProblemPanel checks={checks} onGo={actions.go} onFix={actions.fix} />
          </Card>
        </div>
        <div className={hiddenUnless('preview')}>
          <SidePanel
            {...{ checks, form, files, packages, origin, plan, name: title.name, path: actions.path }}
            onPlan={setPlan}
            onGo={(template, line) => show(`templates/${template}`, line)}
          />
        </div>
      </div>
      <FileDialogs
        question={actions.question}
        files={files}
        path={actions.path}
        onClose={() => actions.ask(undefined)}
        onAdd={actions.add}
        onRename={actions.rename}
        onDelete={actions.remove}
      />
    </div>
  );
}

const NOTHING: readonly never[] = [];
