import type { GoLocation } from '../value/time';

/** The parts of a time that have been read so far. */
export interface Reading {
  year: number;
  month: number;
  day: number;
  yearDay: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  isPm: boolean;
  isAm: boolean;
  location: GoLocation | undefined;
  offset: number | undefined;
  zoneName: string;
}
