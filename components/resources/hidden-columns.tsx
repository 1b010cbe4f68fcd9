import { Chip } from '@/components/ui/chip';
import type { TableColumn } from '@/lib/kube/table';

/** Shows the columns that the kind prints on request only, if it has some. */
export function HiddenColumns({
  columns,
  isWide,
  onChoose,
}: {
  columns: readonly TableColumn[];
  isWide: boolean;
  onChoose: (choice: string) => void;
}) {
  const hidden = columns.filter(({ priority }) => priority > 0).length;
  if (hidden === 0) return null;
  return (
    <Chip pressed={isWide} onClick={() => onChoose(isWide ? '' : 'all')}>
      {isWide ? 'All columns' : `${hidden} more ${hidden === 1 ? 'column' : 'columns'}`}
    </Chip>
  );
}
