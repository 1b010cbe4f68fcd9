'use client';

import { useCallback, useMemo, useState } from 'react';
import { useBlocks } from '@/components/access/use-access';
import type { KindSummary } from '@/lib/kube/kinds';
import { formatApiVersion, type KubeObject } from '@/lib/kube/object';
import type { FormProblem } from '@/lib/schema/form/form-problems';
import type { SchemaOf, YamlFinding } from '@/lib/yaml/lint-yaml';
import type { ConflictAnswer, DocumentOutcome } from './apply/document-outcome';
import { checkDocuments, readObjects, rightsToSend, type SendOptions, sendDocuments } from './apply/send-documents';
import { starterText } from './starter-text';
import { useKinds } from './use-kinds';
import { apiVersionsIn, useSchemas } from './use-schemas';
import { firstError } from './yaml-findings';

const FIRST_OPTIONS: SendOptions = { how: 'create', goesOn: false, answers: new Map() };
const NO_KINDS: readonly KindSummary[] = [];
const BLANK = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: example\ndata:\n  key: value\n';

/** The text of new objects while it is written. */
export interface CreateDraft {
  readonly text: string;
  readonly objects: readonly (KubeObject | string)[];
  readonly schemaOf: SchemaOf;
  readonly kinds: readonly KindSummary[];
  readonly findings: readonly YamlFinding[];
  readonly outcomes: readonly DocumentOutcome[];
  readonly options: SendOptions;
  setOptions(changed: Partial<SendOptions>): void;
  /** Answers a conflict of a document. */
  answer(key: string, answer: ConflictAnswer): void;
  /** What runs now. */
  readonly running: 'check' | 'create' | undefined;
  /** Why the text can neither be checked nor created now. */
  readonly blocked: string | undefined;
  change(text: string): void;
  setFindings(findings: readonly YamlFinding[]): void;
  /** What the form found; the findings of the YAML count while the YAML is shown. */
  setProblems(problems: readonly FormProblem[]): void;
  run(mode: 'check' | 'create'): Promise<void>;
}

/** @param namespace of the objects that name none */
export function useCreateDraft(
  kind: KindSummary | undefined,
  namespace: string,
  { initialKinds, isForm }: { initialKinds: readonly KindSummary[]; isForm: boolean },
): CreateDraft {
  const kinds = useKinds(initialKinds) ?? NO_KINDS;
  const [edited, setEdited] = useState<string>();
  const ownVersion = kind === undefined ? [] : [formatApiVersion(kind.group, kind.version)];
  const schemaOf = useSchemas([...ownVersion, ...apiVersionsIn(edited ?? '')]);
  const starter = useMemo(() => {
    if (kind === undefined) return BLANK;
    const schema = schemaOf(formatApiVersion(kind.group, kind.version), kind.kind);
    return starterText(kind, kind.namespaced ? namespace : undefined, schema);
  }, [kind, namespace, schemaOf]);
  const text = edited ?? starter;
  const [findings, setFindings] = useState<readonly YamlFinding[]>([]);
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [outcomes, setOutcomes] = useState<readonly DocumentOutcome[]>([]);
  const [options, setOptions] = useState<SendOptions>(FIRST_OPTIONS);
  const [running, setRunning] = useState<'check' | 'create'>();
  const objects = useMemo(() => readObjects(text), [text]);
  const rights = useBlocks(rightsToSend(objects, kinds, namespace, options.how));
  const missingRight = rights.find((block) => block !== undefined);
  const wrong = isForm ? problems[0]?.message : firstError(findings);
  const change = useCallback((next: string) => {
    setEdited(next);
    setOutcomes([]);
    // Answers belong to the fields of the text that was sent.
    setOptions((now) => ({ ...now, answers: FIRST_OPTIONS.answers }));
  }, []);
  return {
    text,
    objects,
    schemaOf,
    kinds,
    findings,
    outcomes,
    options,
    setOptions: (changed) => setOptions((now) => ({ ...now, ...changed })),
    answer: (key, answer) => setOptions((now) => ({ ...now, answers: new Map(now.answers).set(key, answer) })),
    running,
    blocked: objects.length === 0 ? 'The text has no object.' : (wrong ?? missingRight),
    change,
    setFindings,
    setProblems,
    run: async (mode) => {
      setRunning(mode);
      const send = mode === 'check' ? checkDocuments : sendDocuments;
      setOutcomes(await send({ objects, kinds, namespace }, options));
      setRunning(undefined);
    },
  };
}
