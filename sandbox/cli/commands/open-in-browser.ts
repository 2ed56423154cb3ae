import { spawn } from 'node:child_process';

const openers: Readonly<
  Partial<Record<NodeJS.Platform, readonly [command: string, ...arguments: string[]]>>
> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Without a browser it does nothing, because the address was already printed. */
export function openInBrowser(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}
