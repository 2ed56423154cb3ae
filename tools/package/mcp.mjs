import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/**
 * Starts the server of the installed package as each configuration of its page does, and calls every tool.
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

/** Writes a value that a JSON Schema allows. */
function exampleOf({ type, enum: [first] = [], anyOf: [option] = [] }) {
  if (first !== undefined) return first;
  if (option !== undefined) return exampleOf(option);
  return (
    { string: 'http://127.0.0.1:9/', integer: 1, number: 1, boolean: true, array: [], object: {} }[type] ??
    'x'
  );
}

async function drive(server) {
  const client = new Client({ name: 'package', version: '1' });
  await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    const call = async (name, input) => {
      const { content, isError = false } = await client.callTool({ name, arguments: input });
      const [{ text }] = content;
      if (Buffer.byteLength(text) >= 8_000)
        throw new Error(`${name} returns ${Buffer.byteLength(text)} bytes`);
      return { text, isError };
    };
    const created = await call('payments_sample', {});
    const id = /"id": "([^"]+)"/.exec(created.text)?.[1] ?? '';
    const values = { query: 'pix', page: 'webhooks', name: 'PixPayment', error: 'rate_limited', id };
    // A tool that changes something can reject these values, such as the id of a payment as the id of a seller.
    for (const { name, inputSchema, annotations } of tools) {
      const { required = [], properties } = inputSchema;
      const input = Object.fromEntries(
        required.map((field) => [field, values[field] ?? exampleOf(properties[field])]),
      );
      const { text, isError } = await call(name, input);
      const isRead = annotations.readOnlyHint && required.every((field) => field !== 'id' && field in values);
      if (isError && isRead && name !== 'run_doctor') throw new Error(`${name}: ${text}`);
    }
    return tools.length;
  } finally {
    await client.close();
  }
}
