import { afterEach } from 'vitest';

/** Returns a function that registers resources, which are closed after the test, last first. */
export function closedAfterEach(): <T extends { close(): unknown }>(resource: T) => T {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const resource of opened.splice(0).reverse()) await resource.close();
  });
  return (resource) => {
    opened.push(resource);
    return resource;
  };
}
