import { Chip } from './chip';

/** The number of new rows that wait until the pointer leaves the table or the chip is pressed. Its space is reserved. */
export function NewRows({ waiting, onShow }: { waiting: number; onShow: () => void }) {
  return (
    <span className="inline-flex min-h-[26px] items-center" aria-live="polite">
      {waiting > 0 && (
        <Chip pressed={false} onClick={onShow} title="Shown when the pointer leaves the table">
          +{waiting} new
        </Chip>
      )}
    </span>
  );
}
