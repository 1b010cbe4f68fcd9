import type { ComponentProps } from 'react';
import { classNames } from './class-names';

/** One line of text. `mono` for values that machines read. */
export function Input({ mono = false, className, ...rest }: ComponentProps<'input'> & { mono?: boolean }) {
  return <input {...rest} className={classNames('control', mono && 'mono', className)} />;
}

/** Several lines of text; grows with its content where the browser can. */
export function Textarea({ mono = false, className, ...rest }: ComponentProps<'textarea'> & { mono?: boolean }) {
  return (
    <textarea
      {...rest}
      className={classNames('control field-sizing-content min-h-16 resize-y', mono && 'mono', className)}
    />
  );
}

/** A choice among few; the browser's own list, which works everywhere. */
export function Select({ mono = false, className, ...rest }: ComponentProps<'select'> & { mono?: boolean }) {
  return <select {...rest} className={classNames('control', mono && 'mono', className)} />;
}
