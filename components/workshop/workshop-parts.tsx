import { Chip } from '@/components/ui/chip';

/** What a narrow screen shows one of. */
export type WorkshopPart = 'files' | 'editor' | 'preview';

const PARTS: readonly { readonly part: WorkshopPart; readonly label: string }[] = [
  { part: 'files', label: 'Files' },
  { part: 'editor', label: 'Editor' },
  { part: 'preview', label: 'Preview' },
];

/** The parts of the workshop on a screen that has no room for all. */
export function WorkshopParts({
  part,
  onPart,
  problems,
}: {
  part: WorkshopPart;
  onPart: (part: WorkshopPart) => void;
  problems: number;
}) {
  return (
    <fieldset aria-label="Part of the workshop" className="mb-3 flex gap-2 lg:hidden">
      {PARTS.map(({ part: each, label }) => (
        <Chip key={each} pressed={each === part} onClick={() => onPart(each)} className="h-8 flex-1 justify-center">
          {label}
          {each === 'editor' && problems > 0 && <span className="text-2xs">{problems}</span>}
        </Chip>
      ))}
    </fieldset>
  );
}
