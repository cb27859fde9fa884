// The browser of the tests: Debian's, or the one that is named.
import { existsSync } from 'node:fs';

export const chromiumPath = [process.env.SINEW_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path && existsSync(path),
);
