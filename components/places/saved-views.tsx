'use client';

import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { laterDialog } from '@/components/ui/later-dialog';
import { loadPart } from '@/components/ui/load-part';
import { usePathname, useRouter } from '@/components/ui/navigation';
import { type SavedView, viewsOf } from '@/lib/places/places';
import { usePlaces } from './use-places';

const SavedViewsDialog = laterDialog(() =>
  loadPart(() => import('./saved-views-dialog')).then((module) => module.SavedViewsDialog),
);

/** Saves the filter, the order and the columns of a list under a name, and goes back to them. */
export function SavedViews({ layout, onLayout }: { layout?: string | undefined; onLayout?: (layout: string) => void }) {
  const path = usePathname();
  const router = useRouter();
  const views = viewsOf(usePlaces(), path);
  const [isOpen, setIsOpen] = useState(false);
  const show = (view: SavedView) => {
    setIsOpen(false);
    if (view.layout !== undefined) onLayout?.(view.layout);
    router.push(view.href);
  };
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        icon={<Bookmark size={14} aria-hidden="true" />}
        onClick={() => setIsOpen(true)}
      >
        Views{views.length > 0 && ` (${views.length})`}
      </Button>
      <SavedViewsDialog {...{ path, views, layout }} open={isOpen} onClose={() => setIsOpen(false)} onShow={show} />
    </>
  );
}
