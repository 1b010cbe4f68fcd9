import './globals.css';
import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { EarlyEvents } from '@/components/early/early-events';
import { recordEarly } from '@/components/early/record-early';
import { parsePreferences, rootAttributes } from '@/components/shell/preference-cookies';

export const metadata: Metadata = {
  title: { default: 'Bravo', template: '%s – Bravo' },
  description: 'Operators for Kubernetes, declared',
  referrer: 'same-origin',
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const jar = await cookies();
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  const preferences = parsePreferences((name) => jar.get(name)?.value);
  return (
    <html lang="en" {...rootAttributes(preferences)} suppressHydrationWarning>
      <body>
        <script nonce={nonce}>{`(${recordEarly})()`}</script>
        {children}
        <EarlyEvents />
      </body>
    </html>
  );
}
