'use client';

import { Download, Play } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { saveFile } from '@/components/ui/save-file';
import { Tag } from '@/components/ui/tag';
import { packageFileName } from '@/lib/kudo/names';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { DraftProblem } from '@/lib/workshop/check-draft';
import { packDraft } from '@/lib/workshop/draft-archive';
import type { PackageTitle } from '@/lib/workshop/draft-version';
import type { DraftKeeper, KeptDraft, SaveState } from './draft-keeper';
import { RunDialog, type RunTarget, type StartedDraft } from './run-dialog';

interface EditorHeaderProps {
  readonly keeper: DraftKeeper;
  readonly kept: KeptDraft;
  readonly title: PackageTitle;
  /** Undefined until the first verification. */
  readonly problems: readonly DraftProblem[] | undefined;
  readonly target: RunTarget;
  readonly values: { readonly [name: string]: string };
}

/** What the draft is, whether it is stored, and what can be done with it. */
export function EditorHeader({ keeper, kept, title, problems, target, values }: EditorHeaderProps) {
  const { files, origin } = kept.draft;
  const [isRunning, setIsRunning] = useState(false);
  const [started, setStarted] = useState<StartedDraft>();
  const error = problems?.find(({ severity }) => severity === 'error');
  const blocked =
    problems === undefined
      ? 'The package is being verified.'
      : error === undefined
        ? undefined
        : `Fix ${error.path} to continue: ${error.message}`;
  const download = async () => {
    const { name, operatorVersion, appVersion } = title;
    saveFile(await packDraft(files), packageFileName(name || 'package', operatorVersion || '0', appVersion));
  };
  return (
    <div>
      <PageHeader
        title={title.name || 'Package without a name'}
        crumbs={[{ label: 'Workshop', href: '/workshop' }, { label: title.name || 'draft' }]}
        note={
          <span className="flex flex-wrap items-center gap-2">
            <code>{[title.appVersion, title.operatorVersion].filter(Boolean).join(' / ')}</code>
            {origin !== undefined && (
              <Tag>
                forked from {origin.name} {origin.key}
              </Tag>
            )}
            <span data-save={kept.state} className="text-ink-3">
              {saveWords[kept.state]}
            </span>
          </span>
        }
        actions={
          <>
            <Button icon={<Download size={15} aria-hidden="true" />} onClick={() => void download()}>
              Download .tgz
            </Button>
            <Button
              variant="primary"
              icon={<Play size={15} aria-hidden="true" />}
              disabledReason={blocked}
              onClick={() => setIsRunning(true)}
            >
              {target.isSandbox ? 'Run in the sandbox' : `Install in ${target.name}…`}
            </Button>
          </>
        }
      />
      <DraftNotices keeper={keeper} kept={kept} />
      {started !== undefined && (
        <Notice
          tone="ok"
          className="mb-3"
          title={`Instance ${started.instance} in namespace ${started.namespace} runs this draft as version ${started.version}`}
          action={
            <Link
              className="link font-medium text-accent"
              href={instancePath(started.namespace, started.instance, 'plans')}
            >
              Open the instance
            </Link>
          }
        />
      )}
      {isRunning && (
        <RunDialog
          {...{ files, title, target, parameters: values }}
          onClose={() => setIsRunning(false)}
          onStarted={(made) => {
            setStarted(made);
            setIsRunning(false);
          }}
        />
      )}
    </div>
  );
}

const saveWords: { readonly [state in SaveState]: string } = {
  saved: 'Draft stored in this browser',
  saving: 'Storing…',
  conflict: 'Not stored',
  failed: 'Not stored',
};

/** What keeps the draft from being stored, and that another tab has it too. */
function DraftNotices({ keeper, kept }: { keeper: DraftKeeper; kept: KeptDraft }) {
  if (kept.state === 'conflict') {
    return (
      <Notice
        tone="fail"
        alert
        className="mb-3"
        title="Another tab changed this draft at the same moment"
        action={
          <span className="flex gap-2">
            <Button onClick={() => void keeper.resolve('theirs')}>Load its version</Button>
            <Button variant="danger" onClick={() => void keeper.resolve('mine')}>
              Overwrite with mine
            </Button>
          </span>
        }
      >
        Your last edits are not stored. Download the package first to keep both.
      </Notice>
    );
  }
  if (kept.state === 'failed') {
    return (
      <Notice tone="fail" alert className="mb-3" title="The browser could not store the draft">
        {kept.message} Download the package to keep your edits.
      </Notice>
    );
  }
  return kept.otherTabs === 0 ? null : (
    <Notice tone="wait" className="mb-3" title="This draft is also open in another tab">
      Each tab shows what the other one stores. Edit in one of them.
    </Notice>
  );
}
