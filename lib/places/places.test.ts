import { describe, expect, it } from 'vitest';
import {
  isFavourite,
  NO_PLACES,
  parsePlaces,
  viewsOf,
  withFavourites,
  withoutFavourite,
  withoutView,
  withSeenPlace,
  withView,
} from './places';

const place = (name: string) => ({ href: `/resources/core/v1/pods/demo/${name}`, label: name, note: 'Pod in demo' });

describe('places', () => {
  it('keeps the page that was seen last in front, each once, at most 20', () => {
    let places = NO_PLACES;
    for (let at = 0; at < 30; at++) places = withSeenPlace(places, place(`p${at}`));
    places = withSeenPlace(places, place('p25'));
    expect(places.seen.slice(0, 3).map(({ label }) => label)).toEqual(['p25', 'p29', 'p28']);
    expect(places.seen).toHaveLength(20);
    expect(withSeenPlace(places, place('p25'))).toBe(places);
  });

  it('adds favourites once, and removes them', () => {
    const places = withFavourites(withFavourites(NO_PLACES, [place('a')]), [place('a'), place('b')]);
    expect(places.favourites.map(({ label }) => label)).toEqual(['a', 'b']);
    expect(isFavourite(withoutFavourite(places, place('a').href), place('a').href)).toBe(false);
  });

  it('replaces a view of the same name of the same list, and keeps that of another list', () => {
    const one = { name: 'mine', href: '/instances?q=a' };
    const two = { name: 'mine', href: '/instances?q=b' };
    const other = { name: 'mine', href: '/runs?q=b' };
    const places = withView(withView(withView(NO_PLACES, one), other), two);
    expect(viewsOf(places, '/instances')).toEqual([two]);
    expect(viewsOf(withoutView(places, two), '/runs')).toEqual([other]);
  });

  it('reads what was stored, and leaves out what is no address of the console', () => {
    const places = withView(withSeenPlace(withFavourites(NO_PLACES, [place('a')]), place('b')), {
      name: 'v',
      href: '/runs',
    });
    expect(parsePlaces(JSON.stringify(places))).toEqual(places);
    const bad = ['//evil.example', 'javascript:alert(1)', '/\\evil.example', 7].map((href) => ({
      href,
      label: 'x',
      note: '',
    }));
    expect(parsePlaces(JSON.stringify({ favourites: bad, seen: 'x', views: [{ href: '/a' }, null] }))).toEqual(
      NO_PLACES,
    );
    expect(parsePlaces('no json')).toEqual(NO_PLACES);
    expect(parsePlaces(null)).toEqual(NO_PLACES);
  });
});
