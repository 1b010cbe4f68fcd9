import { Tag } from '@/components/ui/tag';
import type { KubeObject } from '@/lib/kube/object';
import { ownerBadge, toolOwners } from '@/lib/kube/ownership/tool-owner';

/** Says which tools outside of Bravo manage an object: "managed by Argo CD: shop". Nothing for an object of nobody. */
export function OwnerBadges({ object }: { object: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'> }) {
  return toolOwners(object).map((owner) => (
    <Tag key={owner.tool}>
      <span>
        managed by <strong className="font-medium">{ownerBadge(owner)}</strong>
      </span>
    </Tag>
  ));
}
