'use client';

import { Star } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { isFavourite, type KeptPlace, withFavourites, withoutFavourite } from '@/lib/places/places';
import { changePlaces, usePlaces } from './use-places';

/** Makes the page's object a favourite, or no favourite any more. */
export function StarButton({ place }: { place: KeptPlace }) {
  const isOn = isFavourite(usePlaces(), place.href);
  return (
    <Button
      variant="quiet"
      iconOnly
      icon={<Star size={16} aria-hidden="true" className={isOn ? 'fill-wait text-wait' : undefined} />}
      aria-pressed={isOn}
      title="Favourite"
      onClick={() =>
        changePlaces((places) => (isOn ? withoutFavourite(places, place.href) : withFavourites(places, [place])))
      }
    >
      Favourite
    </Button>
  );
}
