// Builds JSON Schemas of the control API's responses from their types and comments.
import ts from 'typescript';
import { findInterface } from '../sources.js';
import type { Schema } from './schemas.js';

/** A longer enumeration becomes a string, because the API can gain values. */
const longestEnum = 8;

/** Builds the schemas by name. A response that is a part of another one becomes a reference. */
export function responseSchemas(): Record<string, Schema> {
  const { checker, declaration: place, type } = findInterface('sandbox/control/responses.ts', 'Responses');
  const responses = checker.getPropertiesOfType(type);
  const types = responses.map(
    (response) => [response.name, checker.getTypeOfSymbolAtLocation(response, place)] as const,
  );
  // `With` only narrows its first argument.
  const names = types.flatMap(([name, type]) =>
    [type, ...(type.aliasTypeArguments ?? []).slice(0, 1)].map((one) => [one, name] as const),
  );
  const toSchema = createReader(checker, place, new Map(names));
  return Object.fromEntries(types.map(([name, type]) => [name, toSchema([type], '', name)]));
}

/** The members of a union, except undefined and null, which JSON leaves out. */
const membersOf = (type: ts.Type): readonly ts.Type[] =>
  (type.isUnion() ? type.types : [type]).filter(
    ({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) === 0,
  );

type Reader = (types: readonly ts.Type[], description: string, self?: string) => Schema;

/** @param names the types that are described once, by name */
function createReader(checker: ts.TypeChecker, place: ts.Node, names: ReadonlyMap<ts.Type, string>): Reader {
  const read: Reader = (types, description, self) => {
    const members = [...new Set(types.flatMap(membersOf))];
    const literals = members.flatMap((member) => (member.isStringLiteral() ? [member.value] : []));
    if (literals.length === members.length && literals.length > 0)
      return literals.length > longestEnum ? { type: 'string' } : { type: 'string', enum: literals.sort() };
    if (members.every(isText)) return { type: 'string', ...formatOf(description) };
    if (members.every(({ flags }) => flags & ts.TypeFlags.BooleanLike)) return { type: 'boolean' };
    if (members.every(({ flags }) => flags & ts.TypeFlags.NumberLike))
      return { type: /probability/.test(description) ? 'number' : 'integer' };
    if (!members.every(({ flags }) => flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return {};
    const [only] = members;
    const name = only && members.length === 1 ? names.get(only) : undefined;
    if (name !== undefined && name !== self) return { $ref: `#/components/schemas/${name}` };
    if (only && checker.isArrayType(only))
      return { type: 'array', items: read(checker.getTypeArguments(only as ts.TypeReference), '') };
    // docs/openapi.json describes the inner fields.
    return self === undefined && members.some(isOfContract) ? { type: 'object' } : objectOf(members);
  };
  /** A field of a union of objects is required if every object has it. */
  const objectOf = (members: readonly ts.Type[]): Schema => {
    const all = [...new Set(members.flatMap(namesIn))];
    const required: string[] = [];
    const properties = all.map((name) => {
      const symbols = members.flatMap((member) => member.getProperty(name) ?? []);
      const types = symbols.map((symbol) => checker.getTypeOfSymbolAtLocation(symbol, place));
      const isPresent = symbols.every(
        ({ flags }, index) => !(flags & ts.SymbolFlags.Optional) && !canBeUndefined(types[index]),
      );
      if (symbols.length === members.length && isPresent) required.push(name);
      // Descriptions from the comments would double the schemas, which are in each bundle of the sandbox.
      return [name, read(types, describe(symbols))] as const;
    });
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    };
  };
  /** If several declarations describe a field, the longest one fits all of them. */
  const describe = (symbols: readonly ts.Symbol[]): string =>
    symbols
      .flatMap((symbol) => symbol.declarations ?? [])
      .flatMap((declaration) => ts.getJSDocCommentsAndTags(declaration))
      .map((comment) => (ts.getTextOfJSDocComment(comment.comment) ?? '').replaceAll(/\s*\n\s*/g, ' ').trim())
      .reduce((longest, text) => (text.length > longest.length ? text : longest), '');
  return read;
}

/** Names from a union of strings come last and sorted, because the compiler does not keep their order. */
function namesIn(type: ts.Type): string[] {
  const isWritten = ({ declarations = [] }: ts.Symbol) => declarations.length > 0;
  const symbols = type.getProperties();
  const others = symbols.filter((symbol) => !isWritten(symbol)).map(({ name }) => name);
  return [...symbols.filter(isWritten).map(({ name }) => name), ...others.sort()];
}

const isOfContract = ({ symbol }: ts.Type): boolean =>
  symbol?.declarations?.some((node) => node.getSourceFile().fileName.includes('/src/contract/')) === true;

/** An open enumeration is a union with an intersection of a string. */
const isText = (type: ts.Type): boolean =>
  type.isIntersection() ? type.types.some(isText) : (type.flags & ts.TypeFlags.StringLike) !== 0;

const canBeUndefined = (type: ts.Type | undefined): boolean =>
  type !== undefined &&
  ((type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Unknown)) !== 0 ||
    (type.isUnion() && type.types.some(canBeUndefined)));

function formatOf(description: string): Schema {
  if (/\bUUID\b/.test(description)) return { format: 'uuid' };
  if (/\bISO 8601\b/.test(description)) return { format: 'date-time' };
  return /^YYYY-MM-DD\b/.test(description) ? { format: 'date' } : {};
}
