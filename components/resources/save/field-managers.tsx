import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import type { TakenField } from './save-review';

interface FieldManagersProps {
  readonly fields: readonly TakenField[];
  readonly isBusy: boolean;
  readonly onKeep: (field: TakenField) => void;
}

/** The fields that others set, with the field managers; each can be left as it is. */
export function FieldManagers({ fields, isBusy, onKeep }: FieldManagersProps) {
  if (fields.length === 0) return null;
  return (
    <Notice tone="wait" title="Other field managers set fields that you change">
      <p>Saving takes these fields over. Their managers may set them again.</p>
      <ul aria-label="Fields of other managers" className="mt-2 grid gap-2">
        {fields.map((field) => (
          <li key={field.path} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 break-words">
              {field.managers.join(', ')} {field.managers.length === 1 ? 'sets' : 'set'} <code>{field.path}</code>
            </span>
            <Button size="small" busy={isBusy} aria-label={`Keep theirs: ${field.path}`} onClick={() => onKeep(field)}>
              Keep theirs
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
