'use client';

import { objectHref } from '@/components/resources/resource-path';
import { Link } from '@/components/ui/link';
import { type OwnerLink as OwnerLinkParts, storageVersionOf } from '@/lib/kudo/own-kinds/names';
import { ownKindOf } from '@/lib/kudo/own-kinds/stored-api';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** The resource of an own kind whose Instance this is; a link when the version of the Instance brings the kind. */
export function OwnKindLink({ row, owner }: { row: InstanceRow; owner: OwnerLinkParts }) {
  const kind = ownKindOf(row.operatorVersionObject, owner);
  const text = `${owner.kind} ${owner.name}`;
  const version = kind === undefined ? undefined : storageVersionOf(kind)?.name;
  if (kind === undefined || version === undefined) return text;
  const type = { group: kind.group, version, resource: kind.plural };
  return (
    <Link className="link" href={objectHref(type, row.namespace, owner.name)}>
      {text}
    </Link>
  );
}
