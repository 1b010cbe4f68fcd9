'use client';

import { ArrowDown, ArrowUp, ExternalLink, X } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useCallback, useId, useRef, useState } from 'react';
import { Button, LinkButton } from '@/components/ui/button';
import { loadPart } from '@/components/ui/load-part';
import { SkeletonRows } from '@/components/ui/skeleton';
import { useSidePanel } from '@/components/ui/use-side-panel';
import { formatTopic, type Topic } from '@/lib/live/topic';
import { objectHref } from '../resource-path';
import type { PanelView } from './panel-content';
import type { ChosenObject, PanelPlace } from './use-chosen-object';
import { usePanelKeys } from './use-panel-keys';

/** Events, YAML and logs are loaded when the first object is opened. */
const PanelContent = dynamic(() => loadPart(() => import('./panel-content')).then((module) => module.PanelContent), {
  ssr: false,
  loading: () => <SkeletonRows rows={6} />,
});

/**
 * One object beside a list, without leaving it: what it is and how, events, YAML, logs. Escape closes it, and the focus returns to the line of the object, which has
 * `data-object`; `j` and `k` go through the objects of the list. In narrow windows it is a modal dialog.
 *
 * @param place where the object is in the list; undefined when it is not in it
 * @param factsOf what the list knows of an object and the object does not say itself
 */
export function ObjectPanel({
  chosen,
  place,
  factsOf,
}: {
  chosen: ChosenObject;
  place: PanelPlace | undefined;
  factsOf?: (key: string) => ReactNode;
}) {
  const { key, topic, choose } = chosen;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // It stays when one goes on to the next object: the logs of one pod after the other.
  const [view, setView] = useState<PanelView>('summary');
  const { previous, next } = place ?? {};
  const close = useCallback(() => {
    dialog.current?.close();
    if (key !== undefined) document.querySelector<HTMLElement>(lineOf(key))?.focus();
    choose(undefined);
  }, [choose, key]);
  const goTo = useCallback(
    (target: string | undefined) => {
      if (target === undefined) return;
      choose(target);
      document.querySelector(lineOf(target))?.scrollIntoView({ block: 'nearest' });
      // What has the focus in the content goes with the object before.
      const content = document.activeElement?.closest('[data-panel-content]');
      if (content != null) dialog.current?.querySelector<HTMLElement>('[data-panel-title]')?.focus();
    },
    [choose],
  );
  const onNext = useCallback(() => goTo(next), [goTo, next]);
  const onPrevious = useCallback(() => goTo(previous), [goTo, previous]);
  usePanelKeys(key !== undefined, { onClose: close, onNext, onPrevious });
  useSidePanel(dialog, key !== undefined, 'object');
  return (
    <dialog
      ref={dialog}
      data-object-panel
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      className="fixed inset-y-0 start-auto end-0 z-40 m-0 h-dvh max-h-none w-full max-w-full overflow-hidden border-s bg-surface p-0 text-ink shadow-float open:flex sm:w-[min(560px,92vw)] lg:top-12 lg:z-20 lg:h-[calc(100dvh-48px)] lg:w-(--object-panel-width) lg:shadow-none"
    >
      {topic !== undefined && (
        <div className="flex min-h-0 w-full flex-col">
          <PanelHeader
            topic={topic}
            titleId={titleId}
            place={place === undefined ? '' : `${place.position} of ${place.count}`}
            hasNext={next !== undefined}
            hasPrevious={previous !== undefined}
            keys={{ onClose: close, onNext, onPrevious }}
          />
          <div data-panel-content className="flex min-h-0 flex-1 flex-col">
            <PanelContent key={key} topic={topic} facts={factsOf?.(formatTopic(topic))} view={view} onView={setView} />
          </div>
        </div>
      )}
    </dialog>
  );
}

function PanelHeader({
  topic,
  titleId,
  place,
  hasNext,
  hasPrevious,
  keys,
}: {
  topic: Topic;
  titleId: string;
  place: string;
  hasNext: boolean;
  hasPrevious: boolean;
  keys: { readonly onClose: () => void; readonly onNext: () => void; readonly onPrevious: () => void };
}) {
  const { namespace = '', name = '' } = topic;
  return (
    <header className="flex items-start gap-2 border-b py-2 ps-4 pe-2">
      <div className="min-w-0 flex-1 py-1">
        <h2
          id={titleId}
          tabIndex={-1}
          aria-live="polite"
          data-panel-title
          className="truncate font-semibold text-md outline-none"
          title={name}
        >
          {name}
        </h2>
        <p className="truncate text-ink-3 text-xs">
          {topic.resource}
          {namespace !== '' && ` · ${namespace}`}
          {place !== '' && ` · ${place}`}
        </p>
      </div>
      <Button
        variant="quiet"
        iconOnly
        icon={<ArrowUp size={16} aria-hidden="true" />}
        disabledReason={hasPrevious ? undefined : 'This is the first object of the list.'}
        onClick={keys.onPrevious}
        aria-keyshortcuts="k"
      >
        Previous object
      </Button>
      <Button
        variant="quiet"
        iconOnly
        icon={<ArrowDown size={16} aria-hidden="true" />}
        disabledReason={hasNext ? undefined : 'This is the last object of the list.'}
        onClick={keys.onNext}
        aria-keyshortcuts="j"
      >
        Next object
      </Button>
      <LinkButton
        variant="quiet"
        iconOnly
        icon={<ExternalLink size={16} aria-hidden="true" />}
        href={objectHref(topic, namespace, name)}
      >
        Open the page of {name}
      </LinkButton>
      <Button
        variant="quiet"
        iconOnly
        icon={<X size={16} aria-hidden="true" />}
        onClick={keys.onClose}
        aria-keyshortcuts="Escape"
      >
        Close
      </Button>
    </header>
  );
}

function lineOf(key: string): string {
  return `[data-object="${CSS.escape(key)}"]`;
}
