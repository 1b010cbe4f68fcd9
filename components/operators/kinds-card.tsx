import { kindHref } from '@/components/resources/resource-path';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { crdNameOf, storageVersionOf } from '@/lib/kudo/own-kinds/names';
import { apiOf } from '@/lib/kudo/own-kinds/stored-api';
import type { OwnKind } from '@/lib/kudo/own-kinds/types';
import type { OperatorVersion } from '@/lib/kudo/types';

/** The kinds that a version of an operator brings, with links to their resources; nothing when it brings none. */
export function KindsCard({ version }: { version: OperatorVersion }) {
  const kinds = apiOf(version);
  if (kinds.length === 0) return null;
  return (
    <Card title="Kinds" note={String(kinds.length)}>
      <ul className="py-1">
        {kinds.map((kind) => (
          <li key={crdNameOf(kind)} className="px-4 py-1">
            <Link className="link font-semibold" href={kindHref(typeOf(kind))}>
              {kind.kind}
            </Link>
            <p className="text-ink-2">{kind.run === undefined ? 'an instance' : `one run of plan ${kind.run.plan}`}</p>
          </li>
        ))}
      </ul>
      <p className="border-line border-t px-4 py-2 text-ink-3">
        Of API group {[...new Set(kinds.map(({ group }) => group))].join(', ')}.
      </p>
    </Card>
  );
}

function typeOf(kind: OwnKind) {
  return { group: kind.group, version: storageVersionOf(kind)?.name ?? '', resource: kind.plural };
}
