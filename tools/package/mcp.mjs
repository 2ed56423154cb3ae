import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/**
 * Starts the server of the installed package as each configuration of its page does.
 *
 * @param {string} project a folder with the installed package
 * @returns {Promise<number>} the number of tools
 */
export async function checkMcp(project) {
  const page = readFileSync(join(project, 'node_modules/payment-platform/docs/mcp.md'), 'utf8');
  const configurations = Array.from(page.matchAll(/```json\n([\s\S]*?)```/g), ([, text]) => JSON.parse(text));
  if (configurations.length < 2) throw new Error('docs/mcp.md has no configuration');
  let count = 0;
  for (const configuration of configurations) {
    const [servers] = Object.values(configuration);
    const { command, args } = servers['payment-platform'];
    count = await drive({ command, args: [...args, '--port', '0'], cwd: project });
  }
  return count;
}

/** Lists the tools, and calls those that read files of the package. The tests call every tool. */
async function drive(server) {
  const client = new Client({ name: 'package', version: '1' });
  await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    const values = { query: 'pix', page: 'webhooks', name: 'PixPayment', error: 'rate_limited' };
    for (const { name, inputSchema } of tools) {
      const { required = [] } = inputSchema;
      if (required.length === 0 || !required.every((field) => field in values)) continue;
      const input = Object.fromEntries(required.map((field) => [field, values[field]]));
      const { content, isError = false } = await client.callTool({ name, arguments: input });
      if (isError) throw new Error(`${name}: ${content[0].text}`);
    }
    return tools.length;
  } finally {
    await client.close();
  }
}
