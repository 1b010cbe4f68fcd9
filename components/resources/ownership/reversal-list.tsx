import { Notice } from '@/components/ui/notice';
import type { Reversal } from '@/lib/kube/ownership/revert';

const TITLES: { readonly [when in Reversal['when']]: string } = {
  soon: 'This change will be reverted',
  later: 'This change may be reverted later',
  stays: 'This change stays',
};

/** Says what manages an object, and what becomes of a change of it. */
export function ReversalList({ reversals, what }: { reversals: readonly Reversal[]; what: string }) {
  if (reversals.length === 0) {
    return <p className="text-ink-2">Nothing else manages {what}: the change stays.</p>;
  }
  return reversals.map(({ when, text }) => (
    <Notice key={text} tone={when === 'stays' ? 'ok' : 'wait'} title={TITLES[when]}>
      {text}
    </Notice>
  ));
}
