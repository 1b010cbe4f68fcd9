'use client';

import { useState } from 'react';
import { usePreference } from '@/components/shell/preferences';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useHydrated } from '@/components/ui/use-hydrated';
import { useNow } from '@/components/ui/use-now';
import { browserTimeZone, useExactTime } from '@/components/ui/use-time-zone';
import { formatTime } from '@/lib/clock/clock';
import { isTimeZone } from '@/lib/clock/zoned-time';
import { ChoiceGroup } from './choice-group';

type Kind = 'browser' | 'utc' | 'named';

/** The zone in which exact times are shown: the browser's, UTC, or one by name. */
export function TimeZoneSetting() {
  const timeZone = usePreference((store) => store.timeZone);
  const setTimeZone = usePreference((store) => store.setTimeZone);
  const [isNaming, setIsNaming] = useState(false);
  const own = useHydrated() ? browserTimeZone() : undefined;
  const kind: Kind =
    isNaming || (timeZone !== undefined && timeZone !== 'UTC') ? 'named' : timeZone === undefined ? 'browser' : 'utc';
  const choose = (chosen: Kind) => {
    setIsNaming(chosen === 'named');
    if (chosen !== 'named') setTimeZone(chosen === 'utc' ? 'UTC' : undefined);
  };
  return (
    <div className="grid gap-3">
      <ChoiceGroup<Kind>
        label="Time zone"
        choices={[
          own === undefined ? ['browser', 'Of the browser'] : ['browser', 'Of the browser', own],
          ['utc', 'UTC'],
          ['named', 'Another one'],
        ]}
        value={kind}
        onChange={choose}
      />
      <div className="grid max-w-sm gap-3 sm:ms-[136px]">
        {kind === 'named' && <NamedZone chosen={timeZone} onChoose={setTimeZone} />}
        <Example />
      </div>
    </div>
  );
}

function Example() {
  const exact = useExactTime();
  const nowMs = useNow(1_000);
  return (
    <p className="text-ink-2">
      Now it is <time dateTime={formatTime(nowMs)}>{exact(formatTime(nowMs))}</time>.
    </p>
  );
}

/** A zone takes effect when its name is complete; until then the one before it stays. */
function NamedZone({ chosen, onChoose }: { chosen: string | undefined; onChoose: (zone: string) => void }) {
  const [text, setText] = useState(chosen ?? '');
  const isWrong = text !== '' && !isTimeZone(text);
  return (
    <Field
      label="Name of the time zone"
      hint="An IANA name, such as Europe/Berlin."
      error={isWrong ? `This browser does not know a time zone “${text}”. Choose one of the list.` : undefined}
    >
      {(wiring) => (
        <>
          <Input
            {...wiring}
            autoComplete="off"
            spellCheck={false}
            maxLength={64}
            list="bravo-time-zones"
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              if (isTimeZone(target.value)) onChoose(target.value);
            }}
          />
          <datalist id="bravo-time-zones">
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
