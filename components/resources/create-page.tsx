'use client';

import Link from 'next/link';
import { useMemo, useState } from 'react';
import { useBlocks } from '@/components/access/use-access';
import { useNamespaceScope } from '@/components/shell/preferences';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { Status } from '@/components/ui/status';
import { YamlEditor } from '@/components/ui/yaml-editor/yaml-editor';
import type { KindSummary } from '@/lib/kube/kinds';
import { formatApiVersion } from '@/lib/kube/object';
import type { YamlFinding } from '@/lib/yaml/lint-yaml';
import { type CreateOutcome, createObjects, readObjects, rightsToCreate } from './create-objects';
import { kindHref } from './resource-path';
import { starterText } from './starter-text';
import { useKinds } from './use-kinds';
import { apiVersionsIn, useSchemas } from './use-schemas';

const BLANK = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: example\ndata:\n  key: value\n';

/** Creates one or more objects from YAML: linted while typing, checked by a dry run, then created. */
export function CreatePage({
  kind,
  namespace,
  initialKinds,
}: {
  /** The kind that the page was opened for. */
  kind: KindSummary | undefined;
  namespace: string | undefined;
  initialKinds: readonly KindSummary[];
}) {
  const kinds = useKinds(initialKinds) ?? [];
  const scope = useNamespaceScope();
  const home = namespace ?? scope ?? 'default';
  const [edited, setEdited] = useState<string>();
  const ownVersion = kind === undefined ? [] : [formatApiVersion(kind.group, kind.version)];
  const schemaOf = useSchemas([...ownVersion, ...apiVersionsIn(edited ?? '')]);
  const starter = useMemo(() => {
    if (kind === undefined) return BLANK;
    const schema = schemaOf(formatApiVersion(kind.group, kind.version), kind.kind);
    return starterText(kind, kind.namespaced ? home : undefined, schema);
  }, [kind, home, schemaOf]);
  const text = edited ?? starter;
  const [findings, setFindings] = useState<readonly YamlFinding[]>([]);
  const [outcomes, setOutcomes] = useState<readonly CreateOutcome[]>([]);
  const [running, setRunning] = useState<'check' | 'create'>();
  const objects = useMemo(() => readObjects(text), [text]);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const run = async (mode: 'check' | 'create') => {
    setRunning(mode);
    setOutcomes(await createObjects(objects, kinds, home, mode));
    setRunning(undefined);
  };
  const rights = useBlocks(rightsToCreate(objects, kinds, home));
  const blocked =
    objects.length === 0
      ? 'There is no object in the text.'
      : errors > 0
        ? 'Mend the marked mistakes first.'
        : rights.find((block) => block !== undefined);
  return (
    <>
      <PageHeader
        title={kind === undefined ? 'Create from YAML' : `Create ${kind.kind}`}
        crumbs={[
          { label: 'Resources', href: '/resources' },
          ...(kind === undefined ? [] : [{ label: kind.resource, href: kindHref(kind) }]),
          { label: 'create' },
        ]}
        note="One or more objects, separated by ---"
      />
      <Card>
        <YamlEditor
          label="YAML of the new objects"
          value={text}
          onChange={(next) => {
            setEdited(next);
            setOutcomes([]);
          }}
          schemaOf={schemaOf}
          onFindings={setFindings}
        />
        <Outcomes outcomes={outcomes} />
        <footer
          data-bottom-bar
          className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-surface px-4 py-2.5"
        >
          <span className="text-ink-2">
            {objects.length} {objects.length === 1 ? 'object' : 'objects'}; those without a namespace go to{' '}
            <code>{home}</code>
          </span>
          <span className="ms-auto flex gap-2">
            <Button busy={running === 'check'} disabledReason={blocked} onClick={() => void run('check')}>
              Check
            </Button>
            <Button
              variant="primary"
              busy={running === 'create'}
              disabledReason={blocked}
              onClick={() => void run('create')}
            >
              Create
            </Button>
          </span>
        </footer>
      </Card>
    </>
  );
}

const LOOKS = {
  checked: { status: 'COMPLETE', word: 'The cluster would take it' },
  created: { status: 'COMPLETE', word: 'Created' },
  refused: { status: 'FATAL_ERROR', word: 'Refused' },
} as const;

function Outcomes({ outcomes }: { outcomes: readonly CreateOutcome[] }) {
  if (outcomes.length === 0) return null;
  return (
    <ul aria-live="polite" className="divide-y divide-line border-t">
      {outcomes.map((outcome, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the documents of one text in their order, replaced as a whole
        <li key={index} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
          <Status {...LOOKS[outcome.status]} />
          <span className="font-medium">
            {outcome.href === undefined ? (
              outcome.title
            ) : (
              <Link className="link text-accent" href={outcome.href}>
                {outcome.title}
              </Link>
            )}
          </span>
          <span className="min-w-0 flex-1 basis-60 text-ink-2">
            {outcome.causes.length === 0
              ? outcome.message
              : outcome.causes.map(({ field, message }) => (
                  <span key={`${field} ${message}`} className="block">
                    <code>{field}</code> {message}
                  </span>
                ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
