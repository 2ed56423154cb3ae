import { httpUrl, isLoopbackUrl } from '../http-url.js';

/**
 * Checks that a URL leads to this machine, so that no text that an agent reads can make it send data elsewhere.
 *
 * @throws Error that names the argument
 */
export function requireThisMachine(name: string, url: string): void {
  if (!isLoopbackUrl(httpUrl(name, url)))
    throw new Error(`${name} must be on this machine, such as http://localhost:3000/webhooks.`);
}
