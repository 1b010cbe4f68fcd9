'use client';

import { X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useSearchParams } from '@/components/ui/navigation';
import { MOST_VIEW_NAME_CHARS, type SavedView, withoutView, withView } from '@/lib/places/places';
import { changePlaces } from './use-places';

interface SavedViewsDialogProps {
  /** Of the list. */
  readonly path: string;
  readonly views: readonly SavedView[];
  readonly layout: string | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onShow: (view: SavedView) => void;
}

/** The views of a list: each can be shown and removed, and the list as it is saved as another one. */
export function SavedViewsDialog({ path, views, layout, open, onClose, onShow }: SavedViewsDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Saved views">
      <div className="grid gap-4">
        {views.length === 0 ? (
          <p className="text-ink-2">
            A view keeps the filter, the order and the columns of this list under a name, in this browser.
          </p>
        ) : (
          <ul aria-label="Saved views" className="divide-y divide-line rounded-md border">
            {views.map((view) => (
              <li key={view.name} className="flex min-h-10 items-center gap-2 px-3">
                <button
                  type="button"
                  className="link min-w-0 flex-1 truncate text-start font-medium"
                  onClick={() => onShow(view)}
                >
                  {view.name}
                </button>
                <Button
                  size="small"
                  variant="quiet"
                  iconOnly
                  icon={<X size={14} aria-hidden="true" />}
                  onClick={() => changePlaces((places) => withoutView(places, view))}
                >
                  Remove view {view.name}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <SaveView path={path} names={views.map(({ name }) => name)} layout={layout} />
      </div>
    </Dialog>
  );
}

interface SaveViewProps {
  readonly path: string;
  readonly names: readonly string[];
  readonly layout: string | undefined;
}

function SaveView({ path, names, layout }: SaveViewProps) {
  const query = useSearchParams().toString();
  const [name, setName] = useState('');
  const trimmed = name.trim();
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (trimmed === '') return;
        const href = query === '' ? path : `${path}?${query}`;
        changePlaces((places) =>
          withView(places, { name: trimmed, href, ...(layout === undefined ? {} : { layout }) }),
        );
        setName('');
      }}
    >
      <Field label="Name of the view" hint={names.includes(trimmed) ? 'The view of this name is replaced.' : undefined}>
        {(wiring) => (
          <Input
            {...wiring}
            data-first-focus
            maxLength={MOST_VIEW_NAME_CHARS}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" disabledReason={trimmed === '' ? 'Enter a name.' : undefined}>
          Save this view
        </Button>
      </div>
    </form>
  );
}
