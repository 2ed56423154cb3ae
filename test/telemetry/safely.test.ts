import { expect, test, vi } from 'vitest';
import { runExactlyOnce } from '../../src/telemetry/in-span.js';

test('runExactlyOnce does not run work a second time if the work throws at once', async () => {
  const work = vi.fn(() => {
    throw new Error('no');
  });
  await expect(runExactlyOnce((once) => once(), work)).rejects.toThrow('no');
  expect(work).toHaveBeenCalledTimes(1);
});

test('runExactlyOnce does not run work a second time if the telemetry calls it later', async () => {
  const work = vi.fn(async () => 7);
  let later: (() => Promise<number>) | undefined;
  const result = runExactlyOnce((once) => {
    later = once;
  }, work);
  expect(await Promise.all([result, later?.()])).toEqual([7, 7]);
  expect(work).toHaveBeenCalledTimes(1);
});
