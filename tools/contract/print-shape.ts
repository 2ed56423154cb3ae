import * as z from 'zod/mini';
import { type FieldNotes, fieldNotes } from '../../src/contract/schema-parts.js';

/** The parts of a schema's definition that the printer reads. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly catchall?: z.ZodMiniType;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly check?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly value?: number;
  readonly abort?: boolean;
  readonly fn?: (value: never) => unknown;
  readonly error?: ((issue: { readonly input: unknown }) => unknown) & { readonly sentence?: unknown };
  readonly checks?: readonly { readonly _zod: { readonly def: Definition } }[];
}

const getDefinition = (schema: z.ZodMiniType): Definition => schema._zod.def as unknown as Definition;
const text = (value: unknown) => JSON.stringify(value);

const wrappers: Readonly<Record<string, string>> = { optional: 'isOptional', nullable: 'isNullable' };

/**
 * Rejects names and secrets inside list entries, because the client only finds them in the fields of objects.
 */
function withoutNotes(printed: string): string {
  if (/\b(key|isSecret): /.test(printed)) throw new Error(`a name or a secret inside of a list: ${printed}`);
  return printed;
}

/** Prints shapes. A shape that occurs twice becomes a constant. */
export class ShapePrinter {
  /** The names of the functions that schemas use. */
  readonly #functions: ReadonlyMap<unknown, string>;
  /** The number of uses of each shape, by its text without names. */
  readonly #uses = new Map<string, number>();
  readonly #constants = new Map<string, { readonly name: string; readonly printed: string }>();
  readonly usedFunctions = new Set<string>();

  /** @param schemas all schemas that will be printed */
  constructor(functions: ReadonlyMap<unknown, string>, schemas: readonly z.ZodMiniType[]) {
    this.#functions = functions;
    for (const schema of schemas) this.#inFull(schema);
  }

  /** The shared shapes, each before its first use. */
  get constants(): readonly string[] {
    return Array.from(
      this.#constants.values(),
      ({ name, printed }) => `const ${name} = /* @__PURE__ */ ${printed};`,
    );
  }

  print(schema: z.ZodMiniType): string {
    const uses = new Map(this.#uses);
    const inFull = this.#inFull(schema);
    for (const [text, count] of uses) this.#uses.set(text, count);
    const known = this.#constants.get(inFull);
    if (known !== undefined) return known.name;
    const printed = this.#shape(schema, (inner) => this.print(inner));
    if ((this.#uses.get(inFull) ?? 0) < 2) return printed;
    const name = z.globalRegistry.get(schema)?.title ?? `shared${this.#constants.size + 1}`;
    this.#constants.set(inFull, { name, printed });
    return name;
  }

  /** Prints a shape without constants, and counts it. */
  #inFull(schema: z.ZodMiniType): string {
    const printed = this.#shape(schema, (inner) => this.#inFull(inner));
    this.#uses.set(printed, (this.#uses.get(printed) ?? 0) + 1);
    return printed;
  }

  #shape(
    schema: z.ZodMiniType,
    print: (inner: z.ZodMiniType) => string,
    outer: Readonly<Record<string, string>> = {},
    outerNotes: FieldNotes = {},
  ): string {
    const definition = getDefinition(schema);
    const notes = { ...fieldNotes.get(schema), ...outerNotes };
    if (definition.innerType !== undefined) {
      const flag = wrappers[definition.type];
      if (flag === undefined) throw new Error(`no such wrapper: ${definition.type}`);
      return this.#shape(definition.innerType, print, { ...outer, [flag]: 'true' }, notes);
    }
    const isFile = z.globalRegistry.get(schema)?.format === 'binary';
    const [type, own] = isFile ? ['file', {}] : this.#own(definition, print);
    const value: Record<string, string> = { ...outer, ...own };
    if (type === 'any') Object.assign(value, { isOptional: 'true', isNullable: 'true' });
    if (notes.isSecret) value.isSecret = 'true';
    if (notes.assumed) value.key = text(notes.assumed.key);
    if (notes.requiredBy) value.requiredBy = text(notes.requiredBy);
    if (notes.normalize) value.normalize = this.#function(notes.normalize);
    if (notes.names) value.fields = printFields(notes.names, print);
    const rules = isFile ? [] : this.#rules(definition, type);
    if (rules.length > 0) value.rules = `[${rules.join(', ')}]`;
    return `new RuntimeSchema(${text(type)}${Object.keys(value).length === 0 ? '' : `, ${literal(value)}`})`;
  }

  #own(
    definition: Definition,
    print: (inner: z.ZodMiniType) => string,
  ): [type: string, own: Record<string, string>] {
    const isInteger = definition.check === 'number_format';
    const own: Record<string, string> = {};
    if (isInteger && definition.error) own.otherType = this.#function(definition.error.sentence);
    if (definition.check === 'string_format' && definition.error)
      own.otherType = `() => ${text(definition.error({ input: null }))}`;
    switch (definition.type) {
      case 'enum':
        return ['one of', { values: text(Object.values(definition.entries ?? {})) }];
      case 'literal':
        return ['one of', { values: text(definition.values) }];
      case 'array':
        return ['array', { entries: withoutNotes(print(definition.element as z.ZodMiniType)) }];
      case 'object': {
        if (definition.catchall?._zod.def.type === 'never') own.isStrict = 'true';
        const fields = definition.shape ?? {};
        return [
          'object',
          Object.keys(fields).length === 0 ? own : { ...own, fields: printFields(fields, print) },
        ];
      }
      case 'custom':
        return ['custom', own];
      case 'unknown':
        return ['any', own];
      default:
        return [isInteger ? 'integer' : definition.type, own];
    }
  }

  /** Lists the rules of a schema: its own format, and its checks. */
  #rules(definition: Definition, type: string): string[] {
    const own = definition.check !== undefined && type === 'string' ? [definition] : [];
    const custom = definition.type === 'custom' ? [{ ...definition, check: 'custom' }] : [];
    return [...own, ...custom, ...(definition.checks ?? []).map(({ _zod }) => _zod.def)].map((check) =>
      this.#rule(check, type),
    );
  }

  #rule(check: Definition, type: string): string {
    const accepts = this.#accepts(check, type);
    const last = check.abort ? ', true' : '';
    const message =
      check.error?.({ input: null }) ?? (check.format === 'guid' ? 'must be a UUID' : undefined);
    if (message === undefined) throw new Error(`a check without a message: ${check.check}`);
    return `[${accepts}, ${text(message)}${last}]`;
  }

  #accepts(check: Definition, type: string): string {
    switch (check.check) {
      case 'string_format':
        return `(value: string) => ${check.pattern}.test(value)`;
      // A string never has more characters than UTF-16 units, so most strings do not have to be counted.
      case 'max_length':
        return type === 'string'
          ? `(value: string) => value.length <= ${check.maximum} || [...value].length <= ${check.maximum}`
          : `(value: { readonly length: number }) => value.length <= ${check.maximum}`;
      case 'min_length':
        return type === 'string'
          ? `(value: string) => [...value].length >= ${check.minimum}`
          : `(value: { readonly length: number }) => value.length >= ${check.minimum}`;
      case 'length_equals':
        return `(value: string) => value.length === ${check.length}`;
      case 'greater_than':
        return `(value: number) => value >= ${check.value}`;
      case 'less_than':
        return `(value: number) => value <= ${check.value}`;
      case 'custom':
        return this.#function(check.fn);
      default:
        throw new Error(`no such check: ${check.check}`);
    }
  }

  #function(value: unknown): string {
    const known = this.#functions.get(value);
    if (known === undefined) throw new Error(`a function that is not exported: ${value}`);
    this.usedFunctions.add(known);
    return known;
  }
}

/** Prints an object literal. */
const literal = (fields: Readonly<Record<string, string>>) =>
  `{ ${Object.entries(fields)
    .map(([name, value]) => `${/^[a-z_]\w*$/i.test(name) ? name : text(name)}: ${value}`)
    .join(', ')} }`;

const printFields = (
  fields: Readonly<Record<string, z.ZodMiniType>>,
  print: (inner: z.ZodMiniType) => string,
): string =>
  literal(Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, print(schema)])));
