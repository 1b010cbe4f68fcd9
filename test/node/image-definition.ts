/** How a container of an image runs when the pod says nothing else (the image's config). */
export interface ImageConfig {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly workingDir: string;
  readonly stopSignal: string;
}

/** An image: its name, the Debian packages that its root file system is made of, and its config. */
export interface ImageDefinition extends ImageConfig {
  /** A name and a pattern of tags, in which `*` stands for any text. An image without a tag has the tag `latest`. */
  readonly references: readonly string[];
  readonly suite: 'bookworm' | 'trixie';
  readonly packages: readonly string[];
  /** The only programs that the image has; absent: all of its packages. */
  readonly programs?: readonly string[];
  /** Files of test/node/launchers, by their path in the image. */
  readonly launchers?: { readonly [path: string]: string };
  /** Lines of /etc/passwd; each user has a group of the same name and number. */
  readonly users?: readonly string[];
  /** Python's packages are kept; the other images do without. */
  readonly python?: true;
  /** Runs in a shell of this machine when the packages are unpacked, with the folder as `$ROOT`. */
  readonly finish?: string;
}

/** The search path of programs in most images. */
export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** What most images have in common. */
export const BASE = { entrypoint: [], command: [], env: { PATH }, workingDir: '/', stopSignal: 'TERM' } as const;
