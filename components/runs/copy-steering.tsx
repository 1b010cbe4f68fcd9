import { CopyAsMenu } from '@/components/ui/copy-as-menu';
import { loadPart } from '@/components/ui/load-part';
import { useLoaded } from '@/components/ui/use-loaded';
import type { SteerWish } from '@/lib/kudo/runs/steer';
import type { RunRow } from '@/lib/kudo/view/run-row';

const loadCommands = () => loadPart(() => import('@/lib/kudo/commands/steer-commands'));

/** Copies what a person wants with a run as a command. Not shown for a run that is over or cancelled, which nobody steers. */
export function CopySteering({ row, wish }: { row: RunRow; wish: SteerWish }) {
  const loaded = useLoaded(loadCommands);
  if (row.isOver || row.run.spec?.cancelled === true) return null;
  // A run that is to stop at a later phase keeps that when it goes on. What a skipped step needs is checked when it is sent.
  const phases = wish.do === 'resume' ? row.run.status?.phases : undefined;
  return <CopyAsMenu what={`${wish.do} run ${row.name}`} commands={loaded?.steerCommands(row.run, wish, phases)} />;
}
