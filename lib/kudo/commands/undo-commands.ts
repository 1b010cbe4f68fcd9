import { nameOf, namespaceOf } from '@/lib/kube/object';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { type RunWishes, requestAnnotations } from '@/lib/kudo/runs/run-request';
import type { UndoPreview } from '@/lib/kudo/view/undo-preview';
import { bravoLine, type CopiedCommands, type CopiedPatch, kubectlPatch, patchFile } from './copied-commands';
import { saidFlags } from './said-flags';

/** An undo with what the person entered so far. */
export interface CopiedUndo {
  readonly run: PlanRun;
  /** What it changes now. No value of it is secret: a run that changed one cannot be undone. */
  readonly preview: Pick<UndoPreview, 'plan' | 'changes' | 'version'>;
  readonly wishes: RunWishes;
  /** `PLAN/INSTANCE`, when the person has confirmed a destructive plan. */
  readonly confirm: string | undefined;
}

/** The commands that undo a run as its dialog does. */
export function undoCommands({ run, preview, wishes, confirm }: CopiedUndo): CopiedCommands {
  const { plan, changes, version } = preview;
  const annotations = {
    ...(confirm === undefined ? {} : { [CONFIRM_ANNOTATION]: confirm }),
    ...requestAnnotations(plan, { ...wishes, undoOf: nameOf(run) }),
  };
  const parameters = Object.fromEntries(changes.map(({ name, after }) => [name, after ?? null]));
  const patch: CopiedPatch = {
    resource: 'instances.kudo.dev',
    namespace: namespaceOf(run),
    name: run.spec?.instanceName ?? '',
    patch: {
      metadata: { annotations },
      spec: { parameters, ...(version === undefined ? {} : { operatorVersion: { name: version.to } }) },
    },
  };
  return {
    kubectl: kubectlPatch(patch),
    bravo: bravoLine(['run', 'undo', nameOf(run), ...saidFlags(wishes, confirm)], run),
    yaml: patchFile(patch),
  };
}
