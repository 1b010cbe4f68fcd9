'use client';

import { CrdsMissing } from '@/components/operators/crds-missing';
import { type Catalogue, useCatalogue, useOperators } from '@/components/operators/use-catalogue';
import type { PackageDetail } from '@/lib/kudo/package/catalogue';
import { InstallForm } from './install-form';
import { OperatorChoice } from './operator-choice';

/** Installs an operator: which one, where, with which parameters, what that creates. */
export function InstallPage({
  detail,
  catalogue: initial,
}: {
  detail: PackageDetail | undefined;
  catalogue: Catalogue;
}) {
  const catalogue = useCatalogue(initial);
  const { rows, crdsMissing, knowsVersions } = useOperators(catalogue);
  return (
    <>
      {crdsMissing && <CrdsMissing />}
      {detail === undefined ? (
        <OperatorChoice rows={rows} />
      ) : (
        <InstallForm
          key={`${detail.name} ${detail.key}`}
          detail={detail}
          versions={rows.find(({ name }) => name === detail.name)?.versions ?? []}
          crdsMissing={crdsMissing}
          knowsVersions={knowsVersions}
        />
      )}
    </>
  );
}
