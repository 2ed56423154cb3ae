import type { Counts } from '../control/responses.js';
import type { Sandbox } from '../control/sandbox-interface.js';
import type { Session } from './copied-test/selection.js';
import type { Fields, FieldValues, JsonSchema } from './fields.js';

interface Input<Body extends Fields, Query extends Fields> extends Session {
  readonly params: Readonly<Record<string, string>>;
  readonly body: FieldValues<Body>;
  readonly query: FieldValues<Query>;
  /** Does not copy the lists. */
  readonly counts: () => Counts;
}

export interface ResponseDescription {
  readonly description: string;
  readonly schema?: JsonSchema;
  /** For a response that is not JSON. */
  readonly types?: readonly string[];
}

/** The route, the description and the documentation of an action are derived from this. */
export interface Action<Body extends Fields = Fields, Query extends Fields = Fields> {
  /** The part before the dot is the action's group. */
  readonly id: string;
  /** The path is below `/_sandbox`: `POST /payments/{id}/pay`. */
  readonly route: Route;
  readonly summary: string;
  /** If no field is required, the body is optional. */
  readonly body?: Body;
  readonly query?: Query;
  readonly response: ResponseDescription;
  /** For a plain Error of the control. Default 409. */
  readonly rejectionStatus?: 400;
  /** Whether the action can respond with 409. */
  readonly conflicts?: boolean;
  /** @returns a value to send as JSON, or a complete response */
  run(sandbox: Sandbox, input: Input<Body, Query>): unknown;
}

type Method = 'GET' | 'POST' | 'DELETE';
type Route = `${Method} /${string}`;

export interface AnyAction extends Omit<Action<Fields, Fields>, 'route'> {
  readonly method: Method;
  readonly path: string;
}

type None = Record<never, never>;

/** Infers the types of the fields. */
export const action = <Body extends Fields = None, Query extends Fields = None>(
  input: Action<Body, Query>,
): AnyAction => {
  const { route, ...rest } = input;
  const [method, path] = route.split(' ');
  return { ...rest, method, path } as unknown as AnyAction;
};
