import { type GoType, LOCATION, TIME } from './types';
import { GoObject } from './value';

/** A time zone: UTC, a fixed offset, or rules by name (dates/zone). */
export class GoLocation extends GoObject {
  readonly type: GoType = LOCATION;
  constructor(
    /** `UTC`, `Europe/Berlin`, or empty for an offset without a name. */
    readonly name: string,
    /** Seconds east of UTC and abbreviation at a time in seconds since 1970. */
    readonly at: (unix: number) => { readonly offset: number; readonly abbreviation: string },
  ) {
    super();
  }

  override text(): string {
    return this.name;
  }
}

export const UTC = new GoLocation('UTC', () => ({ offset: 0, abbreviation: 'UTC' }));

/** Go's time.Time: seconds since 1970 (may be negative), nanoseconds 0 to 999,999,999, and where it is shown. */
export class GoTime extends GoObject {
  readonly type: GoType = TIME;
  constructor(
    readonly seconds: number,
    readonly nanoseconds: number,
    readonly location: GoLocation,
    /** Read from the clock, which `String` shows. */
    readonly monotonic = false,
  ) {
    super();
  }

  /** Set by dates/format, which would otherwise be imported in a circle. */
  static textOf: (time: GoTime) => string = (time) => String(time.seconds);
  static goTextOf: (time: GoTime) => string | undefined = () => undefined;

  override text(): string {
    return GoTime.textOf(this);
  }

  /** Go's GoString. */
  goText(): string | undefined {
    return GoTime.goTextOf(this);
  }
}

export const ZERO_TIME = new GoTime(-62_135_596_800, 0, UTC);
