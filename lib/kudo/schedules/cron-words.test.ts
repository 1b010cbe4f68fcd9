import { describe, expect, it } from 'vitest';
import { cronWords } from './cron-words';

describe('a cron expression in words', () => {
  it.each([
    ['* * * * *', 'Every minute'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['0 * * * *', 'Every hour'],
    ['@hourly', 'Every hour'],
    ['5 * * * *', 'Every hour at minute 5'],
    ['0 */6 * * *', 'Every 6 hours'],
    ['30 2 * * *', 'Every day at 02:30'],
    ['0  2,14 * * ?', 'Every day at 02:00 and 14:00'],
    ['@daily', 'Every day at 00:00'],
    ['0 3 * * 0', 'Every Sunday at 03:00'],
    ['0 3 * * 7', 'Every Sunday at 03:00'],
    ['0 3 * * mon,thu', 'Every Monday and Thursday at 03:00'],
    ['0 3 * * 1-5', 'Monday to Friday at 03:00'],
    ['0 3 1 * *', 'On day 1 of each month at 03:00'],
    ['@yearly', 'Every year on 1 January at 00:00'],
  ])('%s is “%s”', (expression, words) => {
    expect(cronWords(expression)).toBe(words);
  });

  it.each([
    ['*/7 * * * *', 'its gaps are not equal'],
    ['0 3 13 * 5', 'it starts on the date and on the weekday'],
    ['0 3 1-7 * *', 'it has a range of dates'],
    ['0 1,2,3,4,5 * * *', 'it has many times a day'],
    ['0 3 1 jan *', 'it names the month'],
    ['', 'it is empty'],
    ['@never', 'it is no nickname'],
  ])('%s has none, because %s', (expression) => {
    expect(cronWords(expression)).toBeUndefined();
  });
});
