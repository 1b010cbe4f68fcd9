import { IMAGES } from './images';
import { rootFilesOf } from './root-files';

/** Makes the root file systems of all images that are not in the cache yet, so that no test waits for one. */
await Promise.all(IMAGES.map(rootFilesOf));
