'use client';

import { useState } from 'react';
import { operatorPath } from '@/components/operators/operator-path';
import { type Catalogue, useCatalogue, useOperators } from '@/components/operators/use-catalogue';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import { PageHeader } from '@/components/ui/page-header';
import { SubscriptionsCard } from './subscriptions-card';
import { UpgradeCard } from './upgrade-card';
import { UpgradeForm } from './upgrade-form';
import { useUpgrades } from './use-upgrades';

interface UpgradePageProps {
  name: string;
  /** Shown first; the first one with Instances when absent. */
  namespace: string | undefined;
  catalogue: Catalogue;
}

/** Plans upgrades of an operator's Instances, starts them in waves, and follows them. */
export function UpgradePage({ name, namespace: asked, catalogue: initial }: UpgradePageProps) {
  const { rows, versions, instances, subscriptions } = useOperators(useCatalogue(initial));
  const upgrades = useUpgrades(name);
  const own = new Set(
    versions
      .filter(({ spec }) => spec?.operator?.name === name)
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
  );
  const mine = instances.filter(({ metadata, spec }) =>
    own.has(`${metadata.namespace}/${spec?.operatorVersion?.name ?? ''}`),
  );
  const namespaces = [...new Set(mine.map(({ metadata }) => metadata.namespace ?? ''))].sort();
  const [chosen, setChosen] = useState(asked);
  const namespace = namespaces.find((each) => each === chosen) ?? namespaces[0];
  const best = rows.find((row) => row.name === name)?.versions[0];
  const followed = subscriptions.filter(
    ({ spec, metadata }) => spec?.operator === name && metadata.namespace === namespace,
  );
  const here = upgrades.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
  const operatorCrumb = best === undefined ? { label: name } : { label: name, href: operatorPath(name, best.key) };
  return (
    <>
      <PageHeader
        title={`Upgrade ${name}`}
        crumbs={[{ label: 'Operators', href: '/operators' }, operatorCrumb, { label: 'Upgrade' }]}
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,420px)]">
        <Card title="New upgrade" padded={namespace !== undefined}>
          {namespace === undefined ? (
            <EmptyState title={`No instance of ${name}`}>Install one first; then it can be upgraded here.</EmptyState>
          ) : (
            <div className="grid gap-4">
              {namespaces.length > 1 && (
                <Field label="Namespace">
                  {(wiring) => (
                    <Select {...wiring} value={namespace} onChange={(event) => setChosen(event.target.value)}>
                      {namespaces.map((each) => (
                        <option key={each}>{each}</option>
                      ))}
                    </Select>
                  )}
                </Field>
              )}
              <UpgradeForm
                key={namespace}
                operator={name}
                namespace={namespace}
                instances={mine.filter(({ metadata }) => metadata.namespace === namespace)}
                versions={(rows.find((row) => row.name === name)?.versions ?? []).map(({ key }) => key)}
                subscriptions={followed}
              />
            </div>
          )}
        </Card>
        <div className="grid gap-4">
          {here.map((upgrade) => (
            <UpgradeCard key={upgrade.metadata.uid} upgrade={upgrade} />
          ))}
          {namespace !== undefined && (
            <SubscriptionsCard operator={name} namespace={namespace} subscriptions={followed} />
          )}
        </div>
      </div>
    </>
  );
}
