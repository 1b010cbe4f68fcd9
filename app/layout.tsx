import './globals.css';
import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { parsePreferences, rootAttributes } from '@/components/shell/preference-cookies';

export const metadata: Metadata = {
  title: { default: 'Bravo', template: '%s – Bravo' },
  description: 'Operators for Kubernetes, declared',
  referrer: 'same-origin',
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const jar = await cookies();
  const preferences = parsePreferences((name) => jar.get(name)?.value);
  return (
    <html lang="en" {...rootAttributes(preferences)} suppressHydrationWarning>
      <body>{children}</body>
    </html>
  );
}
