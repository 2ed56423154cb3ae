import type * as z from 'zod/mini';
import type { BodyOf, Operation, QueryOf, ResultOf } from './operation.js';
import type { NamesIn, ValueIn } from './types.js';

interface Documented {
  readonly summary: string;
  /** The section of the API docs that describes the operation. Default: its method and path. */
  readonly section?: string;
  /** How merchants use the operation, if it is not a method of the client. */
  readonly through?: string;
}

export interface Schemas extends Documented {
  readonly query?: z.ZodMiniType;
  readonly request?: z.ZodMiniType;
  /** Mismatches are reported, never thrown. */
  readonly response?: z.ZodMiniType;
}

/** The documented values of an `Open` type. A plain `string` stays `string`. */
type Known<Text> = Text extends string ? (string extends Text ? never : Text) : Text;
type Stated<Text> = [Known<Text>] extends [never] ? Text : Known<Text>;

type Join<At extends string, Name extends string> = At extends '' ? Name : `${At}.${Name}`;

type IsObject<Value> = [Value] extends [object]
  ? [Value] extends [readonly unknown[]]
    ? false
    : true
  : false;

type Missing<From, In, At extends string, What extends string> = {
  [Name in Exclude<NamesIn<From>, NamesIn<In>>]: `${Join<At, Name>} is not in the ${What}`;
}[Exclude<NamesIn<From>, NamesIn<In>>];

type Difference<Public, Schema, At extends string = ''> = unknown extends Public
  ? never
  : [Public, Schema] extends [readonly (infer Entry)[], readonly (infer Held)[]]
    ? Difference<Entry, Held, `${At}[]`>
    : [IsObject<Public>, IsObject<Schema>] extends [true, true]
      ? // An object that the schema leaves open.
        [NamesIn<Schema>] extends [never]
        ? never
        :
            | Missing<Public, Schema, At, 'schema'>
            | Missing<Schema, Public, At, 'type'>
            | Inside<Public, Schema, At>
      : [Stated<Public>] extends [Schema]
        ? never
        : `${At} has another type in the schema`;

type Inside<Public, Schema, At extends string> = {
  [Name in NamesIn<Public> & NamesIn<Schema>]:
    | (undefined extends ValueIn<Public, Name>
        ? undefined extends ValueIn<Schema, Name>
          ? never
          : `${Join<At, Name>} is required in the schema`
        : undefined extends ValueIn<Schema, Name>
          ? `${Join<At, Name>} is optional in the schema`
          : never)
    | (null extends ValueIn<Public, Name>
        ? null extends ValueIn<Schema, Name>
          ? never
          : `${Join<At, Name>} cannot be null in the schema`
        : null extends ValueIn<Schema, Name>
          ? `${Join<At, Name>} can be null in the schema`
          : never)
    | Difference<
        Exclude<ValueIn<Public, Name>, null | undefined>,
        Exclude<ValueIn<Schema, Name>, null | undefined>,
        Join<At, Name>
      >;
}[NamesIn<Public> & NamesIn<Schema>];

/** If the schema does not match its public type, a string that names the difference. */
type Fits<Public, Schema> = Schema extends z.ZodMiniType
  ? [Difference<Public, z.input<Schema>>] extends [never]
    ? z.ZodMiniType
    : Difference<Public, z.input<Schema>>
  : z.ZodMiniType;

type PartsOf<Definition extends Operation> =
  | ([QueryOf<Definition>] extends [never] ? never : 'query')
  | ([BodyOf<Definition>] extends [never] ? never : 'request')
  | (Definition['result'] extends 'object' ? 'response' : never);

type RequiredSchemas<Definition extends Operation, BuiltSchemas> = {
  readonly [Part in PartsOf<Definition>]: Part extends keyof BuiltSchemas
    ? Fits<
        { query: QueryOf<Definition>; request: BodyOf<Definition>; response: ResultOf<Definition> }[Part],
        BuiltSchemas[Part]
      >
    : z.ZodMiniType;
} & {
  readonly [Part in Exclude<
    keyof BuiltSchemas,
    PartsOf<Definition> | OptionalPart<Definition> | keyof Documented
  >]: never;
};

/** If there is a schema, it covers only the known fields. */
type OptionalPart<Definition extends Operation> = Definition['result'] extends 'unspecified'
  ? 'response'
  : never;

/** The compiler compares the schemas with the public types. */
export const defineSchemas =
  <Definition extends Operation>() =>
  <BuiltSchemas extends Schemas>(
    build: () => BuiltSchemas & RequiredSchemas<Definition, BuiltSchemas>,
  ): (() => BuiltSchemas) =>
    build;
