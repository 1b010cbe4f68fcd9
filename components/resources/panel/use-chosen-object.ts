'use client';

import { useCallback, useMemo } from 'react';
import { formatTopic, parseTopic, type Topic } from '@/lib/live/topic';
import { useUrlState } from '../use-url-state';

export interface ChosenObject {
  /** As it is in the address, a topic of one object: `core/v1/pods@demo=orders-0`. Undefined while none is chosen. */
  readonly key: string | undefined;
  readonly topic: Topic | undefined;
  /** Opens an object, or none. */
  readonly choose: (key: string | undefined) => void;
}

/** Where the open object is in the list beside it, and the keys of those before and after it. */
export interface PanelPlace {
  /** From 1. */
  readonly position: number;
  readonly count: number;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** The place of an item of a list, by its index; undefined for -1. */
export function placeAmong<T>(items: readonly T[], at: number, keyOf: (item: T) => string): PanelPlace | undefined {
  if (at < 0) return undefined;
  const [before, after] = [items[at - 1], items[at + 1]];
  return {
    position: at + 1,
    count: items.length,
    previous: before === undefined ? undefined : keyOf(before),
    next: after === undefined ? undefined : keyOf(after),
  };
}

/** The object that is open in the panel, kept in the address of the page (`?object=…`). What is no object there opens nothing. */
export function useChosenObject(): ChosenObject {
  const [text, setText] = useUrlState('object');
  const topic = useMemo(() => topicOfObject(text), [text]);
  const choose = useCallback((key: string | undefined) => setText(key ?? ''), [setText]);
  return { key: topic === undefined ? undefined : formatTopic(topic), topic, choose };
}

function topicOfObject(text: string): Topic | undefined {
  const topic = parseTopic(text);
  if (topic === undefined || topic.name === undefined || topic.view !== undefined || topic.of !== undefined)
    return undefined;
  return topic;
}
