'use client';

import { Star } from 'lucide-react';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import type { KeptPlace } from '@/lib/places/places';
import { usePlaces } from './use-places';

const MOST_FAVOURITES = 12;
const MOST_SEEN = 6;

/** Favourites, saved views and what was seen last, on the overview. Nothing while the browser keeps none of them. */
export function PlacesCard() {
  const { favourites, views, seen } = usePlaces();
  const shown = favourites.slice(-MOST_FAVOURITES).reverse();
  const saved = views.map(({ name, href }) => ({ href, label: name, note: 'Saved view' }));
  const others = seen.filter(({ href }) => shown.every((each) => each.href !== href)).slice(0, MOST_SEEN);
  if (shown.length + saved.length + others.length === 0) return null;
  return (
    <Card title="Favourites and recent">
      <PlaceList label="Favourites" places={[...shown, ...saved]} isStarred />
      <PlaceList label="Recently seen" places={others} />
    </Card>
  );
}

function PlaceList({
  label,
  places,
  isStarred = false,
}: {
  label: string;
  places: readonly KeptPlace[];
  isStarred?: boolean;
}) {
  if (places.length === 0) return null;
  return (
    <section aria-label={label} className="border-b py-1 last:border-b-0">
      <h3 className="px-4 pt-1.5 pb-0.5 font-medium text-ink-3 text-xs">{label}</h3>
      <ul>
        {places.map(({ href, label: name, note }) => (
          <li key={`${href} ${name}`} className="flex min-h-8 items-center gap-2 px-4">
            {isStarred && <Star size={13} aria-hidden="true" className="shrink-0 fill-wait text-wait" />}
            <Link className="link min-w-0 truncate font-medium" href={href} prefetch={false}>
              {name}
            </Link>
            <span className="ms-auto shrink-0 text-ink-3 text-xs">{note}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
