import { Chip } from './chip';

/** Says how many rows wait until the pointer leaves the table, or somebody asks for them. Holds its place, so nothing moves. */
export function NewRows({ waiting, onShow }: { waiting: number; onShow: () => void }) {
  return (
    <span className="inline-flex min-h-[26px] items-center" aria-live="polite">
      {waiting > 0 && (
        <Chip pressed={false} onClick={onShow} title="They are shown when the pointer leaves the table">
          +{waiting} new
        </Chip>
      )}
    </span>
  );
}
