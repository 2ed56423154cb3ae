import { expect, test, vi } from 'vitest';
import { runOnce } from '../../src/telemetry/safely.js';

test('work that throws at once has run, and is not run again', async () => {
  const work = vi.fn(() => {
    throw new Error('no');
  });
  await expect(runOnce((once) => once(), work)).rejects.toThrow('no');
  expect(work).toHaveBeenCalledTimes(1);
});

test('work that is run again later has run already', async () => {
  const work = vi.fn(async () => 7);
  let later: (() => Promise<number>) | undefined;
  const result = runOnce((once) => {
    later = once;
  }, work);
  expect(await Promise.all([result, later?.()])).toEqual([7, 7]);
  expect(work).toHaveBeenCalledTimes(1);
});
