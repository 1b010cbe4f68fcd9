'use client';

import { create } from 'zustand';
import { useNow } from '@/components/ui/use-now';
import { type InstanceLock, LOCK_ANNOTATION, lockInForce, lockSentence } from '@/lib/kudo/lock/instance-lock';
import type { Instance } from '@/lib/kudo/types';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { useRightToRun } from './instance-rights';
import type { AccessCheck } from './use-access';

/** Why the person breaks a lock with the next start, by {@link lockKey}: a lock that is set anew is another one. */
const useBreaks = create<{ readonly byLock: { readonly [lock: string]: string } }>()(() => ({ byLock: {} }));

/** Identifies a lock of an Instance, also in the keys of queries whose answer depends on it. */
export function lockKey({ metadata }: Pick<Instance, 'metadata'>): string {
  return `${metadata.uid ?? ''} ${metadata.annotations?.[LOCK_ANNOTATION] ?? ''}`;
}

const LOOK_EVERY_MS = 2_000;

/** The lock that holds the Instance now; undefined when it is over. */
export function useInstanceLock(instance: Instance): InstanceLock | undefined {
  return lockInForce(instance, useNow(LOOK_EVERY_MS));
}

/** Why the person breaks the lock with the next start; undefined when they do not. */
export function useLockBreak(instance: Instance): string | undefined {
  const key = lockKey(instance);
  return useBreaks(({ byLock }) => byLock[key]);
}

/** Remembers why the next start breaks the lock; undefined takes that back. */
export function setLockBreak(instance: Instance, reason: string | undefined): void {
  const key = lockKey(instance);
  useBreaks.setState(({ byLock: { [key]: _, ...others } }) => ({
    byLock: reason === undefined ? others : { ...others, [key]: reason },
  }));
}

/** What a request that starts a plan says about the lock. */
export function lockWish(instance: Instance | undefined): { readonly breakLock?: string } {
  const reason = instance === undefined ? undefined : useBreaks.getState().byLock[lockKey(instance)];
  return reason === undefined ? {} : { breakLock: reason };
}

/** The rights for plans and versions of an Instance; `block` says also that it is locked, unless the person breaks the lock. */
export function useRightToStart(row: Pick<InstanceRow, 'instance' | 'namespace'>): AccessCheck {
  const right = useRightToRun(row);
  const lock = useInstanceLock(row.instance);
  const isBroken = useLockBreak(row.instance) !== undefined;
  if (lock === undefined || isBroken) return right;
  return { ...right, block: right.missing ?? lockSentence(row.instance, lock) };
}
