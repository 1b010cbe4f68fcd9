'use client';

import { Download, RotateCw, Star, Tag, Trash2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { useBlocks } from '@/components/access/use-access';
import { changePlaces } from '@/components/places/use-places';
import { Button } from '@/components/ui/button';
import { loadPart } from '@/components/ui/load-part';
import type { RowSelection, SelectableRow } from '@/components/ui/selection/row-selection';
import { showToast } from '@/components/ui/toast';
import { accessTo } from '@/lib/kube/access';
import type { GroupVersionResource } from '@/lib/kube/object';
import { limits } from '@/lib/limits/limits';
import { withFavourites } from '@/lib/places/places';
import { type BulkTargets, countedTargets, placeOfTarget } from './bulk-target';

const DIALOGS = {
  delete: dynamic(() => loadPart(() => import('./delete-many-dialog')).then((module) => module.DeleteManyDialog), {
    ssr: false,
  }),
  label: dynamic(() => loadPart(() => import('./label-many-dialog')).then((module) => module.LabelManyDialog), {
    ssr: false,
  }),
  restart: dynamic(() => loadPart(() => import('./restart-many-dialog')).then((module) => module.RestartManyDialog), {
    ssr: false,
  }),
  export: dynamic(() => loadPart(() => import('./export-dialog')).then((module) => module.ExportDialog), {
    ssr: false,
  }),
} as const;

const RESTARTABLE = new Set(['deployments', 'statefulsets', 'daemonsets']);
/** Namespaces whose rights are asked for; in more, the API server says who may what. */
const MOST_NAMESPACES = 20;

interface BulkActionsOf<R extends SelectableRow> {
  readonly type: GroupVersionResource;
  readonly selection: RowSelection<R>;
  readonly targets: BulkTargets;
  /** The verbs that the kind has. */
  readonly verbs: readonly string[];
}

/**
 * What can be done with the selected objects of a list: the buttons, and the dialog of the one that was pressed. The targets are fixed when an action
 * is chosen, so that a live list changes nothing under the dialog, which stays when they are gone.
 */
export function useBulkActions<R extends SelectableRow>({
  type,
  selection,
  targets,
  verbs,
}: BulkActionsOf<R>): {
  readonly buttons: ReactNode;
  readonly dialog: ReactNode;
} {
  const [asked, ask] = useState<{ readonly what: keyof typeof DIALOGS; readonly of: BulkTargets }>();
  const [deleteBlock, patchBlock] = useRightsFor(type, targets, ['delete', 'patch']);
  const tooMany =
    targets.length > limits.bulk.objects
      ? `Select at most ${limits.bulk.objects} objects: ${targets.length} are selected.`
      : undefined;
  const Chosen = asked === undefined ? undefined : DIALOGS[asked.what];
  const action = (what: keyof typeof DIALOGS, label: string, icon: ReactNode, block: string | undefined) => (
    <Button
      size="small"
      variant={what === 'delete' ? 'danger' : 'default'}
      icon={icon}
      disabledReason={tooMany ?? block}
      onClick={() => ask({ what, of: targets })}
    >
      {label}
    </Button>
  );
  const isWorkload = type.group === 'apps' && RESTARTABLE.has(type.resource);
  const close = (gone: readonly string[] = []) => {
    ask(undefined);
    if (gone.length > 0) selection.drop(gone);
  };
  return {
    buttons: (
      <>
        {isWorkload && action('restart', 'Restart', <RotateCw size={14} aria-hidden="true" />, patchBlock)}
        {verbs.includes('patch') && action('label', 'Label', <Tag size={14} aria-hidden="true" />, patchBlock)}
        {action('export', 'Export', <Download size={14} aria-hidden="true" />, undefined)}
        <Button
          size="small"
          icon={<Star size={14} aria-hidden="true" />}
          onClick={() => {
            changePlaces((places) => withFavourites(places, targets.slice(0, limits.bulk.examined).map(placeOfTarget)));
            showToast({ tone: 'ok', title: `${countedTargets(targets)} added to the favourites` });
          }}
        >
          Favourite
        </Button>
        {verbs.includes('delete') && action('delete', 'Delete', <Trash2 size={14} aria-hidden="true" />, deleteBlock)}
      </>
    ),
    dialog: asked !== undefined && Chosen !== undefined && <Chosen targets={asked.of} onClose={close} />,
  };
}

/** Why the person may do nothing of this kind to any of the targets; one namespace where they may is enough, each object says the rest. */
function useRightsFor(
  type: GroupVersionResource,
  targets: BulkTargets,
  verbs: readonly ['delete', 'patch'],
): readonly (string | undefined)[] {
  const namespaces = [...new Set(targets.map(({ namespace }) => namespace))].slice(0, MOST_NAMESPACES);
  const questions = verbs.flatMap((verb) => namespaces.map((namespace) => accessTo(verb, type, namespace)));
  const blocks = useBlocks(questions);
  return verbs.map((_, at) => {
    const own = blocks.slice(at * namespaces.length, (at + 1) * namespaces.length);
    return own.every((block) => block !== undefined) ? own[0] : undefined;
  });
}
