import { lockInForce } from '@/lib/kudo/lock/instance-lock';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import type { Invariant } from './fact';
import { nameIn, recordedStart } from './recorded-start';

/** Clocks of processes may be wrong by some hours: a lock that ends sooner may be over for one of them. */
const WRONG_BY_MS = 24 * 3_600_000;

/**
 * I17: no plan of a locked Instance starts, but its first one, its cleanup, and one that breaks the lock with a reason; one reason is one
 * start. The reasons of a run all differ.
 */
export const locks: Invariant = (report) => {
  const used = new Set<string>();
  return (fact) => {
    const start = recordedStart(fact);
    if (start === undefined) return;
    const { before, after, atMs, plan, uid, record } = start;
    const what = `plan ${plan} (${uid}) of Instance ${nameIn(after)}`;
    const broken = record.origin?.brokenLock;
    if (broken !== undefined) {
      const reason = broken.split(' was broken: ')[1] ?? broken;
      if (used.has(reason)) report(`I17: ${what} breaks the lock with the reason of an earlier start: ${reason}`);
      used.add(reason);
      return;
    }
    if (plan === CLEANUP_PLAN || before.status?.planStatus === undefined) return;
    const lock = lockInForce(before, atMs + WRONG_BY_MS);
    if (lock !== undefined) report(`I17: ${what} started while the Instance is locked until ${lock.until}`);
  };
};
