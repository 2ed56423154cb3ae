import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { PathContent } from '../../src/platform/web.js';

test.each([
  ['a path', './package.json', /no file system. Pass the bytes/],
  ['a URL', pathToFileURL('package.json'), /no file system. Pass the bytes/],
  ['base64 in a data URL', 'data:image/png;base64,AA==', /is a string that is not a path/],
])(
  'an upload of %s is rejected before anything is sent if the runtime has no file system',
  async (_, path, message) => {
    const content = new PathContent(path);
    const problem = { message: expect.stringMatching(message), permanent: true };
    await expect(content.open()).rejects.toMatchObject(problem);
    await expect(content.read()[Symbol.asyncIterator]().next()).rejects.toMatchObject(problem);
    content.close();
  },
);
