import { Boxes, ListChecks, Package } from 'lucide-react';
import { LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';

const WORDS = [
  {
    Icon: Package,
    word: 'Operator',
    meaning: 'Software that Bravo can run, such as PostgreSQL: its parameters, its objects and its plans.',
  },
  {
    Icon: Boxes,
    word: 'Instance',
    meaning: 'One installation of an operator in a namespace, with its own parameter values.',
  },
  {
    Icon: ListChecks,
    word: 'Plan',
    meaning: 'A procedure of the operator, such as deploy, backup or upgrade, that Bravo runs step by step.',
  },
] as const;

/** The overview of a cluster without Instances: the three words that one needs, and the way to the first install. */
export function FirstSteps() {
  return (
    <Card title="Install your first operator">
      <dl className="grid gap-px bg-line md:grid-cols-3">
        {WORDS.map(({ Icon, word, meaning }) => (
          <div key={word} className="grid content-start gap-1 bg-surface px-4 py-4">
            <dt className="flex items-center gap-2 font-semibold text-md">
              <Icon size={16} aria-hidden="true" className="text-accent" />
              {word}
            </dt>
            <dd className="text-ink-2">{meaning}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 border-t px-4 py-4">
        <p className="min-w-0 flex-1 basis-64 text-ink-2">
          Choose an operator, a namespace and parameter values. The plan <code>deploy</code> of the new instance starts
          at once.
        </p>
        <span className="flex flex-wrap gap-2">
          <LinkButton href="/operators">See the catalogue</LinkButton>
          <LinkButton href="/install" variant="primary">
            Install an operator
          </LinkButton>
        </span>
      </div>
    </Card>
  );
}
