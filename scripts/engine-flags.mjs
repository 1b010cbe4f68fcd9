import { setFlagsFromString } from 'node:v8';

/**
 * How much a function has to run before V8 optimises it: about four times the usual. A controller or a sandbox that was just
 * started spends a quarter of its processor time on optimising, in threads that take the two cores from the work itself, and
 * much of it twice, since what it saw of the types so early was not all. Measured on two quiet cores with 300 plans at once: 47
 * plans a second instead of 40 in the first burst, 58 instead of 62 in the second. On a machine that others load heavily, less
 * time goes to optimising and more to what is not optimised yet, and the sum is the same.
 *
 * Holds for the whole process and its threads, for functions that run first after it: so it is said before all else is loaded.
 */
export function optimiseLater() {
  setFlagsFromString('--interrupt-budget=300000');
}
