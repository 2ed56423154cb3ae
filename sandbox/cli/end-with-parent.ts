import { readFileSync } from 'node:fs';

/** Milliseconds between two checks of the parents. */
const intervalMs = 500;

/**
 * The parents when this module was loaded. This must come first, because npx can end while the command loads.
 */
const first = parents();

/**
 * Calls back when npx, which started this process, has ended. If npx is killed by a signal that it cannot
 * pass on, it leaves its shell running, and the shell this process.
 */
export function onNpxGone(end: () => void): void {
  if (process.env.npm_command !== 'exec') return;
  const timer = setInterval(() => {
    if (parents() === first) return;
    clearInterval(timer);
    end();
  }, intervalMs);
  timer.unref();
}

/** Identifies this process's parent and, if the system has /proc, the parent's parent. */
function parents(): string {
  const { ppid } = process;
  try {
    // The name of the process is in parentheses, and can contain any character.
    const [, grandparent] = readFileSync(`/proc/${ppid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return `${ppid} ${grandparent}`;
  } catch {
    return String(ppid);
  }
}
