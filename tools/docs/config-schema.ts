import { isDeepStrictEqual } from 'node:util';
import ts from 'typescript';
import type { notOfTheSandbox } from '../../sandbox/cli/client-options.js';
import { platformOptions, ruleOptions } from '../../sandbox/defaults/all.js';
import { listPaths } from '../../sandbox/defaults/option.js';
import { defaultMaxJournal } from '../../sandbox/options.js';
import { assumptions } from '../../src/contract/overrides.js';
import { findInterface } from '../sources.js';
import type { Schema } from './schemas.js';

/** Options that only a program can pass, not a file. */
const programOnly = new Set(['state']);

/** Checks whether JSON cannot express the type. */
const isFunction = (type: ts.Type) => type.getCallSignatures().length > 0;

/**
 * Builds the JSON Schema for the options of `createSandbox` that JSON can express, from their types and
 * comments.
 */
export function configSchema(): Schema {
  const { checker, declaration, type } = findInterface('sandbox/options.ts', 'SandboxOptions');
  const { properties } = new Schemas(checker, declaration).of(type) as unknown as Group;
  for (const [path, value] of defaults) setDefault(properties, path, value);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'payment-platform.config.json',
    description:
      'A sandbox of payment-platform: `payment-platform sandbox --config FILE`, `createSandbox(config)`.',
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(properties).filter(([name]) => !programOnly.has(name))),
      ...ignoredBySandbox,
    },
    additionalProperties: false,
  };
}

/** The options in a configuration file that the sandbox ignores. The commands `doctor` and `durable` read them. */
const ignoredBySandbox: Readonly<Record<(typeof notOfTheSandbox)[number], Schema>> = {
  baseUrl: { type: 'string', description: "The platform's base address, for `doctor` and `durable`." },
  auth: {
    enum: ['headers', 'oauth', 'both'],
    description: 'The authentication, for `doctor` and `durable`.',
  },
  insecureHosts: {
    type: 'array',
    items: { type: 'string' },
    description: 'Hosts that `doctor` and `durable` may reach over plain http.',
  },
  databaseUrl: {
    type: 'string',
    description:
      'The database of your application, for `durable`: postgres://… or the path of a SQLite file.',
  },
};

interface Group {
  readonly properties: Record<string, Schema>;
}

const isJson = (value: unknown) =>
  value !== undefined &&
  typeof value !== 'function' &&
  isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);

/** The defaults that JSON can express, by the steps of the option's path. */
const defaults: readonly (readonly [path: readonly string[], value: unknown])[] = [
  ...listPaths({ ...ruleOptions, ...platformOptions }).flatMap(([option, path]) => {
    const value = option.toValue(undefined);
    return isJson(value) && option.reader.read(value).issues.length === 0
      ? [[path.split('.'), value] as const]
      : [];
  }),
  ...Object.entries(assumptions).map(([key, { wire }]) => [['fieldNames', key], wire] as const),
  [['checks'], 'all'],
  [['features', 'paas'], true],
  [['features', 'split'], false],
  [['maxJournal'], defaultMaxJournal],
  [['fresh'], false],
];

/** Adds a default to an option's schema. A group's default is added to each of its fields. */
function setDefault(
  properties: Record<string, Schema>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  const schema = properties[name] as Schema & Partial<Group>;
  const fields =
    rest.length > 0
      ? [[rest, value] as const]
      : Object.entries(value as object).map(([field, one]) => [[field], one] as const);
  if (schema.properties === undefined || fields.length === 0)
    properties[name] = { ...schema, default: value };
  else for (const [path, one] of fields) setDefault(schema.properties, path, one);
}

class Schemas {
  readonly #checker: ts.TypeChecker;
  readonly #place: ts.Node;

  constructor(checker: ts.TypeChecker, place: ts.Node) {
    this.#checker = checker;
    this.#place = place;
  }

  of(type: ts.Type): Schema {
    if (type.isUnion()) return this.#union(type.types.filter((member) => !isNothing(member)));
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral)
      return { const: this.#checker.typeToString(type) === 'true' };
    if (type.flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (type.flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Unknown) return {};
    if (this.#checker.isTupleType(type) || this.#checker.isArrayType(type)) return this.#list(type);
    // An open enumeration becomes a string.
    if (type.isIntersection()) return { type: 'string' };
    return this.#object(type);
  }

  #union(members: readonly ts.Type[]): Schema {
    const parts = members
      .filter((member) => !isFunction(member) && !isDate(member))
      .map((member) => this.of(member));
    const constants = parts.flatMap((part) => ('const' in part ? [part.const] : []));
    const others = parts.filter((part) => !('const' in part));
    if (constants.length === 2 && constants.every((value) => typeof value === 'boolean'))
      return others.length === 0 ? { type: 'boolean' } : { anyOf: [{ type: 'boolean' }, ...others] };
    const all = [...(constants.length > 0 ? [{ enum: constants }] : []), ...others];
    return all.length === 1 ? (all[0] as Schema) : { anyOf: all };
  }

  #list(type: ts.Type): Schema {
    const items = this.#checker.getTypeArguments(type as ts.TypeReference).map((item) => this.of(item));
    if (!this.#checker.isTupleType(type)) return { type: 'array', items: items[0] };
    return { type: 'array', items, minItems: items.length, maxItems: items.length };
  }

  #object(type: ts.Type): Schema {
    const properties = this.#checker.getPropertiesOfType(type).map((property) => ({
      name: property.name,
      type: this.#checker.getTypeOfSymbolAtLocation(property, this.#place),
      isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
      description: ts.displayPartsToString(property.getDocumentationComment(this.#checker)),
    }));
    const known = properties.filter(({ type }) => !isProgramOnly(type) && !this.#isEmptyGroup(type));
    const required = known.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
    const values = type.getStringIndexType();
    return {
      type: 'object',
      properties: Object.fromEntries(
        known.map(({ name, type, description }) => [
          name,
          { ...(description !== '' && { description: description.replaceAll('\n', ' ') }), ...this.of(type) },
        ]),
      ),
      ...(required.length > 0 && { required }),
      additionalProperties: values === undefined ? false : this.of(values),
    };
  }

  /** Checks whether all options of a group are functions. */
  #isEmptyGroup(type: ts.Type): boolean {
    const group = this.#checker.getNonNullableType(type);
    const isGroup = !group.isUnionOrIntersection() && (group.flags & ts.TypeFlags.Object) !== 0;
    const types = group
      .getProperties()
      .map((property) => this.#checker.getTypeOfSymbolAtLocation(property, this.#place));
    return isGroup && types.length > 0 && types.every(isProgramOnly);
  }
}

const isNothing = ({ flags }: ts.Type) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) !== 0;

const isDate = (type: ts.Type) => type.symbol?.name === 'Date';

/** Checks for a function, or an object of only functions. */
const isProgramOnly = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.filter((member) => !isNothing(member)).every(isFunction) : isFunction(type);
