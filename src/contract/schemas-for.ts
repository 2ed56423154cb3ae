import type { ZodType, z } from 'zod';
import type { BodyOf, Operation, QueryOf, ResultOf } from './operation.js';
import type { NamesIn, ValueIn } from './types.js';

/** What the bodies and the query of an operation are held against. */
export interface Schemas {
  readonly query?: ZodType;
  /** Strict on what the API document states about single fields, silent on the rest. */
  readonly request?: ZodType;
  /** Of an answer; a mismatch is reported, never thrown. */
  readonly response?: ZodType;
}

/** The documented values of an open type; of plain text, text. */
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

/** Where a public type and the values of a schema differ; `never` where they do not. */
type Difference<Public, Schema, At extends string = ''> = [Public, Schema] extends [Schema, Public]
  ? never
  : unknown extends Public
    ? never
    : [Public, Schema] extends [readonly (infer Entry)[], readonly (infer Held)[]]
      ? Difference<Entry, Held, `${At}[]`>
      : [IsObject<Public>, IsObject<Schema>] extends [true, true]
        ? // An object of which the schema knows nothing inside.
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

/** What a schema must be: a schema where it fits its public type, else the text that says where it does not. */
type Fits<Public, Schema> = Schema extends ZodType
  ? [Difference<Public, z.input<Schema>>] extends [never]
    ? ZodType
    : Difference<Public, z.input<Schema>>
  : ZodType;

type PartsOf<Described extends Operation> =
  | ([QueryOf<Described>] extends [never] ? never : 'query')
  | ([BodyOf<Described>] extends [never] ? never : 'request')
  | (Described['result'] extends 'object' ? 'response' : never);

type Demanded<Described extends Operation, Given> = {
  readonly [Part in PartsOf<Described>]: Part extends keyof Given
    ? Fits<
        { query: QueryOf<Described>; request: BodyOf<Described>; response: ResultOf<Described> }[Part],
        Given[Part]
      >
    : ZodType;
} & { readonly [Part in Exclude<keyof Given, PartsOf<Described>>]: never };

/**
 * The schemas of an operation, built when they are asked for, and held against its public types by the
 * compiler: a field that is in one of them only, is optional or null in one of them only, or has another type
 * does not compile.
 */
export const schemasFor =
  <Described extends Operation>() =>
  <Given extends Schemas>(build: () => Given & Demanded<Described, Given>): (() => Given) =>
    build;
