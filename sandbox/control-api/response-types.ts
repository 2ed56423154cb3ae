import type { Responses } from '../control/responses.js';
import { type JsonSchema, object } from './fields.js';

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const responseWith = (name: keyof Responses, description: string) => ({
  description,
  schema: ref(name),
});

/** A list, and additional fields. */
export const responseWithList = (
  name: keyof Responses,
  description: string,
  more: Readonly<Record<string, JsonSchema>> = {},
) => ({ description, schema: object({ data: { type: 'array', items: ref(name) }, ...more }) });
