'use client';

import type { ButtonHTMLAttributes, ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names';
import { Link } from './link';
import { StatusIcon } from './status-icon';
import { Tooltip } from './tooltip';

export interface ButtonLook {
  /** `primary` once a view; `destroy` only inside a confirmation. */
  variant?: 'default' | 'primary' | 'quiet' | 'danger' | 'destroy';
  size?: 'normal' | 'small';
  icon?: ReactNode;
  /** Shows only the icon; the children are the accessible name. */
  iconOnly?: boolean;
}

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'>, ButtonLook {
  /** Why the button is disabled. It stays focusable, so that the reason can be read. */
  disabledReason?: string | undefined;
  /** True while the action that it started runs. */
  busy?: boolean;
  /** Extra data attributes, e.g. `data-plan`. */
  [data: `data-${string}`]: string | undefined;
}

/** A button. When it is disabled it says why, on hover and focus and to screen readers. */
export function Button(props: ButtonProps) {
  const {
    variant = 'default',
    size = 'normal',
    icon,
    iconOnly = false,
    disabledReason,
    busy = false,
    children,
    className,
    onClick,
    type = 'button',
    ...rest
  } = props;
  const blocked = disabledReason !== undefined || busy;
  const draw = (describedBy: string | undefined) => (
    <button
      {...rest}
      type={type}
      data-variant={variant}
      data-size={size}
      data-shape={iconOnly ? 'square' : undefined}
      aria-disabled={blocked ? true : undefined}
      aria-busy={busy ? true : undefined}
      aria-describedby={describedBy ?? rest['aria-describedby']}
      className={classNames('btn', className)}
      onClick={blocked ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <StatusIcon shape="arc" /> : icon}
      {iconOnly ? <span className="sr-only">{children}</span> : children}
    </button>
  );
  // A button that may be disabled is always inside the tooltip, so that it keeps its focus when it becomes disabled.
  return 'disabledReason' in props ? <Tooltip text={disabledReason}>{draw}</Tooltip> : draw(undefined);
}

/** A link that looks like a button, for going somewhere. */
export function LinkButton({
  variant = 'default',
  size = 'normal',
  icon,
  iconOnly = false,
  children,
  className,
  ...rest
}: ComponentProps<typeof Link> & ButtonLook) {
  return (
    <Link
      {...rest}
      data-variant={variant}
      data-size={size}
      data-shape={iconOnly ? 'square' : undefined}
      className={classNames('btn', className)}
    >
      {icon}
      {iconOnly ? <span className="sr-only">{children}</span> : children}
    </Link>
  );
}
