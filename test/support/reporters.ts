import type { Reporter, TestModule } from 'vitest/node';

/**
 * Reports progress on one line of a terminal. Without a terminal, prints a line at each tenth of the files.
 */
export function progress(): Reporter {
  const { isTTY } = process.stdout;
  let files = 0;
  let begun = 0;
  let done = 0;
  let tests = 0;
  let failed = 0;
  const tenth = () => Math.floor((10 * done) / files);
  return {
    onTestRunStart(specifications) {
      files = specifications.length;
      begun = performance.now();
    },
    onTestModuleEnd({ children }) {
      const before = tenth();
      done++;
      for (const test of children.allTests()) {
        tests++;
        if (test.result().state === 'failed') failed++;
      }
      const seconds = Math.round((performance.now() - begun) / 1000);
      const line = `${done} of ${files} files, ${tests} tests, ${failed} failed, ${seconds} s`;
      if (isTTY) process.stdout.write(`\r${line} `);
      else if (tenth() > before) process.stdout.write(`${line}\n`);
    },
    onTestRunEnd() {
      if (isTTY) process.stdout.write('\n');
    },
  };
}

/** Lists a file's skipped tests; a group that was skipped as a whole appears once. */
const skippedIn = ({ children }: TestModule) =>
  [...children].flatMap((child) => {
    if (child.type === 'test') return child.result().state === 'skipped' ? [child.fullName] : [];
    const tests = [...child.children.allTests()];
    const skipped = tests.filter((test) => test.result().state === 'skipped');
    return skipped.length > 0 && skipped.length === tests.length
      ? [`${child.fullName}: ${tests.length} tests`]
      : skipped.map(({ fullName }) => fullName);
  });

/** Names the tests that need something this machine lacks, because a count would not help. */
export const skippedByName: Reporter = {
  onTestRunEnd(modules) {
    const names = modules.flatMap(skippedIn);
    // More names come from a run of chosen tests (-t), which skips the others on purpose.
    if (names.length > 20) return;
    for (const name of names) process.stdout.write(`skipped: ${name}\n`);
  },
};
