'use client';

import { useAccess } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { accessTo } from '@/lib/kube/access';
import { resourceName } from '@/lib/kube/kinds';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { type Revision, undoBlock, undoPatch } from '@/lib/kube/workloads/revisions';
import { shellLine } from '@/lib/kudo/commands/shell-quote';
import { writeYaml } from '@/lib/yaml/yaml';
import type { ObjectAddress } from '../object-draft';
import { ReversalList } from '../ownership/reversal-list';
import { TakeElsewhere } from '../ownership/take-elsewhere';
import { useReversals } from '../ownership/use-reversals';
import { TextVersions } from '../text-versions';
import { useSendWrite } from './use-send-write';

const TEMPLATE = [['spec', 'template']] as const;

interface RevisionDialogProps {
  readonly address: ObjectAddress;
  readonly object: KubeObject;
  readonly revision: Revision;
  readonly current: Revision;
  readonly onClose: () => void;
}

/** An older revision beside the current one, and the way back to it. */
export function RevisionDialog({ address, object, revision, current, onClose }: RevisionDialogProps) {
  const { type, namespace } = address;
  const { block } = useAccess(accessTo('patch', type, namespace));
  const { reversals, owners, stored } = useReversals({ object, address, fields: TEMPLATE });
  const title = `${object.kind} ${nameOf(object)} back to revision ${revision.number}`;
  const send = useSendWrite(title, onClose);
  const undo = () =>
    send.run({
      method: 'PATCH',
      path: { ...type, namespace, name: nameOf(object) },
      body: undoPatch(object, revision),
      contentType: 'application/json-patch+json',
    });
  const target = `${resourceName(type)}/${nameOf(object)}`;
  const spec = { ...(object.spec as object), template: revision.template };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Revision ${revision.number} of ${object.kind} ${nameOf(object)}`}
      footer={
        <>
          <span className="me-auto">
            <TakeElsewhere
              change={{ type, before: stored, after: { ...stored, spec }, title }}
              owner={owners[0]}
              kubectl={shellLine([
                ...['kubectl', 'rollout', 'undo', target, '-n', namespace],
                `--to-revision=${revision.number}`,
              ])}
            />
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={send.isBusy}
            disabledReason={undoBlock(object) ?? block}
            onClick={undo}
          >{`Go back to revision ${revision.number}`}</Button>
        </>
      }
    >
      <div className="grid gap-4">
        <TextVersions
          left={writeYaml(current.template)}
          right={writeYaml(revision.template)}
          leftTitle={`Revision ${current.number}, current`}
          rightTitle={`Revision ${revision.number}`}
        />
        <ReversalList reversals={reversals} what={`this ${object.kind}`} />
        {send.error !== undefined && (
          <Notice tone="fail" alert title="The revision was not put back">
            {send.error}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
