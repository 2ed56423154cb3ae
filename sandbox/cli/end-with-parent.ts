import { readFileSync } from 'node:fs';

/** In milliseconds. */
const intervalMs = 500;

/** The command imports this module first, because npx can end while the command loads. */
const first = parents();

/** If npx is killed by a signal that it cannot pass on, its shell keeps running, and so does this process. */
export function onNpxGone(end: () => void): void {
  if (process.env.npm_command !== 'exec') return;
  const timer = setInterval(() => {
    if (parents() === first) return;
    clearInterval(timer);
    end();
  }, intervalMs);
  timer.unref();
}

/** Includes the parent's parent if the system has /proc. */
function parents(): string {
  const { ppid } = process;
  try {
    // The process name is in parentheses and can contain any character. This removes everything up to the
    // last `) `.
    const [, grandparent] = readFileSync(`/proc/${ppid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return `${ppid} ${grandparent}`;
  } catch {
    return String(ppid);
  }
}
