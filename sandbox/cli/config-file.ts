import { existsSync } from 'node:fs';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { SandboxOptions } from '../index.js';
import { Failure } from './failure.js';
import { isObject } from './fields.js';
import { readFile } from './read-file.js';

const defaultFiles = ['payment-platform.config.json', 'payment-platform.config.jsonc'];

export const configPath = (value: string | undefined): string | undefined =>
  value ?? defaultFiles.find((name) => existsSync(name));

/** JSON with comments. `createSandbox` checks the options. */
export async function readConfig(path: string): Promise<SandboxOptions> {
  const text = (await readFile('--config', path)).toString().replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const config = parsed(path, text, errors);
  const [error] = errors;
  if (error !== undefined) {
    const before = text.slice(0, error.offset).split('\n');
    throw new Failure(
      `--config ${path} is not JSON: ${printParseErrorCode(error.error)} in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`,
    );
  }
  if (!isObject(config)) throw new Failure(`--config ${path} is not a JSON object.`);
  return config;
}

function parsed(path: string, text: string, errors: ParseError[]): unknown {
  try {
    return parse(text, errors, { allowTrailingComma: true });
  } catch {
    throw new Failure(`--config ${path} is nested too deeply.`);
  }
}
