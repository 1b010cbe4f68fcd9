import type { Metadata } from 'next';
import { notFound } from 'next/navigation';

export const metadata: Metadata = { title: 'Not found' };

/** Every address that no page has, inside the frame of the console. */
export default function Missing() {
  notFound();
}
