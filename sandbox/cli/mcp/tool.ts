/** A JSON Schema of an object. */
interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** The checked arguments of a tool. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool of the server. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
  /**
   * Runs the tool.
   *
   * @throws Error whose message explains what to do
   */
  run(input: Arguments): Promise<string>;
}

/** The effect of a tool: none, none on another machine, a change of the sandbox, or a loss of its data. */
export type Effect = 'reads' | 'contacts' | 'changes' | 'deletes';

const annotationsOf = (effect: Effect): Tool['annotations'] => ({
  readOnlyHint: effect === 'reads' || effect === 'contacts',
  destructiveHint: effect === 'deletes',
  openWorldHint: effect === 'contacts',
});

const offset = {
  type: 'integer',
  minimum: 0,
  description: 'Where to continue, if an earlier result named an offset. Default 0.',
};

/** Defines a tool with the fields of its input, and `offset` if its result can be long. */
export function defineTool(
  name: string,
  description: string,
  effect: Effect,
  {
    required = {},
    optional = {},
    isLong = false,
  }: {
    readonly required?: Readonly<Record<string, object>>;
    readonly optional?: Readonly<Record<string, object>>;
    readonly isLong?: boolean;
  },
  run: Tool['run'],
): Tool {
  const inputSchema: InputSchema = {
    type: 'object',
    properties: { ...required, ...optional, ...(isLong && { offset }) },
    ...(Object.keys(required).length > 0 && { required: Object.keys(required) }),
    additionalProperties: false,
  };
  return { name, description, inputSchema, annotations: annotationsOf(effect), run };
}

export const offsetOf = (input: Arguments): number => Number(input.offset ?? 0);
