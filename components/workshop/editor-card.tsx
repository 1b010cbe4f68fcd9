'use client';

import dynamic from 'next/dynamic';
import { Card } from '@/components/ui/card';
import { loadPart } from '@/components/ui/load-part';
import { PackageProblems } from './package-problems';
import type { Workshop } from './use-workshop';

const PackageEditor = dynamic(() => loadPart(() => import('./package-editor')), {
  ssr: false,
  loading: () => <p className="p-4 text-ink-3">Opening the editor…</p>,
});

/** The text of the open file, and the problems of the package below it. */
export function EditorCard({ actions, text, own, knowledge, checks }: Workshop) {
  return (
    <Card className="flex h-full min-h-[60dvh] flex-col [&>div]:flex [&>div]:min-h-0 [&>div]:flex-1 [&>div]:flex-col">
      <h2 className="border-b px-3 py-2 font-medium">
        <code>{actions.path}</code>
      </h2>
      <div className="min-h-0 flex-1 max-lg:h-[50dvh] max-lg:flex-none">
        <PackageEditor
          path={actions.path}
          text={text}
          problems={own}
          knowledge={knowledge}
          target={actions.target}
          onChange={actions.change}
          onFix={actions.fix}
        />
      </div>
      <PackageProblems checks={checks} onGo={actions.go} onFix={actions.fix} />
    </Card>
  );
}
