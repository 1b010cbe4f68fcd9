'use client';

import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { useConnection } from '@/components/live/use-connection';
import { type AccessAnswer, type AccessQuestion, formatQuestion, missingRight } from '@/lib/kube/access';

export interface AccessCheck {
  /** The sentence for a disabled button; undefined while the person has the right, or it is not known. */
  readonly missing: string | undefined;
  /** The same, or why nothing can be changed now: the page is not live. */
  readonly block: string | undefined;
  /** Who the person is to the cluster; undefined until it is known. */
  readonly user: string | undefined;
}

/** The server believes an answer for 30 s; asking more often brings nothing. */
const FRESH_MS = 30_000;

const NOT_LIVE = 'This page is not live. Wait until it shows the current state again.';

/** Whether the person has a right, asked once for all buttons that need it. Until the answer comes no button is disabled. */
export function useAccess(question: AccessQuestion): AccessCheck {
  const behind = useBehind();
  const { data } = useQuery(reviewOf(question));
  const missing = sentenceOf(question, data);
  return { missing, block: missing ?? behind, user: data?.user };
}

/** {@link useAccess} of several rights at once: a `block` each, in their order. Undefined questions are not asked. */
export function useBlocks(questions: readonly (AccessQuestion | undefined)[]): readonly (string | undefined)[] {
  const behind = useBehind();
  const asked = new Map(
    questions.flatMap((each) => (each === undefined ? [] : [[formatQuestion(each), each] as const])),
  );
  const answers = useQueries({ queries: [...asked.values()].map(reviewOf) });
  const missing = new Map([...asked].map(([key, each], at) => [key, sentenceOf(each, answers[at]?.data)]));
  return questions.map((each) => (each === undefined ? undefined : missing.get(formatQuestion(each))) ?? behind);
}

/** Which rights the person has for certain, in the order of the questions. */
export function useRights(questions: readonly AccessQuestion[]): readonly boolean[] {
  return useQueries({ queries: questions.map(reviewOf) }).map(({ data }) => data?.allowed === true);
}

function useBehind(): string | undefined {
  const { status, staleSinceMs } = useConnection();
  return status === 'lost' || staleSinceMs !== undefined ? NOT_LIVE : undefined;
}

function reviewOf(question: AccessQuestion) {
  const ask = formatQuestion(question);
  return queryOptions({
    queryKey: ['access', ask],
    queryFn: ({ signal }) =>
      request<AccessAnswer & { user: string }>(`/api/access?${new URLSearchParams({ ask })}`, { signal }),
    staleTime: FRESH_MS,
    refetchOnWindowFocus: true,
    retry: false,
  });
}

function sentenceOf(question: AccessQuestion, answer: AccessAnswer | undefined): string | undefined {
  return answer?.allowed === false ? missingRight(question) : undefined;
}
