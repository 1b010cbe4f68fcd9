import { isJsonObject, stringAt } from '@/lib/json/json';

/** A page that a person comes back to: an object, or a list with its filter. The key of a place is its address without the cluster. */
export interface KeptPlace {
  readonly href: string;
  /** `web`. */
  readonly label: string;
  /** `Deployment in demo`. */
  readonly note: string;
}

/** A list under a name: `href` has its filter, its order and its columns. */
export interface SavedView {
  readonly name: string;
  readonly href: string;
  /** The columns of the Instances' table as text; absent for other lists. */
  readonly layout?: string;
}

/** What a browser keeps for one account in one cluster. */
export interface KeptPlaces {
  readonly favourites: readonly KeptPlace[];
  /** The newest first. */
  readonly seen: readonly KeptPlace[];
  readonly views: readonly SavedView[];
}

export const NO_PLACES: KeptPlaces = { favourites: [], seen: [], views: [] };

const MOST = { favourites: 100, seen: 20, views: 50 } as const;
export const MOST_VIEW_NAME_CHARS = 60;
const MOST_CHARS = 2_000;

/** Reads the stored text; what is no place is left out, because a person or an older version may have written it. */
export function parsePlaces(text: string | null): KeptPlaces {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return NO_PLACES;
  }
  if (!isJsonObject(value)) return NO_PLACES;
  const list = (key: keyof KeptPlaces) => (Array.isArray(value[key]) ? value[key].slice(0, MOST[key]) : []);
  return {
    favourites: list('favourites').flatMap(readPlace),
    seen: list('seen').flatMap(readPlace),
    views: list('views').flatMap(readView),
  };
}

function readPlace(value: unknown): KeptPlace[] {
  if (!isJsonObject(value)) return [];
  const [href, label, note] = [stringAt(value, 'href'), stringAt(value, 'label'), stringAt(value, 'note')];
  if (!isAddress(href) || label === undefined || note === undefined) return [];
  return [{ href, label: label.slice(0, MOST_CHARS), note: note.slice(0, MOST_CHARS) }];
}

function readView(value: unknown): SavedView[] {
  if (!isJsonObject(value)) return [];
  const [href, name, layout] = [stringAt(value, 'href'), stringAt(value, 'name'), stringAt(value, 'layout')];
  if (!isAddress(href) || name === undefined || name === '') return [];
  return [{ href, name: name.slice(0, MOST_VIEW_NAME_CHARS), ...(layout === undefined ? {} : { layout }) }];
}

/** A path of the console: never another site, nor a script. */
function isAddress(href: string | undefined): href is string {
  return href !== undefined && href.length <= MOST_CHARS && /^\/(?![/\\])/.test(href);
}

/** With a page at the front of those that were seen. */
export function withSeenPlace(places: KeptPlaces, place: KeptPlace): KeptPlaces {
  const [first] = places.seen;
  if (first?.href === place.href && first.label === place.label && first.note === place.note) return places;
  const others = places.seen.filter(({ href }) => href !== place.href);
  return { ...places, seen: [place, ...others].slice(0, MOST.seen) };
}

/** True for a favourite. */
export function isFavourite({ favourites }: KeptPlaces, href: string): boolean {
  return favourites.some((each) => each.href === href);
}

/** With these as favourites, behind those that are; the oldest go when there are too many. */
export function withFavourites(places: KeptPlaces, added: readonly KeptPlace[]): KeptPlaces {
  const news = added.filter(({ href }) => !isFavourite(places, href));
  return { ...places, favourites: [...places.favourites, ...news].slice(-MOST.favourites) };
}

/** Without a favourite. */
export function withoutFavourite(places: KeptPlaces, href: string): KeptPlaces {
  return { ...places, favourites: places.favourites.filter((each) => each.href !== href) };
}

/** With a view; one of the same name for the same list is replaced. */
export function withView(places: KeptPlaces, view: SavedView): KeptPlaces {
  const others = places.views.filter((each) => !isSameView(each, view));
  return { ...places, views: [...others, view].slice(-MOST.views) };
}

/** Without a view. */
export function withoutView(places: KeptPlaces, view: SavedView): KeptPlaces {
  return { ...places, views: places.views.filter((each) => !isSameView(each, view)) };
}

/** The views of a list, by name. */
export function viewsOf({ views }: KeptPlaces, path: string): readonly SavedView[] {
  return views.filter(({ href }) => pathOf(href) === path).sort((a, b) => a.name.localeCompare(b.name));
}

function isSameView(a: SavedView, b: SavedView): boolean {
  return a.name === b.name && pathOf(a.href) === pathOf(b.href);
}

function pathOf(href: string): string {
  return href.split('?')[0] ?? href;
}
