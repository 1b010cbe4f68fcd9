'use client';

import type { SortColumn } from '@/components/instances/instance-filter';
import { useRowPx } from '@/components/ui/display-settings';
import { RowSpacer } from '@/components/ui/row-spacer';
import { SortHeader } from '@/components/ui/sort-header';
import { StatusText } from '@/components/ui/status';
import { useVirtualRows } from '@/components/ui/use-virtual-rows';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { ClusterLink } from './cluster-link';

/** An Instance of one of the clusters. */
export interface ClusterInstanceRow {
  readonly cluster: string;
  readonly title: string;
  readonly row: InstanceRow;
}

const ROW_PX = 44;
const columns: readonly { readonly column: SortColumn; readonly label: string; readonly className?: string }[] = [
  { column: 'namespace', label: 'Namespace', className: 'max-md:hidden' },
  { column: 'operator', label: 'Operator', className: 'max-lg:hidden' },
];

/** The Instances of all clusters. Of more than 200 rows only those in view are drawn. */
export function AllInstancesTable({
  rows,
  addresses,
  sort,
  descending,
  onSort,
}: {
  rows: readonly ClusterInstanceRow[];
  /** How the address of a cluster begins, by its name; undefined for the home cluster. */
  addresses: ReadonlyMap<string, string | undefined>;
  sort: SortColumn;
  descending: boolean;
  onSort: (column: SortColumn, descending: boolean) => void;
}) {
  const { ref, first, last, before, after } = useVirtualRows<HTMLTableSectionElement>(rows.length, useRowPx(ROW_PX));
  const order = { sort, descending, onSort };
  return (
    <table className="table table-fixed" data-long="" aria-rowcount={rows.length + 1}>
      <caption className="sr-only">Instances of all clusters</caption>
      <thead>
        <tr>
          <SortHeader column="status" label="Status" className="w-[40%] md:w-[22%] lg:w-[18%]" {...order} />
          <SortHeader column="name" label="Name" {...order} />
          <th scope="col" className="max-sm:hidden">
            Cluster
          </th>
          {columns.map((each) => (
            <SortHeader key={each.column} {...each} {...order} />
          ))}
        </tr>
      </thead>
      <tbody ref={ref}>
        <RowSpacer heightPx={before} columns={columns.length + 3} />
        {rows.slice(first, last).map((each, index) => (
          <Row
            key={`${each.cluster} ${each.row.key}`}
            of={each}
            index={first + index}
            // Until the list of clusters is here, the name is used: it is true for the home cluster too.
            address={addresses.has(each.cluster) ? addresses.get(each.cluster) : each.cluster}
          />
        ))}
        <RowSpacer heightPx={after} columns={columns.length + 3} />
      </tbody>
    </table>
  );
}

function Row({ of, index, address }: { of: ClusterInstanceRow; index: number; address: string | undefined }) {
  const { row, title } = of;
  return (
    <tr aria-rowindex={index + 2} data-instance={row.key} data-cluster={of.cluster}>
      <td>
        <StatusText status={row.state.key} word={row.state.word} />
        {row.state.reason !== '' && (
          <div className="ms-[23px] truncate text-ink-2 text-xs leading-[1.3]" title={row.state.detail}>
            {row.state.reason}
          </div>
        )}
      </td>
      <td>
        <ClusterLink
          cluster={address}
          path={instancePath(row.namespace, row.name)}
          className="link break-all font-semibold"
        >
          {row.name}
        </ClusterLink>
        <div className="truncate text-ink-2 text-xs md:hidden">
          {row.namespace}
          <span className="sm:hidden"> · {title}</span>
        </div>
      </td>
      <td className="truncate max-sm:hidden">{title}</td>
      <td className="truncate text-ink-2 max-md:hidden">{row.namespace}</td>
      <td className="truncate max-lg:hidden">
        {row.operator} <code className="text-ink-2">{row.version}</code>
      </td>
    </tr>
  );
}
