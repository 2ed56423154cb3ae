import { expect, test, vi } from 'vitest';
import { runOnce } from '../../src/telemetry/safely.js';

test('work that throws at once is not run again', async () => {
  const work = vi.fn(() => {
    throw new Error('no');
  });
  await expect(runOnce((once) => once(), work)).rejects.toThrow('no');
  expect(work).toHaveBeenCalledTimes(1);
});

test('work that was run already is not run again later', async () => {
  const work = vi.fn(async () => 7);
  let later: (() => Promise<number>) | undefined;
  const result = runOnce((once) => {
    later = once;
  }, work);
  expect(await Promise.all([result, later?.()])).toEqual([7, 7]);
  expect(work).toHaveBeenCalledTimes(1);
});
