import { notFound } from 'next/navigation';

/** Every address that no page has, inside the frame of the console. */
export default function Missing() {
  notFound();
}
