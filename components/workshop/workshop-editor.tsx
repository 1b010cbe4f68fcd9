'use client';

import { useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import type { DraftKeeper } from './draft-keeper';
import { EditorCard } from './editor-card';
import { EditorHeader } from './editor-header';
import { FileDialogs } from './file-dialogs';
import { FilesCard } from './files-card';
import type { RunTarget } from './run-dialog';
import { SidePanel, type SideView } from './side-panel';
import { useWorkshop } from './use-workshop';
import { type WorkshopPart, WorkshopParts } from './workshop-parts';

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
  const workshop = useWorkshop(keeper);
  const { kept, files, actions, plan, values, title, checks, form, problems } = workshop;
  const [part, setPart] = useState<WorkshopPart>('editor');
  const [view, setView] = useState<SideView>('rendered');
  const show = (path: string, line?: number) => {
    actions.open(path, line);
    setPart('editor');
  };
  const hiddenUnless = (each: WorkshopPart) => classNames('min-h-0 min-w-0', part !== each && 'max-lg:hidden');
  return (
    <div className="flex max-w-none! flex-col lg:h-[calc(100dvh-96px)] lg:min-h-[560px]">
      <EditorHeader {...{ keeper, kept, title, target, values }} problems={checks.checked?.problems} />
      <WorkshopParts part={part} onPart={setPart} problems={problems.length} />
      <div className={classNames('grid min-h-0 flex-1 gap-3', view === 'changes' ? WIDE_SIDE : EVEN)}>
        <div className={hiddenUnless('files')}>
          <FilesCard
            {...{ files, problems }}
            chosen={actions.path}
            onChoose={(path) => actions.open(path)}
            onPick={(path) => show(path)}
            onOpen={() => show(actions.path, 1)}
            onAsk={actions.ask}
          />
        </div>
        <div className={hiddenUnless('editor')}>
          <EditorCard {...workshop} />
        </div>
        <div className={hiddenUnless('preview')}>
          <SidePanel
            {...{ view, checks, form, files, packages, plan, name: title.name, path: actions.path }}
            origin={kept.draft.origin}
            onView={setView}
            onPlan={workshop.setPlan}
            onGo={(template, line) => show(`templates/${template}`, line)}
          />
        </div>
      </div>
      <FileDialogs
        {...{ files, path: actions.path, question: actions.question }}
        onClose={() => actions.ask(undefined)}
        onAdd={actions.add}
        onRename={actions.rename}
        onDelete={actions.remove}
      />
    </div>
  );
}

const EVEN = 'lg:grid-cols-[208px_minmax(0,1fr)_minmax(340px,38%)]';
/** Two texts side by side need more room than one. */
const WIDE_SIDE = 'lg:grid-cols-[208px_minmax(0,1fr)_minmax(0,1.7fr)]';
