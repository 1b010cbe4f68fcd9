'use client';

import { useMemo, useState } from 'react';
import { useBlocks } from '@/components/access/use-access';
import { freeInstanceName, placeProblems, rightsToInstall } from '@/components/install/install-draft';
import { PlaceCard } from '@/components/install/place-card';
import { useTakenNames } from '@/components/install/use-taken-names';
import { noteMyRun } from '@/components/instance-view/my-runs';
import { RequestError, request } from '@/components/live/request';
import { ProblemNotice } from '@/components/resources/problem-notice';
import type { SaveProblem } from '@/components/resources/use-object-draft';
import { useTopicInScope } from '@/components/shell/use-topic-within';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { messageOf } from '@/lib/errors/errors';
import { DEPLOY_PLAN, operatorVersionName } from '@/lib/kudo/names';
import type { PackageFiles } from '@/lib/kudo/package/types';
import type { OperatorVersion } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';
import { draftVersion, type PackageTitle, withVersion } from '@/lib/workshop/draft-version';

/** The cluster that the console works on. */
export interface RunTarget {
  readonly isSandbox: boolean;
  /** `sandbox`, or the name of the context. */
  readonly name: string;
}

/** An Instance that runs a draft. */
export interface StartedDraft {
  readonly namespace: string;
  readonly instance: string;
  /** The operatorVersion. */
  readonly version: string;
}

/** Where a draft is tried: the dialog says what is created, and creates it. */
export function RunDialog({
  files,
  title,
  parameters,
  target,
  onClose,
  onStarted,
}: {
  files: PackageFiles;
  title: PackageTitle;
  /** Values that differ from the defaults. */
  parameters: { readonly [name: string]: string };
  target: RunTarget;
  onClose: () => void;
  onStarted: (started: StartedDraft) => void;
}) {
  const taken = useTakenNames();
  const [edited, setEdited] = useState<{ namespace?: string; instance?: string }>({});
  const namespace = edited.namespace ?? (target.isSandbox ? 'workshop' : '');
  const place = {
    namespace,
    instance: edited.instance ?? freeInstanceName(title.name, namespace, taken),
    parameters: {},
  };
  const { version, crdsMissing } = useFreeVersion(title);
  const { run, isBusy, problem } = useRunDraft({
    files: withVersion(files, version),
    ...place,
    parameters,
    onDone: () => onStarted({ namespace, instance: place.instance, version }),
  });
  const problems = placeProblems(place, taken);
  const isNew = taken.namespaces !== undefined && !taken.namespaces.has(namespace);
  const rights = rightsToInstall(namespace, {
    ...{ namespace: isNew ? 'missing' : 'exists', operator: 'unknown', operatorVersion: 'missing' },
  });
  const block = useBlocks(rights).find((each) => each !== undefined);
  const wrong = problems.namespace ?? problems.instance;
  const where = target.isSandbox ? 'the sandbox' : `cluster ${target.name}`;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={target.isSandbox ? 'Run in the sandbox' : `Install the draft in ${where}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={isBusy}
            disabledReason={crdsMissing ? "Bravo's CRDs are not installed in this cluster." : (wrong ?? block)}
            onClick={() => void run()}
          >
            {target.isSandbox ? 'Run' : `Install in ${target.name}`}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {problem !== undefined && <ProblemNotice title="Not installed" problem={problem} />}
        <PlaceCard
          draft={place}
          taken={taken}
          problems={problems}
          onChange={(part) => setEdited({ ...edited, ...part })}
        />
        <div>
          <p className="mb-1 font-medium">In {where}, with your permissions, this creates:</p>
          <ul className="list-disc ps-5 text-ink-2">
            {isNew && namespace !== '' && <li>Namespace {namespace}</li>}
            <li>Operator {title.name}, if it does not exist yet</li>
            <li>
              OperatorVersion <code>{operatorVersionName(title.name, version, title.appVersion)}</code>: a version of
              its own, so that no published one is replaced
            </li>
            <li>
              Instance {place.instance || '…'}, whose plan {DEPLOY_PLAN} starts at once
              {Object.keys(parameters).length > 0 && `, with ${Object.keys(parameters).length} values of the form`}
            </li>
          </ul>
        </div>
      </div>
    </Dialog>
  );
}

/** The first draft version that no namespace has. */
function useFreeVersion({ name, operatorVersion, appVersion }: PackageTitle): {
  readonly version: string;
  readonly crdsMissing: boolean;
} {
  const { objects, status } = useTopicInScope(topics.operatorVersions);
  const version = useMemo(() => {
    const installed = new Set((objects as readonly OperatorVersion[]).map(({ metadata }) => metadata.name));
    return draftVersion(operatorVersion, (each) => installed.has(operatorVersionName(name, each, appVersion)));
  }, [objects, name, operatorVersion, appVersion]);
  return { version, crdsMissing: status === 'missing' };
}

function useRunDraft({
  files,
  namespace,
  instance,
  parameters,
  onDone,
}: {
  files: PackageFiles;
  namespace: string;
  instance: string;
  parameters: { readonly [name: string]: string };
  onDone: () => void;
}) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<SaveProblem>();
  const run = async () => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      const body = { files: Object.fromEntries(files), namespace, instance, parameters };
      await request('/api/workshop/install', { method: 'POST', body });
      noteMyRun(`${namespace}/${instance}`, DEPLOY_PLAN, undefined);
      onDone();
    } catch (error) {
      setProblem({ message: messageOf(error), causes: error instanceof RequestError ? error.causes : [] });
      setIsBusy(false);
    }
  };
  return { run, isBusy, problem };
}
